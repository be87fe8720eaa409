import type { AppError } from "@/lib/core/errors";
import { type LinkId, newId, type OwnerId, type RefundId } from "@/lib/core/ids";
import { subtract, type Usdc, ZERO } from "@/lib/core/money";
import { addSeconds } from "@/lib/core/time";
import { orRefusal } from "@/lib/http/errors";
import { limit } from "@/lib/http/limit";
import * as passes from "@/lib/links/passes/service";
import { toReceivedView } from "@/lib/links/received/contract";
import type { ReceivedList } from "@/lib/links/received/service";
import { type SaleQuery, type SaleView, filterOf as saleFilterOf, toSaleView } from "@/lib/links/sales/contract";
import { type LinkSales, type Sale, type SaleFilter, salesOfLink } from "@/lib/links/sales/service";
import type { Agent, Ctx, Owner, System } from "@/lib/platform/context";
import type { Queryable, Tx } from "@/lib/platform/db";
import { record } from "@/lib/platform/events";
import type { ClaimedProof, Subscriber } from "@/lib/platform/subscriber";
import { assertPayable } from "@/lib/screening/service";
import { isSale } from "@/lib/settlements/contract";
import * as settlements from "@/lib/settlements/service";
import * as wallets from "@/lib/wallets/service";
import { refundErrors } from "./errors";
import { APPROVABLE_SECONDS, type Refund, refundable, refundStatus } from "./rules";
import * as store from "./store";
import type { RefundParty } from "./tables";

export { refundedByOthers } from "./store";

/** A refund with its payment, the wallet that pays it, and its transfer once it is approved. */
export type RefundView = store.FullRefund & { fromWallet: wallets.Wallet };
export type RefundRequest = { paymentId: number; amount?: Usdc | undefined; reason?: string | undefined };

/** The agent or owner who acts; each may refund only its own sales. */
type RefundContext = System & { actor: Agent | Owner };
const partyOf = ({ actor }: RefundContext): store.Party =>
  actor.type === "agent" ? { type: "agent", agentId: actor.agentId } : { type: "owner", ownerId: actor.ownerId };

/**
 * Requests a refund of a payment; without an amount, of everything that is left. No money moves before the owner approves.
 * Throws PAYMENT_NOT_FOUND, PAYMENT_NOT_SETTLED, REFUND_EXCEEDS_PAYMENT, REFUND_BELOW_UNUSED, rate_limited.
 */
export async function initiate(ctx: RefundContext, { paymentId, amount, reason }: RefundRequest): Promise<RefundView> {
  const time = ctx.now();
  const paidSale = await store.findSale(ctx.db, partyOf(ctx), paymentId);
  if (!paidSale) throw refundErrors.PAYMENT_NOT_FOUND();
  const { sale, paid: payment } = paidSale;
  if (payment.state !== "settled") throw refundErrors.PAYMENT_NOT_SETTLED();
  // Counted only once the payment is known to be the caller's, so that nobody else can use up its rate limit.
  await limit(ctx, "refund_per_payment", String(paymentId));
  await limit(ctx, "refund_per_party", ctx.actor.type === "agent" ? ctx.actor.agentId : ctx.actor.ownerId);
  const refundId = newId("refund");
  await ctx.db.transaction(async (tx) => {
    await store.lockPayment(tx, paymentId);
    const expiresAt = addSeconds(time, APPROVABLE_SECONDS);
    const { most, least } = await requestableOf(tx, paymentId, payment.amount, time);
    if (most === ZERO || (amount !== undefined && amount > most))
      throw refundErrors.REFUND_EXCEEDS_PAYMENT({ refundable: most.toString() });
    const requested = amount ?? most;
    if (requested < least) throw refundErrors.REFUND_BELOW_UNUSED({ leastAmount: least.toString() });
    await store.add(tx, {
      refundId,
      paymentId,
      agentId: sale.agentId,
      ownerId: sale.ownerId,
      amount: requested,
      reason: reason ?? null,
      requestedBy: ctx.actor.type,
      createdAt: time,
      expiresAt,
    });
    const meta = { amount: requested.toString(), network: payment.network, paymentId, by: ctx.actor.type };
    const { agentId, ownerId } = sale;
    await record(tx, time, { type: "refund.created", subject: refundId, agentId, ownerId, meta });
  });
  return get(ctx, refundId);
}

/**
 * Between which amounts a refund has to be that was requested at `time`. `reserved`: the sum of other refunds that are paid or may be; only
 * those that are paid count for the least, because the others may fail.
 */
