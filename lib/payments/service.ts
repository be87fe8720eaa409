import { type Hex, toHex } from "viem";
import * as agents from "@/lib/agents/service";
import type { Address } from "@/lib/core/address";
import { type AgentId, type MandateId, newId, type PaymentId } from "@/lib/core/ids";
import { type Usdc, ZERO } from "@/lib/core/money";
import { cutPage, type Page } from "@/lib/core/page";
import { addSeconds, unixSeconds } from "@/lib/core/time";
import { balanceOf } from "@/lib/credits/service";
import { scanX402 } from "@/lib/firewall/service";
import * as mandateLists from "@/lib/mandates/lists";
import * as mandates from "@/lib/mandates/service";
import type { Agent, Ctx, Owner, System } from "@/lib/platform/context";
import { failpoint } from "@/lib/platform/failpoint";
import * as wallets from "@/lib/wallets/service";
import type { Authorization } from "@/lib/x402/authorization";
import { type Credits, toCredits } from "@/lib/x402/credits";
import { NETWORKS, type NetworkName } from "@/lib/x402/networks";
import { ask, legible, type RequestedV2 } from "./contract";
import { paymentErrors } from "./errors";
import {
  type Ask,
  asRequirement,
  authorizationFor,
  type CreditAsk,
  chooseOffer,
  type Order,
  orderOf,
  WINDOW_SECONDS_DEFAULT,
} from "./rules";
import * as store from "./store";
import type { PaymentStatus } from "./tables";

export { releaseExpired, subscriber } from "./jobs";
export type { Ask, Order } from "./rules";
export type { Payment, Reservation } from "./store";

type Payment = store.Payment;

export type Signed = { paymentId: PaymentId; network: NetworkName; authorization: Authorization; signature: Hex };

// Signing

/** Signs what the agent asks for, out of a mandate's budget. Throws what is wrong with the ask or refuses the charge. */
export async function sign(ctx: Ctx<Agent>, mandateId: MandateId, asked: Ask): Promise<Signed> {
  const order = orderFor(asked);
  const { paymentId, wallet, authorization } = await reserve(ctx, mandateId, order, async () =>
    assertUnsuspicious(ctx, asked),
  );
  return signed(ctx, order, paymentId, wallet, authorization);
}

/** What an ask comes to. Throws what is wrong with it. */
export function orderFor(asked: Ask): Order {
  const order = orderOf(asked);
  if (typeof order === "string") throw paymentErrors[order]();
  return order;
}

/**
 * Signs an order out of `wallet`, without a mandate, if `reservationOf` its payment takes effect; null when it does not
 * and nothing was written. Both happen in one statement.
 */
export async function signOrder(
  ctx: Ctx<Agent>,
  order: Order,
  wallet: wallets.Wallet,
  reservationOf: (paymentId: PaymentId) => store.Reservation,
): Promise<Signed | null> {
  const draft = draftOf(ctx, order);
  const isWritten = await store.insertReserved(ctx.db, reservationOf(draft.paymentId), draft.paidFrom(wallet));
  if (!isWritten) return null;
  await failpoint("payment.reserved");
  return signed(ctx, order, draft.paymentId, wallet, draft.authorizationOf(wallet.address));
}

/** Signs the first offer that the mandate can pay, and tells which it was. */
export async function signOffer(
  ctx: Ctx<Agent>,
  mandateId: MandateId,
  request: RequestedV2,
): Promise<Signed & { accepted: unknown }> {
  const mandate = await mandates.getForAgent(ctx, mandateId);
  const chosen = chooseOffer(request.accepts, mandate.network);
  if (typeof chosen === "string") throw paymentErrors[chosen]();
  const { offer, index } = chosen;
  const asked = ask.safeParse({
    network: offer.network,
    amount: offer.amount,
    assetAddress: offer.asset,
    payTo: offer.payTo,
    resource: request.resource.url,
    description: legible(request.resource.description ?? ""),
    tokenName: offer.extra?.name,
    tokenVersion: offer.extra?.version,
    validityWindowSeconds: offer.maxTimeoutSeconds ?? WINDOW_SECONDS_DEFAULT,
  });
  if (!asked.success) {
    const [issue] = asked.error.issues;
    throw paymentErrors.invalid_request({ message: `accepts.${index}.${issue?.path.join(".")}: ${issue?.message}` });
  }
  return { ...(await sign(ctx, mandateId, asked.data)), accepted: request.accepts[index] };
}

