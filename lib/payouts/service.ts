import { createHash } from "node:crypto";
import { agentErrors } from "@/lib/agents/errors";
import * as agents from "@/lib/agents/service";
import { type Action, isSignatureRequired } from "@/lib/confirmations/service";
import { AppError } from "@/lib/core/errors";
import { newId, type OwnerId, type PayoutId } from "@/lib/core/ids";
import { subtract, type Usdc } from "@/lib/core/money";
import { cutAfter, type PlacedPage } from "@/lib/core/page";
import { edgeErrors } from "@/lib/http/errors";
import { mandateErrors } from "@/lib/mandates/errors";
import * as mandates from "@/lib/mandates/service";
import { paymentErrors } from "@/lib/payments/errors";
import type { Agent, Ctx, Owner, System } from "@/lib/platform/context";
import type { Tx } from "@/lib/platform/db";
import { record } from "@/lib/platform/events";
import { takeTurn } from "@/lib/platform/limiter";
import { type KeyFor, keysFor } from "@/lib/platform/secrets";
import type { Transfer } from "@/lib/platform/subscriber";
import { visitorOf } from "@/lib/platform/visit";
import { settlementErrors } from "@/lib/settlements/errors";
import { type Claim, claimTogether, pastTransfers } from "@/lib/settlements/service";
import * as wallets from "@/lib/wallets/service";
import { type NetworkName, networkNamed } from "@/lib/x402/networks";
import { type Consent, consented, type Row, recipientsOf } from "./consent";
import type { AgentsAsk, OwnersAsk } from "./contract";
import { payoutErrors } from "./errors";
import { assertRecipients } from "./recipients";
import { approvableUntil, PAYOUT_HOST, type Payout, payoutEvent, type SplitLeg, statusOf } from "./rules";
import * as store from "./store";

export { finishEnded, releaseExpired, subscriber } from "./jobs";
export type { FullLeg, MadePayout } from "./store";

/** A payout, what became of its legs, and how far its chain has been read. */
export type PayoutView = store.MadePayout & { legs: store.FullLeg[]; readTo: bigint | null };
export type Made = { view: PayoutView; isNew: boolean };

type Order = {
  payoutId: string | undefined;
  network: NetworkName;
  amount: Usdc;
  legs: readonly SplitLeg[];
  mandateId: AgentsAsk["mandateId"];
  bizId: string | undefined;
  description: string;
};

// Making one

/**
 * Makes a payout for an agent: its legs are claimed at once under a mandate, or it waits for the owner. Made before with
 * the same body, it is answered as it stands. Throws what is wrong with the ask or refuses it, payout_conflict,
 * duplicate_biz_id, insufficient_balance, SETTLEMENT_UNKNOWN (the same call again finds out).
 */
export async function create(ctx: Ctx<Agent>, { agentId, ...asked }: AgentsAsk): Promise<Made> {
  if (agentId !== undefined && agentId !== ctx.actor.agentId) throw payoutErrors.agent_mismatch();
  const maker = { agentId: ctx.actor.agentId, ownerId: ctx.actor.ownerId };
  const order = orderOf(asked);
  const made = await madeBefore(ctx, maker, order);
  if (made) return made;
  const retryAfterSeconds = await takeTurn(ctx, "payout_per_agent", maker.agentId);
  if (retryAfterSeconds !== null) throw edgeErrors.rate_limited({ retryAfterSeconds });
  await assertRecipients(ctx, order, maker.ownerId);
  return once(ctx, maker, order, (id) =>
    order.mandateId === undefined ? write(ctx, maker, order, id) : chargeMandate(ctx, order.mandateId, order, id),
  );
}

/**
 * The same for the signed-in owner: approved at once, or left for later. Again with `isApproved` approves it. Throws
 * signature_required where paying it takes one.
 */
