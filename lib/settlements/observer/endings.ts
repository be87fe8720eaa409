import type { SettlementId } from "@/lib/core/ids";
import type { System } from "@/lib/platform/context";
import type { Tx } from "@/lib/platform/db";
import { type Event, record } from "@/lib/platform/events";
import { metrics } from "@/lib/platform/metrics";
import { notify } from "@/lib/platform/queue";
import type { EndedSettlement } from "@/lib/platform/subscriber";
import { type FailureCode, isOpen, stillValidUntil } from "../rules";
import type { Settlement } from "../store";
import * as store from "../store";
import * as endings from "./store";

/**
 * Declines open settlements. Their authorizations can still be used, so whatever they reserve stays reserved: only facts from
 * the chain make them settled or void.
 */
export async function decline(tx: Tx, ids: SettlementId[], code: string, time: Date): Promise<void> {
  await announceDeclined(tx, await endings.decline(tx, ids, code, time), time);
}

async function announceDeclined(tx: Tx, rows: readonly Settlement[], time: Date): Promise<void> {
  const happened = rows.map((row) => {
    const meta = { failureCode: row.failureCode, stillValidUntil: stillValidUntil(row)?.toISOString() };
    return settlementEvent("settlement.declined", row, meta);
  });
  await record(tx, time, ...happened);
  await notify(tx, "settlement_ended", ...rows.map(({ id }) => id));
}

/**
 * Records that `block` shows the authorization cancelled or spent on something else. The settlement becomes void once that
 * block is CONFIRMATIONS deep.
 */
export async function showSpent(tx: Tx, row: Settlement, code: FailureCode, block: bigint, time: Date): Promise<void> {
  if (row.state === "settled" || row.state === "void") return;
  const changes = {
    state: "declined" as const,
    failureCode: code,
    blockNumber: block,
    useNotShownAt: null,
    declinedAt: row.declinedAt ?? time,
  };
  await store.update(tx, row.id, changes);
  if (isOpen(row)) await announceDeclined(tx, [{ ...row, ...changes }], time);
}

/** Makes settlements void, because `block` shows that they can never move money. Skips those that have ended. */
export async function makeVoid(tx: Tx, system: System, ids: SettlementId[], block: bigint, time: Date): Promise<void> {
  const ended = await endings.makeVoid(tx, ids, block, time);
  const ends = ended.map((row) => ({ row, end: "failed" as const, meta: { failureCode: row.failureCode } }));
  await announceEnds(tx, system, ends, time);
}

type Ended = Pick<EndedSettlement, "end"> & { row: Settlement; meta: Record<string, unknown> };

/** Records the ends of settlements and notifies the subscribers and the requests that wait for them. */
export async function announceEnds(tx: Tx, { subscribers }: System, ends: readonly Ended[], time: Date): Promise<void> {
  await record(tx, time, ...ends.map(({ row, end, meta }) => settlementEvent(`settlement.${end}`, row, meta)));
  for (const { row, end } of ends) {
    const { id: settlementId, network, payer: from, nonce, purpose, subject, agentId, ownerId, amount, payee } = row;
    const ended = { settlementId, network, from, nonce, purpose, subject, agentId, ownerId, amount, payee, end };
    for (const subscriber of subscribers) await subscriber.ended?.(tx, ended, time);
    // The metric counts twice in the rare case that `tx` is rolled back.
    if (end === "settled") {
      metrics().settled.observe({ network, purpose }, Math.max(0, time.getTime() - row.createdAt.getTime()) / 1000);
    }
  }
  await notify(tx, "settlement_ended", ...ends.map(({ row }) => row.id));
}

/** An event for the settlement's agent and owner. */
function settlementEvent(type: string, row: Settlement, meta: Record<string, unknown>): Event {
  const { id: subject, agentId, ownerId, purpose, network } = row;
  return { type, subject, agentId, ownerId, meta: { ...meta, purpose, network } };
}