async function boundsOf(
  db: Queryable,
  paymentId: number,
  { paidAmount, reserved, time }: { paidAmount: Usdc; reserved: Usdc; time: Date },
): Promise<{ most: Usdc; least: Usdc }> {
  const ofPass = await passes.refundBoundsOf(db, paymentId, time);
  if (!ofPass) return { most: refundable(paidAmount, reserved), least: ZERO };
  const settled = (await store.refundedOf(db, [paymentId])).get(paymentId) ?? ZERO;
  return { most: refundable(ofPass.most, reserved), least: refundable(ofPass.least, settled) };
}

/** The bounds of a refund that is requested now. Refunds that wait may leave less than the least: the approval decides. */
async function requestableOf(db: Queryable, paymentId: number, paidAmount: Usdc, time: Date) {
  const reserved = await store.sumReservedRefunds(db, paymentId, time);
  const bounds = await boundsOf(db, paymentId, { paidAmount, reserved, time });
  return bounds.least > bounds.most ? { ...bounds, least: bounds.most } : bounds;
}

/**
 * Cancels a refund that is not approved. Idempotent. Throws REFUND_NOT_FOUND, REFUND_APPROVED, REFUND_SETTLED, REFUND_FAILED,
 * REFUND_EXPIRED.
 */
export async function cancel(ctx: RefundContext, refundId: RefundId): Promise<RefundView> {
  const { refund, sale } = await get(ctx, refundId);
  const time = ctx.now();
  const party: RefundParty = ctx.actor.type;
  await ctx.db.transaction(async (tx) => {
    const { cancelledAt } = await lockUnpaid(tx, refundId, time);
    if (cancelledAt) return;
    await store.change(tx, refundId, { cancelledAt: time, cancelledBy: party });
    const { agentId } = refund;
    await record(tx, time, {
      type: "refund.cancelled",
      subject: refundId,
      agentId,
      ownerId: sale.ownerId,
      meta: { by: party },
    });
  });
  return get(ctx, refundId);
}

/** Locks the refund until `tx` ends. Throws the reason when it can no longer be approved. */
async function lockWaiting(tx: Tx, refundId: RefundId, time: Date): Promise<Refund> {
  const refund = await lockUnpaid(tx, refundId, time);
  if (refund.cancelledAt) throw refundErrors.REFUND_CANCELLED();
  return refund;
}

/** Like lockWaiting, but accepts a cancelled refund. Throws the reason when it can no longer be cancelled. */
async function lockUnpaid(tx: Tx, refundId: RefundId, time: Date): Promise<Refund> {
  const refund = await store.lock(tx, refundId);
  if (!refund) throw refundErrors.REFUND_NOT_FOUND();
  const transfer = await store.transferOf(tx, refund);
  const status = refundStatus(refund, transfer, time);
  if (status === "settled") throw refundErrors.REFUND_SETTLED();
  if (status === "failed") throw refundErrors.REFUND_FAILED();
  if (transfer) throw refundErrors.REFUND_APPROVED();
  if (status === "expired") throw refundErrors.REFUND_EXPIRED();
  return refund;
}

/** Throws REFUND_NOT_FOUND. */
export async function get(ctx: RefundContext, refundId: RefundId): Promise<RefundView> {
  const fullRefund = await store.find(ctx.db, partyOf(ctx), refundId);
  if (!fullRefund) throw refundErrors.REFUND_NOT_FOUND();
  const [view] = await viewsOf(ctx, [fullRefund]);
  if (!view) throw refundErrors.REFUND_NOT_FOUND();
  return view;
}

export type RefundList = { views: RefundView[]; next: number | null };

/** Newest first. `next`: the `before` of the next page. */
export async function list(
  ctx: RefundContext,
  { limit, ...page }: store.RefundPage & Pick<store.RefundFilter, "paymentId">,
): Promise<RefundList> {
  const rows = await store.list(ctx.db, partyOf(ctx), { ...page, limit: limit + 1 });
  const pageRows = rows.slice(0, limit);
  const next = rows.length > limit ? (pageRows.at(-1)?.refund.id ?? null) : null;
  return { views: await viewsOf(ctx, pageRows), next };
}

export const WAITING_MAX = 20;

/** Refunds that wait for the owner's approval, the newest of each agent first. */
export async function listWaiting(ctx: Ctx<Owner>): Promise<RefundView[]> {
  const rows = await store.list(ctx.db, partyOf(ctx), { waitingAt: ctx.now(), limit: WAITING_MAX });
  return viewsOf(ctx, rows);
}

/** The refunded sum of each payment; payments without a paid refund are missing. */
export const refundedOf = ({ db }: Pick<System, "db">, paymentIds: readonly number[]): Promise<Map<number, Usdc>> =>
  store.refundedOf(db, paymentIds);