export async function createOwned(
  ctx: Ctx<Owner>,
  asked: OwnersAsk,
  isApproved: boolean,
  consent: Consent,
): Promise<Made> {
  const { ownerId } = ctx.actor;
  const maker = { agentId: null, ownerId };
  const order = orderOf({ ...asked, mandateId: undefined });
  const made = await madeBefore(ctx, maker, order);
  if (made) return isApproved ? { ...made, view: await approve(ctx, made.view.payout.id, consent) } : made;
  const retryAfterSeconds = await takeTurn(ctx, "payout_per_owner", ownerId);
  if (retryAfterSeconds !== null) throw edgeErrors.rate_limited({ retryAfterSeconds });
  await assertRecipients(ctx, order, ownerId);
  if (!isApproved) return once(ctx, maker, order, (id) => write(ctx, maker, order, id));
  const wallet = await wallets.spendingWallet(ctx, ownerId, order.network);
  return consented(ctx, consent, { ...order, action: () => newPayout(order) }, (use) =>
    once(ctx, maker, order, (id) =>
      claimLegs(ctx, wallet, { ...order, id, agentId: null }, async (tx, ids, at) => {
        // Before the signature is used: the same call at the same time finds this payout and needs none.
        await insert(tx, maker, order, { id, at, walletId: wallet.id, settlementIds: ids });
        await use(tx);
      }),
    ),
  ).catch(async (thrown: unknown) => {
    // Its signature was used for this same payout, a moment earlier.
    const before = isSignatureRequired(thrown) ? await madeBefore(ctx, maker, order) : null;
    if (before?.view.payout.approvedAt) return before;
    throw thrown;
  });
}

const newPayout = (order: Order): Action => ({
  ...{ type: "NewPayout", payoutId: order.payoutId ?? "", network: order.network },
  ...{ recipients: recipientsOf(order.legs), total: order.amount, contents: fingerprintOf(order) },
});

/** A row of an owner's file as it would be paid, and whether it was approved before. Throws what is wrong with it. */
export async function previewOwned(ctx: Ctx<Owner>, asked: OwnersAsk): Promise<{ row: Row; isApproved: boolean }> {
  const order = orderOf({ ...asked, mandateId: undefined });
  const made = await madeBefore(ctx, { agentId: null, ownerId: ctx.actor.ownerId }, order);
  return { row: { ...order, contents: fingerprintOf(order) }, isApproved: made?.view.payout.approvedAt != null };
}

function orderOf(asked: Omit<AgentsAsk, "agentId">): Order {
  const network = networkNamed(asked.network);
  if (!network) throw paymentErrors.unsupported_network();
  if (asked.currency !== "USDC") throw paymentErrors.currency_mismatch();
  if (asked.assetAddress !== undefined && asked.assetAddress.toLowerCase() !== network.usdc.toLowerCase()) {
    throw paymentErrors.unsupported_asset();
  }
  const { payoutId, amount, legs, mandateId, bizId, description } = asked;
  return { payoutId, network: network.name, amount, legs, mandateId, bizId, description };
}

const fingerprintOf = ({ network, legs, mandateId, bizId, description }: Order): string =>
  createHash("sha256")
    .update(
      JSON.stringify([
        network,
        legs.map((leg) => [leg.toAddress, leg.amount.toString(), leg.shareBps]),
        mandateId ?? null,
        bizId ?? null,
        description,
      ]),
    )
    .digest("hex");

/** Throws payout_conflict when it was made with another body. */
async function madeBefore(system: System, maker: store.Maker, order: Order): Promise<Made | null> {
  const found = order.payoutId === undefined ? null : await store.findByName(system.db, maker, order.payoutId);
  if (!found) return null;
  if (found.fingerprint !== fingerprintOf(order)) throw payoutErrors.payout_conflict();
  return { view: await getById(system, found.id), isNew: false };
}

/** Makes it by `make`, unless somebody else has made it since it was looked for. */
async function once(
  system: System,
  maker: store.Maker,
  order: Order,
  make: (id: PayoutId) => Promise<void>,
): Promise<Made> {
  const id = newId("payout");
  try {
    await make(id);
  } catch (thrown) {
    const isMade = hasCode(thrown, "payout_conflict") || hasCode(thrown, "PAYMENT_ALREADY_USED");
    const made = isMade && (await madeBefore(system, maker, order));
    if (made) return made;
    if (!hasCode(thrown, "SETTLEMENT_UNKNOWN")) throw thrown;
    throw settlementErrors.SETTLEMENT_UNKNOWN({ payoutId: order.payoutId ?? id, message: ASK_AGAIN }, thrown);
  }
  return { view: await getById(system, id), isNew: true };
}

