import type { SettlementId } from "@/lib/core/ids";
import type { Tx } from "@/lib/platform/db";
import { type Event, record } from "@/lib/platform/events";
import { notify } from "@/lib/platform/queue";
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
    declinedAt: row.declinedAt ?? at,
  };
  await store.update(tx, row.id, shown);
  if (isOpen(row)) await announceDeclined(tx, { ...row, ...shown }, at);
}

/** Makes settlements void, because `block` shows that they can never move money. Skips those that have ended. */
export async function makeVoid(tx: Tx, ids: SettlementId[], block: bigint, at: Date): Promise<void> {
  for (const row of await endings.makeVoid(tx, ids, block, at)) {
    const failed = settlementEvent("settlement.failed", row, { failureCode: row.failureCode });
    await record(tx, at, failed, ...endEvents(row, "failed"));
    await notify(tx, "settlement_ended", row.id);
  }
}

/** An event for the settlement's agent and owner. */
export function settlementEvent(type: string, row: Settlement, meta: Record<string, unknown>): Event {
  const { id: subject, agentId, ownerId, purpose } = row;
  return { type, subject, agentId, ownerId, meta: { ...meta, purpose } };
}

/** The event of the refund or link that the settlement is for, if any. */
export function endEvents(row: Settlement, end: "settled" | "failed"): Event[] {
  const { id: settlementId, purpose, subject, agentId, ownerId, payer, payee, network } = row;
  const meta = { settlementId, amount: row.amount.toString(), network };
  if (purpose === "refund") return [{ type: `refund.${end}`, subject, agentId, ownerId, meta: { ...meta, payee } }];
  return purpose === "link" && end === "settled"
    ? [{ type: "payment_link.paid", subject, agentId, ownerId, meta: { ...meta, payer } }]
    : [];
}
