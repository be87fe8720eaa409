"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Confirm } from "@/components/ui/confirm";
import { Time } from "@/components/ui/time";
import { toast } from "@/components/ui/toast";
import { callApi } from "@/lib/http/client";
import type { NoticeBrowser } from "@/lib/notices/browsers/contract";

/** Browsers other than this one that get notices, with buttons to remove them. */
export function OtherBrowsers({ browsers }: { browsers: readonly NoticeBrowser[] }) {
  if (browsers.length === 0) return null;
  return (
    <section className="grid gap-2" aria-label="Other browsers">
      <h3 className="text-small font-medium">Also told</h3>
      <ul className="grid divide-y rounded-control border">
        {browsers.map((browser) => (
          <Row key={browser.browserId} browser={browser} />
        ))}
      </ul>
    </section>
  );
}

function Row({ browser: { browserId, device, createdAt, lastError } }: { browser: NoticeBrowser }) {
  const router = useRouter();
  const [isAsking, setAsking] = useState(false);

  async function remove(): Promise<string | undefined> {
    const response = await callApi("DELETE", `/api/notices/browsers/${browserId}`);
    // If it was removed already, the goal is reached.
    if (!response.ok && response.code !== "browser_not_found") return response.message;
    toast.success("That browser is told nothing more");
    router.refresh();
    return undefined;
  }

  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-3">
      <div className="grid min-w-0 gap-0.5">
        <span className="flex flex-wrap items-center gap-2 font-medium">
          {device}
          {lastError !== null && <Badge tone="warn">Not reached</Badge>}
        </span>
        <span className="text-small text-ink-2">
          Since <Time at={createdAt} form="short" show="absolute" />
        </span>
      </div>
      <Button size="small" onClick={() => setAsking(true)}>
        Remove <span className="sr-only">{device}</span>
      </Button>
      <Confirm
        open={isAsking}
        onOpenChange={setAsking}
        title={`No more notifications in ${device}`}
        verb="Remove"
        onConfirm={remove}
      >
        It stays signed in. Turn notifications on there to get them again.
      </Confirm>
    </li>
  );
}