const ASK_AGAIN =
  "It is not known whether this payout was taken. Send the same body with this payoutId again, and a new Idempotency-Key if you use one: it finds the payout or makes it, once";

const hasCode = (thrown: unknown, code: string): boolean => AppError.is(thrown) && thrown.code === code;

const write = (system: System, maker: store.Maker, order: Order, id: PayoutId): Promise<void> =>
  system.db.transaction((tx) => insert(tx, maker, order, { id, at: system.now() }));

type SettlementIds = Parameters<typeof store.claimLegs>[2];
type Approved = { walletId?: wallets.Wallet["id"]; settlementIds?: SettlementIds };

/** Writes it down, approved when its legs have their settlements. Throws payout_conflict, duplicate_biz_id. */
async function insert(
  tx: Tx,
  maker: store.Maker,
  order: Order,
  { id, at, walletId, settlementIds }: Approved & { id: PayoutId; at: Date },
): Promise<void> {
  const { payoutId = id, network, amount, mandateId, bizId, description } = order;
  await store.lockMaker(tx, maker);
  if (await store.findByName(tx, maker, payoutId)) throw payoutErrors.payout_conflict();
  const other = bizId === undefined ? null : await store.findAlive(tx, maker, bizId, at);
  if (other) throw payoutErrors.duplicate_biz_id({ payoutId: other.payoutId });
  const row = {
    ...maker,
    ...{ id, payoutId, network, amount, description },
    mandateId: mandateId ?? null,
    bizId: bizId ?? null,
    fingerprint: fingerprintOf(order),
    walletId: walletId ?? null,
    createdAt: at,
    expiresAt: approvableUntil(at, maker.agentId === null ? "owner" : "agent"),
    approvedAt: walletId ? at : null,
  };
  const legs = order.legs.map((leg, index) => ({ ...leg, settlementId: settlementIds?.[index] ?? null }));
  await store.insert(tx, row, legs);
  const happened = walletId ? (["payout.created", "payout.approved"] as const) : (["payout.created"] as const);
  await record(tx, at, ...happened.map((type) => payoutEvent(type, row)));
}

/** Reserves the whole in the mandate's budget, claims the legs and writes the payout down, together or not at all. */
async function chargeMandate(
  ctx: Ctx<Agent>,
  mandateId: NonNullable<Order["mandateId"]>,
  order: Order,
  id: PayoutId,
): Promise<void> {
  const { agentId, ownerId } = ctx.actor;
  const charge = { network: order.network, amount: order.amount, host: PAYOUT_HOST, defaultPort: "" };
  await mandates.reserve(ctx, mandateId, charge, async (wallet, reservation) => {
    try {
      await claimLegs(ctx, wallet, { ...order, id, agentId }, async (tx, settlementIds, at) => {
        await insert(tx, { agentId, ownerId }, order, { id, at, walletId: wallet.id, settlementIds });
        if (!(await store.reserve(tx, reservation))) throw mandateErrors.mandate_changed();
      });
      return true;
    } catch (thrown) {
      // The guard failed and everything was rolled back: the rules look at the mandate as it is now.
      if (hasCode(thrown, "mandate_changed")) return false;
      throw thrown;
    }
  });
}

type Claimed = Pick<Order, "amount" | "legs"> & {
  id: PayoutId;
  payoutId?: string | undefined;
  agentId: Payout["agentId"];
};

/**
 * Claims every leg out of `wallet` and writes `alongside` with them. A payout of this name that the chain shows as paid, and a
 * restored database has forgotten, is recorded as paid. Throws insufficient_balance, payout_conflict when something else was
 * paid under this name, SETTLEMENT_UNKNOWN, and PAYMENT_ALREADY_USED when it was made at the same moment.
 */