/** Scans what would be paid when the owner wants that. Throws firewall_blocked, with what the scan found. */
export function assertUnsuspicious({ actor, config }: Ctx<Agent>, asked: Ask | CreditAsk): void {
  if (actor.paymentScan === "off") return;
  const paymentRequired = asRequirement(asked, config.baseUrl);
  const { verdict, riskScore, findings, rulesetVersion } = scanX402({ paymentRequired });
  const isRefused = verdict === "block" || (verdict === "review" && actor.paymentScan === "review");
  if (isRefused) throw paymentErrors.firewall_blocked({ verdict, riskScore, findings, rulesetVersion });
}

const signed = (
  ctx: Ctx<Agent>,
  { network }: Order,
  paymentId: PaymentId,
  wallet: wallets.Wallet,
  authorization: Authorization,
): Signed => ({ paymentId, network, authorization, signature: wallets.signTransfer(ctx, wallet, authorization) });

type Reserved = { paymentId: PaymentId; at: Date; wallet: wallets.Wallet; authorization: Authorization };

/**
 * Takes the order from the mandate's budget and writes its payment down. `assertPayable` is asked once nothing of the
 * mandate refuses the order. Throws what does.
 */
export async function reserve(
  ctx: Ctx<Agent>,
  mandateId: MandateId,
  order: Order & { service?: string },
  assertPayable: () => Promise<void>,
): Promise<Reserved> {
  const draft = draftOf(ctx, order);
  const wallet = await mandates.reserve(ctx, mandateId, order, async (payer, reservation) => {
    await assertPayable();
    return store.insertReserved(ctx.db, reservation, draft.paidFrom(payer));
  });
  // From here a crash loses only the proof: the reservation comes back once the chain is past validBefore.
  await failpoint("payment.reserved");
  const { paymentId, at, authorizationOf } = draft;
  return { paymentId, at, wallet, authorization: authorizationOf(wallet.address) };
}

/** A payment of `order` that is not written yet, for whichever wallet is to pay it. */
function draftOf(ctx: Ctx<Agent>, order: Order & { service?: string }) {
  const at = ctx.now();
  const paymentId = newId("payment");
  const nonce = toHex(crypto.getRandomValues(new Uint8Array(32)));
  const authorizationOf = (from: Address) => authorizationFor(order, from, nonce, unixSeconds(at));
  const paidFrom = (payer: wallets.Wallet): store.NewPayment => {
    const { validAfter, validBefore } = authorizationOf(payer.address);
    return {
      id: paymentId,
      agentId: ctx.actor.agentId,
      walletId: payer.id,
      network: order.network,
      asset: NETWORKS[order.network].usdc,
      payer: payer.address,
      payee: order.payTo,
      creditPayee: order.service ?? null,
      amount: order.amount,
      nonce,
      validAfter,
      validBefore,
      host: order.host,
      resource: order.resource,
      description: order.description,
      createdAt: at,
    };
  };
  return { paymentId, at, authorizationOf, paidFrom };
}

// Reading

export type PaymentPage = { payments: Payment[]; next: store.Cursor | null };

/** Newest first. */
export async function listForAgent(ctx: Ctx<Agent>, page: store.Page): Promise<PaymentPage> {
  return pageOf(await store.listForAgent(ctx.db, ctx.actor.agentId, oneMore(page)), page.limit);
}

/** Newest first: what was signed from the owner's mandates, or from one of them. */
export async function listForOwner(
  ctx: Ctx<Owner>,
  page: store.Page & { mandateId: MandateId | undefined },
): Promise<PaymentPage> {
  return pageOf(await store.listForOwner(ctx.db, ctx.actor.ownerId, oneMore(page)), page.limit);
}

/** Null when there is none. Whoever asks has to know that it is theirs to see. */
export const paymentById = ({ db }: System, id: PaymentId): Promise<Payment | null> => store.find(db, id);

/** Throws payment_not_found. */
export async function getForAgent(ctx: Ctx<Agent>, id: PaymentId): Promise<Payment> {
  const payment = await store.findForAgent(ctx.db, ctx.actor.agentId, id);
  if (!payment) throw paymentErrors.payment_not_found();
  return payment;
}

const oneMore = <P extends store.Page>(page: P): P => ({ ...page, limit: page.limit + 1 });

function pageOf(rows: Payment[], limit: number): PaymentPage {
  const payments = rows.slice(0, limit);
  return { payments, next: rows.length > limit ? (payments.at(-1) ?? null) : null };
}

export type SelfStatus = {
  agent: { id: AgentId; name: string; isAuthorized: boolean };
  walletAddress: Address | null;
  ownerAddress: Address | null;
  balance: Usdc;
  credits: Credits;
  mandates: { open: number; total: number; items: mandates.Mandate[] };
  recent: PaymentPage;
};

