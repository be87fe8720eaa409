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
export async function decline(tx: Tx, ids: SettlementId[], code: string, at: Date): Promise<void> {
  for (const row of await endings.decline(tx, ids, code, at)) await announceDeclined(tx, row, at);
}

async function announceDeclined(tx: Tx, row: Settlement, at: Date): Promise<void> {
  const meta = { failureCode: row.failureCode, stillValidUntil: stillValidUntil(row)?.toISOString() };
  await record(tx, at, settlementEvent("settlement.declined", row, meta));
  await notify(tx, "settlement_ended", row.id);
}

/**
 * Records that `block` shows the authorization cancelled or spent on something else. The settlement becomes void once that
 * block is CONFIRMATIONS deep.
 */
export async function showSpent(tx: Tx, row: Settlement, code: FailureCode, block: bigint, at: Date): Promise<void> {
  if (row.state === "settled" || row.state === "void") return;
  const shown = {
    state: "declined" as const,
    failureCode: code,
    blockNumber: block,
    useNotShownAt: null,
    declinedAt: row.declinedAt ?? at,
  };
  await store.update(tx, row.id, shown);
  if (isOpen(row)) await announceDeclined(tx, { ...row, ...shown }, at);
}

/** Makes settlements void, because `block` shows that they can never move money. Skips those that have ended. */
export async function makeVoid(tx: Tx, system: System, ids: SettlementId[], block: bigint, at: Date): Promise<void> {
  for (const row of await endings.makeVoid(tx, ids, block, at)) {
    await announceEnd(tx, system, row, { end: "failed", meta: { failureCode: row.failureCode } }, at);
  }
}

type End = Pick<EndedSettlement, "end"> & { meta: Record<string, unknown> };

/** Records the end of a settlement and notifies the subscribers and the requests that wait for it. */
export async function announceEnd(
  tx: Tx,
  { subscribers }: System,
  row: Settlement,
  { end, meta }: End,
  at: Date,
): Promise<void> {
  await record(tx, at, settlementEvent(`settlement.${end}`, row, meta));
  const { id: settlementId, network, payer: from, nonce, purpose, subject, agentId, ownerId, amount, payee } = row;
  const ended = { settlementId, network, from, nonce, purpose, subject, agentId, ownerId, amount, payee, end };
  for (const subscriber of subscribers) await subscriber.ended?.(tx, ended, at);
  // Counted once more in the rare case that `tx` is rolled back.
  if (end === "settled") {
    metrics().settled.observe({ network, purpose }, Math.max(0, at.getTime() - row.createdAt.getTime()) / 1000);
  }
  await notify(tx, "settlement_ended", settlementId);
}

/** An event for the settlement's agent and owner. */
function settlementEvent(type: string, row: Settlement, meta: Record<string, unknown>): Event {
  const { id: subject, agentId, ownerId, purpose, network } = row;
  return { type, subject, agentId, ownerId, meta: { ...meta, purpose, network } };
}