async function claimLegs(
  system: System,
  wallet: wallets.Wallet,
  { id, payoutId = id, agentId, amount, legs }: Claimed,
  alongside: (tx: Tx, settlementIds: SettlementIds, at: Date) => Promise<void>,
): Promise<void> {
  const purpose = { purpose: "payout", subject: id, resource: "", description: "Payout" } as const;
  const signed = legs.map(({ toAddress: to, amount }, index) => {
    const nonce = wallets.nonceNamed(system, wallet, ["payout", agentId ?? "owner", payoutId, index]);
    return wallets.signedClaim(system, wallet, { ...purpose, agentId: agentId ?? undefined, to, amount, nonce });
  });
  const past = await paidBefore(system, wallet, signed);
  const [first, ...rest] = signed.map((claim, index) => ({ ...claim, past: past?.[index] }));
  if (!first) throw new Error("a payout without legs");
  // Asked for first: what settles after that is gone from what is reserved later on, and still in the balance read here.
  const reservedBefore = await store.sumReserved(system.db, wallet, id);
  const held = await wallets.held(system, wallet);
  const assertHeld = (reserved: Usdc) => {
    if (past === null && subtract(held, reserved) < amount) {
      throw payoutErrors.insufficient_balance({ balance: held.toString(), reserved: reserved.toString() });
    }
  };
  assertHeld(reservedBefore);
  await claimTogether(system, [first, ...rest], async (tx, settlementIds) => {
    const at = system.now();
    await alongside(tx, settlementIds, at);
    await store.lockWallet(tx, wallet.id);
    assertHeld(await store.sumReserved(tx, wallet, id));
  });
}

/** The transfers that have paid all legs already; null when none was paid. Throws payout_conflict for anything else. */
async function paidBefore(
  system: System,
  { network, address: payer }: wallets.Wallet,
  legs: readonly Claim[],
): Promise<Transfer[] | null> {
  const keys = legs.map(({ authorization: { nonce } }) => ({ payer, nonce }));
  const found = await pastTransfers(system, network, keys);
  if (found.every((transfer) => transfer === null)) return null;
  return found.map((transfer, index) => {
    const { to, value } = legs[index]?.authorization ?? {};
    const isPaid = transfer !== null && transfer !== "none" && transfer.to === to && transfer.value === value;
    if (!isPaid) throw payoutErrors.payout_conflict({ message: OTHERWISE_PAID });
    return transfer;
  });
}

const OTHERWISE_PAID =
  "Something else was paid under this payoutId before, which this service has no record of. Use another payoutId for another payout";

// Deciding on one

/** Makes the agent that made it the signed-in owner's, by the token of the approvalUrl. Throws agent_linked_elsewhere. */
export async function claim(ctx: Ctx<Owner>, id: PayoutId, token: string | undefined): Promise<PayoutView> {
  const { ownerId } = ctx.actor;
  const made = await findEntitled(ctx, id, token);
  if (made.ownerId === ownerId) return viewOf(ctx, made);
  const { agentId } = made.payout;
  if (made.ownerId !== null || agentId === null) throw agentErrors.agent_linked_elsewhere();
  assertOpen(made.payout, ctx.now());
  await ctx.db.transaction(async (tx) => {
    const at = ctx.now();
    const payout = await store.lock(tx, id);
    if (!payout) throw payoutErrors.payout_not_found();
    assertOpen(payout, at);
    await agents.linkAgent(tx, agentId, ownerId, at);
    await store.change(tx, id, { ownerId });
  });
  return getById(ctx, id);
}

/**
 * Claims all legs of a payout out of the owner's spending wallet: it is paid once however often this is called. Throws
 * invalid_recipient, insufficient_balance, signature_required, SETTLEMENT_UNKNOWN (again finds out), and why it is closed.
 */
