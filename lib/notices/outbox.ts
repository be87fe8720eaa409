import { addSeconds } from "@/lib/core/time";
import type { System } from "@/lib/platform/context";
import { assertLease, type Lease } from "@/lib/platform/lease";
import { begin, end, forget, hasDue, type Outbox, type OutboxRow } from "./outbox-store";
import { afterAttempt, type SendOutcome } from "./rules";

/** Longer than an attempt can take. An attempt without an end by then may have succeeded; it is repeated. */
const ATTEMPT_SECONDS_MAX = 120;
const ERROR_CHARACTERS_MAX = 300;

/** `waitSeconds`: the minimum delay that the receiver requests. */
export type AttemptResult = { outcome: SendOutcome; error: string | null; waitSeconds?: number };

/** Attempts up to `limit` due rows and returns their number. If `attempt` rejects, its outcome is `unknown`. */
export async function sendSome<N extends Outbox>(
  system: System,
  outbox: N,
  lease: Lease,
  limit: number,
  attempt: (row: OutboxRow<N>) => Promise<AttemptResult>,
): Promise<number> {
  // Most rounds find nothing, and then need no transaction.
  if (!(await hasDue(system.db, outbox, system.now()))) return 0;
  const begun = await system.db.transaction(async (tx) => {
    await assertLease(tx, lease);
    const now = system.now();
    return begin(tx, outbox, { now, until: addSeconds(now, ATTEMPT_SECONDS_MAX), limit });
  });
  await Promise.all(
    begun.map(async (row) => {
      const result = await attempt(row).catch(
        (error: unknown): AttemptResult => ({ outcome: "unknown", error: reasonOf(error) }),
      );
      await finish(system, outbox, row, result);
    }),
  );
  return begun.length;
}

export const reasonOf = (error: unknown): string => String(error instanceof Error ? error.message : error);

async function finish(
  system: System,
  outbox: Outbox,
  row: { id: string; attempts: number },
  { outcome, error, waitSeconds = 0 }: AttemptResult,
): Promise<void> {
  const { id, attempts } = row;
  const lastError = error === null ? null : error.slice(0, ERROR_CHARACTERS_MAX).replaceAll("\0", "\uFFFD");
  if (outcome !== "sent") {
    const event = outbox === "mails" ? "mail.failed" : "push.failed";
    system.log.warn({ id, attempts, outcome, error: lastError }, event);
  }
  const next = afterAttempt(outcome, attempts);
  const time = system.now();
  if (next.type === "waiting") {
    const nextAttemptAt = addSeconds(time, Math.max(next.seconds, waitSeconds));
    return end(system.db, outbox, row, { nextAttemptAt, lastError });
  }
  // The body is deleted once the row is final.
  return end(system.db, outbox, row, { state: next.state, endedAt: time, lastError, body: "" });
}

const KEPT_SECONDS = 30 * 86_400;

/** Deletes up to `limit` rows older than 30 days; returns their number. */
export const forgetOld = ({ db, now }: Pick<System, "db" | "now">, outbox: Outbox, limit: number): Promise<number> =>
  forget(db, outbox, addSeconds(now(), -KEPT_SECONDS), limit);
