import type { MandateId } from "@/lib/core/ids";
import { addSeconds } from "@/lib/core/time";
import { announceSoon } from "@/lib/platform/announcements";
import type { Agent, Ctx, Owner, System } from "@/lib/platform/context";
import { type Db, isDatabaseDown } from "@/lib/platform/db";
import { record } from "@/lib/platform/events";
import { takeTurn } from "@/lib/platform/limiter";
import { keyOf, ofDay, type RefusedPayments, type RequestedPayment, reasonOf, refusedAt, together } from "./rules";
import * as store from "./store";

export type { RequestedPayment } from "./rules";
export type { RefusedAttempt } from "./store";

const SOON_MS = 250;
const RETRY_MS = 5_000;
/** Limit of rows in memory. Refusals beyond it are still returned to the agent, but not recorded. */
const WAITING_MAX = 5_000;
const AT_ONCE = 500;

type Waiting = { rows: Map<string, RefusedPayments>; lost: number; writing: Promise<void> | null };
const waiting = new WeakMap<Db, Waiting>();

/** Runs `work`. If it throws a refusal, records the refusal for the owner and rethrows the error unchanged. */
export async function runAttempt<T>(
  ctx: Ctx<Agent>,
  requestedPayment: RequestedPayment,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    recordRefusedAttempt(ctx, requestedPayment, error);
    throw error;
  }
}

/**
 * Records `error` if it is a refusal. Refusals are buffered and written in batches, because an agent may retry a thousand times a
 * second. A crash loses the buffer. Agents without an owner are skipped.
 */
export function recordRefusedAttempt(ctx: Ctx<Agent>, requestedPayment: RequestedPayment, error: unknown): void {
  const reason = reasonOf(error);
  const { ownerId, agentId } = ctx.actor;
  if (reason === null || ownerId === null) return;
  const queue = waiting.get(ctx.db) ?? { rows: new Map(), lost: 0, writing: null };
  waiting.set(ctx.db, queue);
  enqueueRefusal(queue, refusedAt(requestedPayment, { ownerId, agentId }, reason, ctx.now()));
  queue.writing ??= writeAfter(ctx, queue, SOON_MS);
}

function enqueueRefusal(queue: Waiting, refusal: RefusedPayments): void {
  const key = keyOf(refusal);
  const queuedRefusal = queue.rows.get(key);
  if (queuedRefusal) queue.rows.set(key, together(queuedRefusal, refusal));
  else if (queue.rows.size < WAITING_MAX) queue.rows.set(key, refusal);
  else queue.lost += refusal.count;
}

/** Resolves when the queue is empty; never rejects. */
async function writeAfter(system: System, queue: Waiting, ms: number): Promise<void> {
  await new Promise<void>((done) => setTimeout(done, ms).unref());
  try {
    while (queue.rows.size > 0) await writeSome(system, queue);
    queue.writing = null;
  } catch (err) {
    system.log.warn({ err, waiting: queue.rows.size }, "attempts.write_delayed");
    queue.writing = writeAfter(system, queue, RETRY_MS);
  }
  if (queue.lost > 0) system.log.warn({ lost: queue.lost }, "attempts.lost");
  queue.lost = 0;
}

async function writeSome(system: System, queue: Waiting): Promise<void> {
  const batch = [...queue.rows].slice(0, AT_ONCE);
  for (const [key] of batch) queue.rows.delete(key);
  const refusals = batch.map(([, one]) => one);
  try {
    await write(system, refusals);
  } catch (error) {
    if (isDatabaseDown(error)) {
      for (const one of refusals) enqueueRefusal(queue, one);
      throw error;
    }
    system.log.warn({ err: error, rows: refusals.length }, "attempts.refused");
    // Written one by one, so that a row the database rejects does not take the others with it.
    for (const one of refusals) {
      await write(system, [one]).catch(() => {
        queue.lost += one.count;
      });
    }
  }
}

async function write(system: System, refusals: readonly RefusedPayments[]): Promise<void> {
  const rows = new Map<string, RefusedPayments>();
  for (const refusal of refusals) {
    const one = await withinLimit(system, refusal);
    const key = keyOf(one);
    const existingRow = rows.get(key);
    rows.set(key, existingRow ? together(existingRow, one) : one);
  }
  // A fixed order prevents deadlocks between processes.
  const inOrder = [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
  await system.db.transaction(async (tx) => {
    const added = await store.add(tx, inOrder);
    const events = added.map(({ id, ownerId, agentId, mandateId, host, amount, network, payTo, reason }) => ({
      type: "payment.refused",
      subject: id,
      ownerId,
      agentId,
      meta: { mandateId, reason, host: host === "" ? null : host, amount: amount.toString(), network, payTo },
    }));
    await record(tx, system.now(), ...events);
  });
  for (const ownerId of new Set(inOrder.map((one) => one.ownerId))) announceSoon(system, ownerId, "payment.refused");
}

/** Keys that have taken their turn in the current minute. */
const turns = new WeakMap<Db, { minute: number; keys: Set<string> }>();

/** Limits the rows of an agent per day, because it can name any number of hosts. Further ones are counted per day, without the host. */
async function withinLimit(system: System, refusal: RefusedPayments): Promise<RefusedPayments> {
  const minute = refusal.minute.getTime();
  const recentTurns = turns.get(system.db);
  const { keys } = recentTurns?.minute === minute ? recentTurns : { keys: new Set<string>() };
  turns.set(system.db, { minute, keys });
  const key = keyOf(refusal);
  if (keys.has(key)) return refusal;
  if ((await takeTurn(system, "refusal_row_per_agent", refusal.agentId)) !== null) return ofDay(refusal);
  if (keys.size < WAITING_MAX) keys.add(key);
  return refusal;
}

/** Flushes this process's buffer before it exits. */
export async function writeWaiting(system: System): Promise<void> {
  const queue = waiting.get(system.db);
  if (!queue) return;
  try {
    while (queue.rows.size > 0) await writeSome(system, queue);
  } catch (err) {
    system.log.warn({ err, lost: queue.rows.size }, "attempts.lost");
  }
}

/** Refused payments under a mandate of the owner, newest first. */
export const listForMandate = (ctx: Ctx<Owner>, mandateId: MandateId, limit: number): Promise<store.RefusedAttempt[]> =>
  store.listForMandate(ctx.db, ctx.actor.ownerId, mandateId, limit);

const KEPT_SECONDS = 90 * 86_400;

/** Deletes up to `limit` rows older than 90 days and returns their number. Their events remain in the owners' history. */
export const forgetOldAttempts = ({ db, now }: Pick<System, "db" | "now">, limit: number): Promise<number> =>
  store.forget(db, addSeconds(now(), -KEPT_SECONDS), limit);