type Paid = Pick<settlements.Settlement, "id" | "purpose">;

/** The sum of paid refunds of the sale that a settlement paid; zero if it paid none. */
export const sumRefunded = async ({ db }: Pick<System, "db">, { id, purpose }: Paid): Promise<Usdc> =>
  isSale(purpose) ? store.sumRefunded(db, id) : ZERO;

const SHOWN_MAX = 50;

/** `sumRefunded`, with the newest refund transfers that have settled or can still settle. */
export async function givenBackFor(system: Pick<System, "db">, settlement: Paid) {
  if (!isSale(settlement.purpose)) return { refunded: ZERO, transfers: [] };
  const [refunded, transfers] = await Promise.all([
    store.sumRefunded(system.db, settlement.id),
    store.transfersFor(system.db, settlement.id, SHOWN_MAX),
  ]);
  return { refunded, transfers };
}

const OF_LINK_MAX = 1_000;

/** The ids of refunds of a link's payments, to find their events in its history. */
export const idsOfLink = ({ db }: System, linkId: LinkId): Promise<RefundId[]> =>
  store.idsOfLink(db, linkId, OF_LINK_MAX);

/** The owner's sale filter; for the statuses settled and refunded it includes or excludes fully refunded sales. */
export async function filterOf(ctx: Ctx<Owner>, query: SaleQuery): Promise<SaleFilter> {
  const filter = saleFilterOf(query);
  if (query.status !== "refunded" && query.status !== "settled") return filter;
  const ids = await store.refundedIds(ctx.db, ctx.actor.ownerId);
  return query.status === "refunded" ? { ...filter, ids } : { ...filter, exceptIds: ids };
}

/** The API response for a page of received payments, with their refunded sums. */
export async function toReceivedPage(system: System, { rows, next }: ReceivedList) {
  const ids = rows.map(({ received }) => received.id);
  const refunded = await store.refundedOf(system.db, ids);
  return {
    success: true as const,
    payments: rows.map((row) => toReceivedView(row, system.config.baseUrl, refunded.get(row.received.id))),
    nextCursor: next === null ? null : String(next),
  };
}

/** Dashboard views of sales, with their refunded sums. */
export async function toSaleViews(system: System, sales: readonly Sale[]): Promise<SaleView[]> {
  const ids = sales.map(({ received }) => received.id);
  const refunded = await store.refundedOf(system.db, ids);
  return sales.map((sale) => toSaleView(sale, system.config.baseUrl, refunded.get(sale.received.id)));
}

/** Like toSaleViews, page by page. */
export async function* toSalePages(system: System, pages: AsyncGenerator<Sale[]>): AsyncGenerator<SaleView[]> {
  for await (const page of pages) yield toSaleViews(system, page);
}

/** Between which amounts a refund of a payment can be now; `most` is zero if there can be none. Throws PAYMENT_NOT_FOUND. */
export async function refundableOf(ctx: RefundContext, paymentId: number): Promise<{ most: Usdc; least: Usdc }> {
  const paidSale = await store.findSale(ctx.db, partyOf(ctx), paymentId);
  if (!paidSale) throw refundErrors.PAYMENT_NOT_FOUND();
  if (paidSale.paid.state !== "settled") return { most: ZERO, least: ZERO };
  return requestableOf(ctx.db, paymentId, paidSale.paid.amount, ctx.now());
}

/** Refunds are paid from the spending wallet of the owner who was paid, whatever address received the payment. */
async function viewsOf(system: System, rows: readonly store.FullRefund[]): Promise<RefundView[]> {
  const byOwner = new Map<OwnerId, Promise<wallets.SpendingWallets>>();
  return Promise.all(
    rows.map(async (row) => {
      const { ownerId } = row.sale;
      const spendingWallets = byOwner.get(ownerId) ?? wallets.ensureSpendingWallets(system, ownerId);
      byOwner.set(ownerId, spendingWallets);
      return { ...row, fromWallet: (await spendingWallets)[row.paid.network] };
    }),
  );
}

/**
 * Pays a refund from the owner's spending wallet to the payer. On return the transfer may still be under way or have failed.
 * A second call never pays again. Throws REFUND_NOT_FOUND, INSUFFICIENT_BALANCE, PAYMENT_NOT_SETTLED, PAYMENT_NOT_FINAL,
 * REFUND_EXCEEDS_PAYMENT, REFUND_BELOW_UNUSED, and the reason when it can no longer be approved.
 * Why: docs/decisions.md, 86.
 */
