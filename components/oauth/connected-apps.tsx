"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { sentenceFor } from "@/components/dashboard/words";
import { Button } from "@/components/ui/button";
import { Confirm } from "@/components/ui/confirm";
import { Time } from "@/components/ui/time";
import { toast } from "@/components/ui/toast";
import { callApi } from "@/lib/http/client";

export type ConnectedApp = {
  connectionId: string;
  appName: string;
  returnsTo: string;
  createdAt: Date;
  lastUsedAt: Date | null;
};

/** The apps that may act as one agent. Their names are untrusted text. */
export function ConnectedApps({ apps }: { apps: readonly ConnectedApp[] }) {
  const router = useRouter();
  const [ending, setEnding] = useState<ConnectedApp>();

  async function end(): Promise<string | undefined> {
    if (!ending) return undefined;
    const response = await callApi("DELETE", `/api/connections/${ending.connectionId}`);
    if (!response.ok) return sentenceFor(response);
    toast.success("App disconnected");
    router.refresh();
    return undefined;
  }

  return (
    <section className="grid gap-2" aria-label="Connected apps">
      <h3 className="text-small font-medium text-ink-2">Connected apps</h3>
      <ul className="grid gap-2">
        {apps.map((app) => (
          <li key={app.connectionId} className="flex items-center justify-between gap-3">
            <span className="min-w-0 text-control">
              <bdi className="[overflow-wrap:anywhere]">{app.appName}</bdi>
              <span className="block text-small text-ink-2 [overflow-wrap:anywhere]">
                {app.returnsTo} ·{" "}
                {app.lastUsedAt === null ? (
                  "not used yet"
                ) : (
                  <>
                    used <Time at={app.lastUsedAt} form="short" />
                  </>
                )}
              </span>
            </span>
            <Button size="small" onClick={() => setEnding(app)}>
              Disconnect
            </Button>
          </li>
        ))}
      </ul>
      <Confirm
        open={ending !== undefined}
        onOpenChange={(next) => !next && setEnding(undefined)}
        title={
          <>
            Disconnect <bdi>{ending?.appName}</bdi>
          </>
        }
        verb="Disconnect"
        onConfirm={end}
      >
        It can no longer act as this agent. Payments that were signed before can still be made until they expire.
      </Confirm>
    </section>
  );
}
