import type { Hex } from "viem";
import { confirmed } from "@/lib/confirmations/service";
import { type CreditTransactionId, newId, type OwnerId, type PaymentId } from "@/lib/core/ids";
import type { Usdc } from "@/lib/core/money";
import { type Cursor, type CursorPage, cutAfter } from "@/lib/core/page";
import { agentOfLabel } from "@/lib/identity/service";
import * as mandates from "@/lib/mandates/service";
import { batchedOn } from "@/lib/platform/batch";
import type { Ctx, Owner, System } from "@/lib/platform/context";
import type { Tx } from "@/lib/platform/db";
import { record } from "@/lib/platform/events";
import type { Subscriber } from "@/lib/platform/subscriber";
import type { SaleOffer, Settlement } from "@/lib/settlements/service";
import * as wallets from "@/lib/wallets/service";
import { type Credits, creditsWorth, purchasable, toCredits, worthOf } from "@/lib/x402/credits";
import { DEFAULT_NETWORK } from "@/lib/x402/networks";
import { creditErrors } from "./errors";
import { ISSUED } from "./rules";
import * as store from "./store";

export type { CreditMove } from "./store";

export const balanceOf = batchedOn(store.balanceReader);

/** The transactions of the owner's credits, newest first. */
export async function history(
  ctx: Ctx<Owner>,
  { after: cursor, limit }: { after?: Cursor | undefined; limit: number },
): Promise<CursorPage<store.CreditMove>> {
  const { ownerId } = ctx.actor;
  const rows = await store.listMoves(ctx.db, { ownerId, after: cursor, limit: limit + 1 });
  return cutAfter(rows, limit, ({ createdAt, id }) => ({ time: createdAt, id }));
}

const TOP_UP_PATH = "/api/credits/top-up";

/**
 * An x402 offer that anyone can pay to add credits, one per USDC, to the account of an agent's owner. `label` is the agent's id or
 * login JWT. Throws AGENT_NOT_FOUND, AGENT_NOT_LINKED, INVALID_AMOUNT.
 */
export async function topUpOffer(
  system: System,
  { label, amount }: { label: string; amount: Usdc },
): Promise<SaleOffer> {
  if (purchasable(amount) === null) throw creditErrors.INVALID_AMOUNT();
  const agent = await agentOfLabel(system, label);
  if (!agent) throw creditErrors.AGENT_NOT_FOUND();
  if (!agent.ownerId) throw creditErrors.AGENT_NOT_LINKED();
  return {
    purpose: "credits",
    subject: agent.ownerId,
    ownerId: agent.ownerId,
    requirement: { ...purchaseFor(system, amount), resource: `${system.config.baseUrl}${TOP_UP_PATH}` },
  };
}

const purchaseFor = ({ config }: System, amount: Usdc) => ({
  network: DEFAULT_NETWORK,
  amount,
  payTo: config.treasury,
  description: "Service credits",
});

/**
 * Buys credits from the owner's spending wallet on Base; the purchase may still be pending on return. Requires a signature, because
 * credits cannot be converted back to USDC. Throws INVALID_AMOUNT, signature_required, insufficient_balance, owner_limit_reached,
 * settlement_failed.
 */
export async function buy(
  ctx: Ctx<Owner>,
  { amount, signature }: { amount: Usdc; signature?: Hex | undefined },
): Promise<Settlement> {
  if (purchasable(amount) === null) throw creditErrors.INVALID_AMOUNT();
  const { network, payTo, description } = purchaseFor(ctx, amount);
  const sending = {
    purpose: "credits",
    subject: ctx.actor.ownerId,
    resource: "",
    description,
    to: payTo,
    amount,
  } as const;
  return confirmed(ctx, { type: "CreditPurchase", amount }, signature, async (use) => {
    // The signature is used in its own transaction, before the transfer is claimed: a failed purchase needs a new signature.
    await ctx.db.transaction(use);
    return wallets.payService(ctx, network, sending, (tx, wallet, authorization) =>
      mandates.reserveApproved(tx, wallet, { agentId: null, time: ctx.now(), authorizations: [authorization] }),
    );
  });
}

export type Spending = { ownerId: OwnerId; paymentId: PaymentId; service: string; amount: Credits };

/** The `spendings` that their owners can afford, in the given order. Locks the owners' balances for the rest of `tx`. */
export async function affordable(tx: Tx, spendings: readonly Spending[]): Promise<Spending[]> {
  const balances = new Map<OwnerId, bigint>(
    await store.lockBalances(tx, [...new Set(spendings.map((s) => s.ownerId))]),
  );
  return spendings.filter(({ ownerId, amount }) => {
    const remainingBalance = (balances.get(ownerId) ?? 0n) - amount;
    if (remainingBalance >= 0n) balances.set(ownerId, remainingBalance);
    return remainingBalance >= 0n;
  });
}

/** Moves credits to the services. `spendings` must come from `affordable` in the same transaction. Returns each payment's transaction. */
export async function spend(
  tx: Tx,
  spendings: readonly Spending[],
  time: Date,
): Promise<Map<PaymentId, CreditTransactionId>> {
  if (spendings.length === 0) return new Map();
  const moves = spendings.map(({ ownerId, paymentId, service, amount }) => ({
    transaction: { id: newId("creditTransaction"), kind: "spend" as const, ownerId, paymentId, createdAt: time },
    against: `service:${service}`,
    amount: toCredits(-amount),
  }));
  await store.post(tx, moves);
  return new Map(moves.map(({ transaction: { paymentId, id } }) => [paymentId, id]));
}

/** Issues credits in the transaction that settles their purchase, and takes them back when its block is replaced. */
export const subscriber: Subscriber = {
  transferred: async (tx, facts, time) => {
    const [first] = facts;
    if (!first) return;
    const purchases = await store.purchasesOf(tx, first.network, facts);
    const uncredited = purchases.filter(
      ({ settlement, credited }) => settlement.state === "settled" && credited === 0n,
    );
    await store.post(
      tx,
      uncredited.map(({ settlement }) => moveOf("top_up", settlement, time)),
    );
  },

  unwound: async (tx, network, _firstBlock, time) => {
    const undone = (await store.purchasesUndone(tx, network)).map(({ settlement }) => settlement);
    const moves = undone.map((settlement) => moveOf("reversal", settlement, time));
    await store.post(tx, moves);
    for (const { amount, transaction } of moves) {
      const { id: subject, ownerId, settlementId } = transaction;
      const meta = { amount: worthOf(toCredits(-amount)).toString(), settlementId };
      await record(tx, time, { type: "credits.taken_back", subject, ownerId, meta });
    }
  },
};

function moveOf(kind: "top_up" | "reversal", settlement: Settlement, time: Date) {
  const amount = creditsWorth(settlement.amount);
  if (amount === null) throw new Error(`${settlement.id} buys no whole credits`);
  // The subject of a purchase is its owner.
  const ownerId = settlement.subject as OwnerId;
  const transaction = { id: newId("creditTransaction"), kind, ownerId, settlementId: settlement.id, createdAt: time };
  return { transaction, against: ISSUED, amount: kind === "top_up" ? amount : toCredits(-amount) };
}
