"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Confirm } from "@/components/ui/confirm";
import { Time } from "@/components/ui/time";
import { toast } from "@/components/ui/toast";
import { callApi } from "@/lib/http/client";
import type { SessionItem } from "@/lib/owners/contract";

export type SessionListProps = { sessions: readonly SessionItem[] };

/** The browsers in which the owner is signed in. Buttons end their sessions. */
export function SessionList({ sessions }: SessionListProps) {
  const [isAsking, setAsking] = useState(false);
  const otherCount = sessions.filter(({ isCurrent }) => !isCurrent).length;
  const end = useEnding();
  return (
    <div className="grid gap-4">
      <ul className="grid divide-y rounded-control border" aria-label="Sessions">
        {sessions.map((session) => (
          <SessionRow key={session.sessionId} session={session} />
        ))}
      </ul>
      {otherCount > 0 ? (
        <div>
          <Button onClick={() => setAsking(true)}>End all other sessions</Button>
        </div>
      ) : (
        <p className="text-small text-ink-2">You are signed in nowhere else.</p>
      )}
      <Confirm
        open={isAsking}
        onOpenChange={setAsking}
        title="End all other sessions"
        verb="End all others"
        onConfirm={() => end("/api/sessions", "All other sessions have ended")}
      >
        Every other browser is signed out at once. This one stays signed in.
      </Confirm>
    </div>
  );
}

function SessionRow({ session }: { session: SessionItem }) {
  const { sessionId, device, createdAt, lastSeenAt, expiresAt, isCurrent } = session;
  const [isAsking, setAsking] = useState(false);
  const end = useEnding();
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-3">
      <div className="grid min-w-0 gap-0.5">
        <span className="flex flex-wrap items-center gap-2 font-medium">
          {device}
          {isCurrent && <Badge tone="good">This browser</Badge>}
        </span>
        <span className="text-small text-ink-2">
          Last used <Time at={lastSeenAt} form="short" show="relative" />, signed in{" "}
          <Time at={createdAt} form="short" show="absolute" />. Expires{" "}
          <Time at={expiresAt} form="short" show="absolute" />.
        </span>
      </div>
      {!isCurrent && (
        <Button size="small" onClick={() => setAsking(true)}>
          End <span className="sr-only">the session of {device}</span>
        </Button>
      )}
      <Confirm
        open={isAsking}
        onOpenChange={setAsking}
        title={`End the session of ${device}`}
        verb="End session"
        onConfirm={() => end(`/api/sessions/${sessionId}`, "The session has ended")}
      >
        That browser is signed out at once.
      </Confirm>
    </li>
  );
}

/** Ends sessions with DELETE. Resolves to an error message, or to undefined on success. */
function useEnding() {
  const router = useRouter();
  return async (path: `/${string}`, done: string): Promise<string | undefined> => {
    const response = await callApi("DELETE", path);
    // If the session has already ended, the goal is reached.
    if (!response.ok && response.code !== "session_not_found") return response.message;
    toast.success(done);
    router.refresh();
    return undefined;
  };
}