export async function approve(ctx: Ctx<Owner>, id: PayoutId, consent: Consent): Promise<PayoutView> {
  const { ownerId } = ctx.actor;
  const made = await findOwn(ctx, id);
  const { payout } = made;
  if (payout.approvedAt) return viewOf(ctx, made);
  assertOpen(payout, ctx.now());
  const legs = ((await store.legsOf(ctx.db, [id])).get(id) ?? []).map(({ leg }) => leg);
  await assertRecipients(ctx, { network: payout.network, legs }, ownerId);
  const wallet = await wallets.spendingWallet(ctx, ownerId, payout.network);
  try {
    await consented(ctx, consent, { ...payout, legs, action: () => approval(payout, legs) }, (use) =>
      claimLegs(ctx, wallet, { ...payout, legs }, async (tx, settlementIds, at) => {
        const locked = await store.lock(tx, id);
        if (!locked) throw payoutErrors.payout_not_found();
        assertOpen(locked, at);
        await use(tx);
        await store.change(tx, id, { ownerId, walletId: wallet.id, approvedAt: at });
        // It has unlinked itself since it was read.
        if (payout.agentId && !(await agents.bind(tx, payout.agentId, ownerId, at)))
          throw payoutErrors.payout_not_found();
        await store.claimLegs(tx, id, settlementIds);
        await record(tx, at, payoutEvent("payout.approved", { ...locked, ownerId }));
      }),
    );
  } catch (thrown) {
    // Approved by the same call, a moment earlier.
    const mayBe = isSignatureRequired(thrown) || hasCode(thrown, "PAYMENT_ALREADY_USED");
    const now = mayBe ? await getById(ctx, id) : null;
    if (!now?.payout.approvedAt && !hasCode(thrown, "payout_approved")) throw thrown;
  }
  return getById(ctx, id);
}

const approval = (payout: Payout, legs: readonly SplitLeg[]): Action => ({
  ...{ type: "PayoutApproval", payoutRecordId: payout.id, payoutId: payout.payoutId, network: payout.network },
  ...{ requestedBy: payout.agentId ?? "", recipients: recipientsOf(legs), total: payout.amount },
  contents: payout.fingerprint,
});

/**
 * Says no to what an agent asks for. For an agent without an owner it takes the token, and the agent stays unlinked. Again is
 * fine. Throws agent_linked_elsewhere, and why it is too late.
 */
export async function deny(ctx: Ctx<Owner>, id: PayoutId, token: string | undefined): Promise<PayoutView> {
  const made = await findEntitled(ctx, id, token);
  if (made.ownerId !== null && made.ownerId !== ctx.actor.ownerId) throw agentErrors.agent_linked_elsewhere();
  return close(ctx, made, "denied", ctx.actor.ownerId);
}

/** Takes back a payout that nobody approved yet. Again is fine. Throws payout_not_found, and why it is too late. */
export async function cancel(ctx: Ctx<Owner>, id: PayoutId): Promise<PayoutView> {
  return close(ctx, await findOwn(ctx, id), "cancelled", ctx.actor.ownerId);
}

/** The same for the agent that made it, by its own name for it. */
export async function cancelForAgent(ctx: Ctx<Agent>, payoutId: string): Promise<PayoutView> {
  const made = await store.findForAgent(ctx.db, ctx.actor.agentId, payoutId);
  if (!made) throw payoutErrors.payout_not_found();
  return close(ctx, made, "cancelled", made.ownerId);
}

const CLOSED_AT = { denied: "deniedAt", cancelled: "cancelledAt" } as const;

async function close(
  system: System,
  { payout: { id } }: store.MadePayout,
  how: keyof typeof CLOSED_AT,
  ownerId: OwnerId | null,
): Promise<PayoutView> {
  await system.db.transaction(async (tx) => {
    const at = system.now();
    const payout = await store.lock(tx, id);
    if (!payout) throw payoutErrors.payout_not_found();
    if (payout[CLOSED_AT[how]]) return;
    assertOpen(payout, at);
    await store.change(tx, id, { [CLOSED_AT[how]]: at });
    await record(tx, at, payoutEvent(`payout.${how}`, { ...payout, ownerId: payout.ownerId ?? ownerId }));
  });
  return getById(system, id);
}

