import type { MandateId } from "@/lib/core/ids";
import { announceSoon } from "@/lib/platform/announcements";
import type { Agent, Ctx, Owner, System } from "@/lib/platform/context";
import { type Db, isDatabaseDown } from "@/lib/platform/db";
import { record } from "@/lib/platform/events";
import { takeTurn } from "@/lib/platform/limiter";
import { keyOf, ofDay, type Refused, reasonOf, refusedAt, together, type Wanted } from "./rules";
import * as store from "./store";

export type { Wanted } from "./rules";
export type { RefusedAttempt } from "./store";

const SOON_MS = 250;
const RETRY_MS = 5_000;
/** More rows at once are not kept: the refusals that they count were answered. */
const WAITING_MAX = 5_000;
const AT_ONCE = 500;

type Waiting = { rows: Map<string, Refused>; lost: number; writing: Promise<void> | null };
const waiting = new WeakMap<Db, Waiting>();

/** Runs `work`, and remembers a refusal of the payment `wanted` for its owner. Its answer stays what it is. */
export async function notingRefusal<T>(ctx: Ctx<Agent>, wanted: Wanted, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    noteRefusal(ctx, wanted, thrown);
    throw thrown;
  }
}

/**
 * Remembers `thrown`, if it is a refusal, to be written a moment later together with others: an agent may repeat itself a thousand
 * times a second. What a process that dies has not written is not recorded. An agent without an owner has nobody who could look.
 */
export function noteRefusal(ctx: Ctx<Agent>, wanted: Wanted, thrown: unknown): void {
  const reason = reasonOf(thrown);
  const { ownerId, agentId } = ctx.actor;
  if (reason === null || ownerId === null) return;
  const of = waiting.get(ctx.db) ?? { rows: new Map(), lost: 0, writing: null };
  waiting.set(ctx.db, of);
  put(of, refusedAt(wanted, { ownerId, agentId }, reason, ctx.now()));
  of.writing ??= writeAfter(ctx, of, SOON_MS);
}

function put(of: Waiting, refused: Refused): void {
  const key = keyOf(refused);
  const known = of.rows.get(key);
  if (known) of.rows.set(key, together(known, refused));
  else if (of.rows.size < WAITING_MAX) of.rows.set(key, refused);
  else of.lost += refused.count;
}

/** Resolves when everything that waits is written; never rejects. */
async function writeAfter(system: System, of: Waiting, ms: number): Promise<void> {
  await pause(ms);
  try {
    while (of.rows.size > 0) await writeSome(system, of);
    of.writing = null;
  } catch (err) {
    system.log.warn({ err, waiting: of.rows.size }, "attempts.write_delayed");
    of.writing = writeAfter(system, of, RETRY_MS);
  }
  if (of.lost > 0) system.log.warn({ lost: of.lost }, "attempts.lost");
  of.lost = 0;
}

const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms).unref());

async function writeSome(system: System, of: Waiting): Promise<void> {
  const taken = [...of.rows].slice(0, AT_ONCE);
  for (const [key] of taken) of.rows.delete(key);
  const refused = taken.map(([, one]) => one);
  try {
    await write(system, refused);
  } catch (thrown) {
    if (isDatabaseDown(thrown)) {
      for (const one of refused) put(of, one);
      throw thrown;
    }
    system.log.warn({ err: thrown, rows: refused.length }, "attempts.refused");
    // One that the database does not accept must not take the others with it.
    for (const one of refused) {
      await write(system, [one]).catch(() => {
        of.lost += one.count;
      });
    }
  }
}

async function write(system: System, refused: readonly Refused[]): Promise<void> {
  const rows = new Map<string, Refused>();
  for (const each of refused) {
    const one = await withinLimit(system, each);
    const key = keyOf(one);
    const known = rows.get(key);
    rows.set(key, known ? together(known, one) : one);
  }
  // A fixed order, for the locks.
  const inOrder = [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
  await system.db.transaction(async (tx) => {
    const added = await store.add(tx, inOrder);
    await record(tx, system.now(), ...added.map(eventOf));
  });
  for (const ownerId of new Set(inOrder.map((one) => one.ownerId))) announceSoon(system, ownerId, "payment.refused");
}

/** Keys that have had their turn, for the minute. */
const turns = new WeakMap<Db, { minute: number; keys: Set<string> }>();

/** An agent has a number of rows a day, whatever hosts it names. Then its refusals are counted for the day. */
async function withinLimit(system: System, refused: Refused): Promise<Refused> {
  const minute = refused.minute.getTime();
  const known = turns.get(system.db);
  const { keys } = known?.minute === minute ? known : { keys: new Set<string>() };
  turns.set(system.db, { minute, keys });
  const key = keyOf(refused);
  if (keys.has(key)) return refused;
  if ((await takeTurn(system, "refusal_row_per_agent", refused.agentId)) !== null) return ofDay(refused);
  if (keys.size < WAITING_MAX) keys.add(key);
  return refused;
}

const eventOf = ({ id, ownerId, agentId, mandateId, host, amount, network, payTo, reason }: store.RefusedAttempt) => ({
  type: "payment.refused",
  subject: id,
  ownerId,
  agentId,
  meta: { mandateId, reason, host: host === "" ? null : host, amount: amount.toString(), network, payTo },
});

/** Writes what waits in this process, before it ends. */
export async function writeWaiting(system: System): Promise<void> {
  const of = waiting.get(system.db);
  if (!of) return;
  try {
    while (of.rows.size > 0) await writeSome(system, of);
  } catch (err) {
    system.log.warn({ err, lost: of.rows.size }, "attempts.lost");
  }
}

/** Refused payments under a mandate of the owner, newest first. */
export const listForMandate = (ctx: Ctx<Owner>, mandateId: MandateId, limit: number): Promise<store.RefusedAttempt[]> =>
  store.listForMandate(ctx.db, ctx.actor.ownerId, mandateId, limit);