const STATUS_MANDATES_MAX = 50;

/** All an agent needs to know of itself in one reading. Throws ChainUnavailable. */
export async function statusOfSelf(ctx: Ctx<Agent>, network: NetworkName, paymentsMax: number): Promise<SelfStatus> {
  const { agentId, ownerId } = ctx.actor;
  const [agent, wallet, ownerAddress, credits, first, counts, recent] = await Promise.all([
    agents.agentById(ctx.db, agentId),
    ownerId ? wallets.spendingWallet(ctx, ownerId, network) : null,
    agents.ownerAddressOf(ctx.db, agentId),
    ownerId ? balanceOf(ctx.db, ownerId) : toCredits(0n),
    mandateLists.listForAgent(ctx, { limit: STATUS_MANDATES_MAX }),
    mandateLists.countForAgent(ctx),
    listForAgent(ctx, { limit: paymentsMax, cursor: undefined }),
  ]);
  const [balance = ZERO] = wallet ? await ctx.chains[network].balances([wallet.address]) : [];
  return {
    agent: { id: agentId, name: agent?.name ?? "", isAuthorized: ownerId !== null },
    walletAddress: wallet?.address ?? null,
    ownerAddress,
    balance,
    credits,
    mandates: { ...counts, items: first.rows },
    recent,
  };
}

// What an owner's dashboard shows

export type { Made, Slice, Spent } from "./store";

/** Newest first: what the owner's agents paid. */
export async function listMade(
  ctx: Ctx<Owner>,
  slice: store.Slice & { statuses?: readonly PaymentStatus[] | undefined },
): Promise<Page<store.Made>> {
  const rows = await store.listMade(ctx.db, ctx.actor.ownerId, { ...slice, limit: slice.limit + 1 });
  return cutPage(rows, slice.limit, (row) => row.payment.createdAt);
}

type SettledKind = "deposit" | "withdrawal" | "refund" | "payout" | "credits" | "received";

export type Movement =
  | { kind: SettledKind; at: Date; settlement: store.SettlementRow }
  | { kind: "made"; at: Date; made: store.Made };

/** What comes in from others was received, whatever it is to them: a refund or payout leaves one of our wallets, and may come into another. */
function movementOf({ purpose, payer }: store.SettlementRow, own: readonly Address[]): SettledKind {
  if (purpose === "deposit" || purpose === "withdrawal" || purpose === "credits") return purpose;
  const isSent = purpose === "refund" || purpose === "payout";
  return isSent && own.includes(payer) ? purpose : "received";
}

const MOVING = ["signed", "submitted", "settled"] as const;

/** Newest first: everything that moved or may still move money of the owner's spending wallets. */
export async function walletHistory(
  ctx: Ctx<Owner>,
  { before, limit }: { before?: Date | undefined; limit: number },
): Promise<Page<Movement>> {
  const { ownerId } = ctx.actor;
  const own = Object.values(await wallets.ensureSpendingWallets(ctx, ownerId)).map((wallet) => wallet.address);
  const slice = { before, limit: limit + 1 };
  const [settlements, made] = await Promise.all([
    store.listWalletSettlements(ctx.db, own, slice),
    store.listMade(ctx.db, ownerId, { ...slice, statuses: MOVING }),
  ]);
  const rows: Movement[] = [
    ...settlements.map((settlement) => ({
      kind: movementOf(settlement, own),
      at: settlement.createdAt,
      settlement,
    })),
    ...made.map((row) => ({ kind: "made" as const, at: row.payment.createdAt, made: row })),
  ];
  rows.sort((a, b) => b.at.getTime() - a.at.getTime());
  return cutPage(rows, limit, (row) => row.at);
}

const DAY_SECONDS = 86_400;
const MONTH_DAYS = 30;

/** What the owner's agents spent in the last 24 hours and the last 30 days, per network on which they did. */
export function spent(ctx: Ctx<Owner>): Promise<store.Spent[]> {
  const now = ctx.now();
  const since = { day: addSeconds(now, -DAY_SECONDS), month: addSeconds(now, -DAY_SECONDS * MONTH_DAYS) };
  return store.sumSpent(ctx.db, ctx.actor.ownerId, since);
}

/** What agents of the owner have signed on `network` and has not ended, under mandates and outside of them. */
export const pendingOn = (ctx: Ctx<Owner>, network: NetworkName): Promise<Usdc> =>
  store.sumOpen(ctx.db, ctx.actor.ownerId, network);