/** Throws why nothing is decided on it any more. */
function assertOpen(payout: Payout, now: Date): void {
  const status = statusOf(payout, [], now);
  switch (status) {
    case "pending_authorization":
      return;
    case "expired":
      throw payoutErrors.payout_expired();
    case "denied":
      throw payoutErrors.payout_denied();
    case "cancelled":
      throw payoutErrors.payout_cancelled();
    case "authorized":
    case "processing":
    case "succeeded":
    case "failed":
      throw payoutErrors.payout_approved();
    default:
      status satisfies never;
  }
}

// Reading

/** Throws payout_not_found. */
export async function getForAgent(ctx: Ctx<Agent>, payoutId: string): Promise<PayoutView> {
  const made = await store.findForAgent(ctx.db, ctx.actor.agentId, payoutId);
  if (!made) throw payoutErrors.payout_not_found();
  return viewOf(ctx, made);
}

/** For whoever knows no more than a name: several payouts of that name are none. Throws payout_not_found. */
export async function getOnly(system: System, payoutId: string): Promise<PayoutView> {
  const made = await store.findOnly(system.db, payoutId);
  if (!made) throw payoutErrors.payout_not_found();
  return viewOf(system, made);
}

export type PayoutPage = PlacedPage<PayoutView>;

/** Newest first. */
export async function listForAgent(
  ctx: Ctx<Agent>,
  filter: Pick<store.Filter, "status" | "network" | "bizId">,
  { after, limit }: Omit<store.Slice, "now">,
): Promise<PayoutPage> {
  const slice = { now: ctx.now(), after, limit: limit + 1 };
  return pageOf(ctx, await store.listForAgent(ctx.db, ctx.actor.agentId, filter, slice), limit);
}

/** The first `limit` of what was read, of which there is one more when the list goes on. */
export async function pageOf(system: System, made: readonly store.MadePayout[], limit: number): Promise<PayoutPage> {
  const { rows, next } = cutAfter(made, limit, ({ payout }) => ({ at: payout.createdAt, id: payout.id }));
  return { rows: await viewsOf(system, rows), next };
}

async function viewsOf({ db }: System, made: readonly store.MadePayout[]): Promise<PayoutView[]> {
  const ids = made.map(({ payout }) => payout.id);
  const [legs, readTo] = await Promise.all([store.legsOf(db, ids), store.readTo(db)]);
  return made.map((row) => ({
    ...row,
    legs: legs.get(row.payout.id) ?? [],
    readTo: readTo.get(row.payout.network) ?? null,
  }));
}

export async function viewOf(system: System, made: store.MadePayout): Promise<PayoutView> {
  const [view] = await viewsOf(system, [made]);
  if (!view) throw payoutErrors.payout_not_found();
  return view;
}

async function getById(system: System, id: PayoutId): Promise<PayoutView> {
  const made = await store.find(system.db, id);
  if (!made) throw payoutErrors.payout_not_found();
  return viewOf(system, made);
}

// Who may

/** What the approvalUrl of each payout carries: an agent that asks again gets the same address. */
export const tokens = (system: System): Promise<KeyFor> => keysFor(system, "who may decide on a payout");

/** For whoever brings the token of the approvalUrl, and for the owner of the payout. Throws payout_not_found. */
export async function findEntitled(ctx: Ctx, id: PayoutId, token: string | undefined): Promise<store.MadePayout> {
  const made = await store.find(ctx.db, id);
  const isToken =
    made !== null && made.payout.agentId !== null && token !== undefined && isSame(token, (await tokens(ctx))(id));
  if (!made || !(isToken || visitorOf(ctx.actor, made.ownerId) === "owner")) throw payoutErrors.payout_not_found();
  return made;
}

/** Throws payout_not_found. */
export async function findOwn(ctx: Ctx<Owner>, id: PayoutId): Promise<store.MadePayout> {
  const made = await store.find(ctx.db, id);
  if (!made || made.ownerId !== ctx.actor.ownerId) throw payoutErrors.payout_not_found();
  return made;
}

/** Compared by their hashes, which are of one length and tell nothing of the token by the time it takes. */
const isSame = (a: string, b: string): boolean => hashOf(a) === hashOf(b);
const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");