export async function approve(ctx: Ctx<Owner>, refundId: RefundId): Promise<RefundView> {
  const { refund, paid: payment, fromWallet } = await get(ctx, refundId);
  // Fails early, before anything is signed; the claim repeats this check.
  await ctx.db.transaction((tx) => lockWaiting(tx, refundId, ctx.now()));
  if (payment.state !== "settled") throw refundErrors.PAYMENT_NOT_SETTLED();
  // A reorganisation could revert the payment but not necessarily the refund, so the payment must be final first.
  if (!(await settlements.isFinal(ctx, payment))) throw refundErrors.PAYMENT_NOT_FINAL();
  await assertPayable(ctx, { payees: [payment.payer], site: null, wallet: fromWallet, isReturn: true });
  const purpose = { purpose: "refund", subject: refundId, agentId: refund.agentId } as const;
  const details = { resource: payment.resource, description: "Refund" };
  const sending = { ...purpose, ...details, to: payment.payer, amount: refund.amount };
  await wallets.send(ctx, fromWallet, sending, refundErrors.INSUFFICIENT_BALANCE);
  return get(ctx, refundId);
}

/** The balance of the wallet that pays the refund; null while the chain is unreachable. */
export const readWalletBalance = (system: System, { fromWallet }: RefundView): Promise<Usdc | null> =>
  wallets.heldBy(system, fromWallet.network, fromWallet.address);

/** Whether the payment bought a pass, which the refund ends. */
export const endsPass = async ({ db, now }: System, { refund }: RefundView): Promise<boolean> =>
  (await passes.refundBoundsOf(db, refund.paymentId, now())) !== null;

/** Approves a refund inside the transaction that claims its transfer, so that neither exists without the other. */
export const subscriber: Subscriber = {
  claimed: async (tx, proofs, time) => {
    for (const proof of proofs) if (proof.purpose === "refund") await approveClaimed(tx, proof, time);
  },
  ended: async (tx, { settlementId, purpose, subject, agentId, ownerId, end, amount, network, payee }, time) => {
    if (purpose !== "refund") return;
    const meta = { settlementId, amount: amount.toString(), network, payee };
    await record(tx, time, { type: `refund.${end}`, subject, agentId, ownerId, meta });
  },
};

/** Approves the refund that a proof pays. */
async function approveClaimed(tx: Tx, { subject, settlementId, agentId }: ClaimedProof, time: Date): Promise<void> {
  // The subject of a refund's settlement is the refund.
  const refundId = subject as RefundId;
  const { paymentId, amount, createdAt } = await lockWaiting(tx, refundId, time);
  await store.lockPayment(tx, paymentId);
  const { paid: paidAmount, ownerId } = await store.paidFor(tx, paymentId);
  // The payment's block may have been replaced since the refund was requested.
  if (paidAmount === null) throw refundErrors.PAYMENT_NOT_SETTLED();
  await passes.endByRefund(tx, paymentId, settlementId);
  // Check again: a refund that counted as expired when another was requested could be approved at that same moment, one that covered
  // the rest of a pass may be cancelled, and calls of the pass go on until here.
  const reserved = await store.sumLiveRefunds(tx, paymentId, refundId);
  const { most, least } = await boundsOf(tx, paymentId, { paidAmount, reserved, time: createdAt });
  if (amount > most) throw refundErrors.REFUND_EXCEEDS_PAYMENT({ refundable: most.toString() });
  if (amount < least) throw refundErrors.REFUND_BELOW_UNUSED({ leastAmount: least.toString() });
  await store.change(tx, refundId, { settlementId, approvedAt: time });
  await record(tx, time, { type: "refund.approved", subject: refundId, agentId, ownerId, meta: { settlementId } });
}

/** `net`: settled sales minus settled refunds. */
export type LinkRevenue = LinkSales & { refunded: Usdc; refunds: number; net: Usdc };

export async function revenueOfLink(ctx: Ctx<Owner>, linkId: LinkId): Promise<LinkRevenue> {
  // Refunds are read first: a refund that settles in between is counted next time, so `net` is never negative.
  const back = await ctx.readOld((db) => store.refundedAtLink(db, ctx.actor.ownerId, linkId));
  const sales = await salesOfLink(ctx, linkId);
  return { ...sales, ...back, net: subtract(sales.volume, back.refunded) };
}

export type RefundOutcome = { refundId: RefundId; outcome: RefundView | AppError };

/** Approves several refunds in order, each with its own outcome. Needs no signature, because a refund goes to the original payer. */
export async function approveTogether(ctx: Ctx<Owner>, ids: readonly RefundId[]): Promise<RefundOutcome[]> {
  const outcomes: RefundOutcome[] = [];
  for (const refundId of ids) outcomes.push({ refundId, outcome: await orRefusal(() => approve(ctx, refundId)) });
  return outcomes;
}
