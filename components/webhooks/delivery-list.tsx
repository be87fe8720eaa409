import { Badge } from "@/components/ui/badge";
import { Disclosure } from "@/components/ui/disclosure";
import { JsonView } from "@/components/ui/json-view";
import { Time } from "@/components/ui/time";
import type { DeliveryItem } from "@/lib/webhooks/deliveries/contract";
import { ReplayButton } from "./replay-button";
import { attemptWords, deliveryState } from "./words";

export type DeliveryListProps = { rows: readonly DeliveryItem[]; canReplay: boolean };

/** Deliveries, each with its body and its attempts in a disclosure. */
export function DeliveryList({ rows, canReplay }: DeliveryListProps) {
  return (
    <ol className="grid gap-2.5">
      {rows.map((row) => (
        <li key={row.deliveryId} data-row={row.deliveryId}>
          <Disclosure summary={<Summary row={row} />}>
            <Details row={row} canReplay={canReplay} />
          </Disclosure>
        </li>
      ))}
    </ol>
  );
}

function Summary({ row }: { row: DeliveryItem }) {
  const { label, tone } = deliveryState(row);
  return (
    <span className="flex min-w-0 flex-1 flex-wrap items-center justify-between gap-x-4 gap-y-1.5">
      <span className="mono text-small [overflow-wrap:anywhere]">{row.type}</span>
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <Time at={row.createdAt} form="short" show="absolute" className="text-tiny font-normal text-ink-2" />
        <Badge tone={tone}>{label}</Badge>
      </span>
    </span>
  );
}

function Details({ row, canReplay }: { row: DeliveryItem; canReplay: boolean }) {
  return (
    <div className="grid gap-4">
      {row.nextAttemptAt !== null && (
        <p className="text-small text-ink-2">
          {row.attempts.length === 0 ? "To be sent" : "Next attempt"}: <Time at={row.nextAttemptAt} />
        </p>
      )}
      {row.state === "paused" && <p className="text-small text-ink-2">It waits until the webhook is enabled.</p>}
      <Attempts row={row} />
      <div className="grid gap-1.5">
        <h3 className="text-small font-medium">What we send</h3>
        <JsonView value={row.body} label={`Body of ${row.eventId}`} />
        <p className="text-tiny text-ink-2 [overflow-wrap:anywhere]">
          webhook-id: <span className="mono">{row.eventId}</span>
        </p>
      </div>
      {canReplay && !row.underway && (
        <div>
          <ReplayButton deliveryId={row.deliveryId} isWaiting={row.state === "waiting"} />
        </div>
      )}
    </div>
  );
}

function Attempts({ row }: { row: DeliveryItem }) {
  if (row.attempts.length === 0) return null;
  return (
    <div className="grid gap-1.5">
      <h3 className="text-small font-medium">Attempts</h3>
      <ol className="grid gap-3">
        {row.attempts.map((attempt) => (
          <li key={attempt.number} className="grid gap-1.5 text-small">
            <p>
              {attemptWords(attempt, row.underway && attempt.number === row.attempts.length)}
              <span className="text-tiny text-ink-2">
                {" · "}
                <Time at={attempt.startedAt} form="short" show="absolute" />
                {attempt.durationMs !== null && ` · ${attempt.durationMs} ms`}
              </span>
            </p>
            {attempt.reply && <JsonView value={attempt.reply} label={`Reply ${attempt.number} to ${row.eventId}`} />}
          </li>
        ))}
      </ol>
    </div>
  );
}
