import { createHash } from "node:crypto";
import { type Hex, hashTypedData } from "viem";
import { agentErrors } from "@/lib/agents/errors";
import * as agents from "@/lib/agents/service";
import type { Address } from "@/lib/core/address";
import { entriesFor } from "@/lib/core/host";
import { type AgentId, type MandateId, newId, type OwnerId, randomText } from "@/lib/core/ids";
import type { Usdc } from "@/lib/core/money";
import { addSeconds, fromUnixSeconds, unixSeconds } from "@/lib/core/time";
import { edgeErrors } from "@/lib/http/errors";
import { isSignatureOf } from "@/lib/owners/service";
import type { Actor, Agent, Ctx, Owner, System } from "@/lib/platform/context";
import type { Queryable, Tx } from "@/lib/platform/db";
import { record } from "@/lib/platform/events";
import { takeTurn } from "@/lib/platform/limiter";
import * as wallets from "@/lib/wallets/service";
import { type NetworkName, networkNamed } from "@/lib/x402/networks";
import type { Intent } from "./contract";
import { mandateErrors } from "./errors";
import { type OwnedMandate, presentOwned } from "./lists";
import { authorizationUrl, explain } from "./responses";
import {
  type Charge,
  closing,
  type Move,
  moved,
  type Narrowing,
  type NextStep,
  narrowing,
  nextStep,
  refusal,
  statusOf,
} from "./rules";
import * as store from "./store";
import { type MandateTypedData, typedDataOf } from "./typed-data";

export type { OwnedMandate } from "./lists";
export type { Charge, Move } from "./rules";
export type { Mandate } from "./store";

type Mandate = store.Mandate;

export type Proposed = {
  mandateId: MandateId;
  authorizationUrl: string;
  expiresAt: Date;
  agentStatus: AgentStatus;
  ownerAddress: Address | null;
};
export type AgentStatus = "ready" | "needs_wallet_authorization";

export const agentStatus = (actor: Agent): AgentStatus => (actor.ownerId ? "ready" : "needs_wallet_authorization");

// The agent's verbs

/**
 * Writes down what the agent asks for; it allows nothing until a person has signed it. `caller` is the client address, for
 * which drafts of agents without an owner are counted: anybody can register any number of agents. Throws rate_limited and
 * what is wrong with the intent.
 */
export async function createIntent(ctx: Ctx<Agent>, intent: Intent, caller: string): Promise<Proposed> {
  const { agentId, ownerId } = ctx.actor;
  const { token, write } = await propose(ctx, ctx.actor, "agent", intent);
  const retryAfterSeconds =
    (await takeTurn(ctx, "intent_per_agent", agentId)) ??
    (ownerId === null ? await takeTurn(ctx, "draft_per_address", caller) : null);
  if (retryAfterSeconds !== null) throw edgeErrors.rate_limited({ retryAfterSeconds });
  const mandate = await ctx.db.transaction(write);
  return {
    mandateId: mandate.id,
    authorizationUrl: authorizationUrl(mandate.id, token, ctx.config.baseUrl),
    expiresAt: mandate.validUntil,
    agentStatus: agentStatus(ctx.actor),
    ownerAddress: await agents.ownerAddressOf(ctx.db, agentId),
  };
}

/**
 * The same for an agent of the signed-in owner's, in their name: it waits for their signature. Returns what writes it in a
 * transaction of the caller's. Throws agent_not_found, cap_exceeds_limit.
 */
export async function prepare(
  ctx: Ctx<Owner>,
  agentId: AgentId,
  intent: Intent,
): Promise<(tx: Tx) => Promise<Mandate>> {
  await agents.getOwned(ctx, agentId);
  const { write } = await propose(ctx, { agentId, ownerId: ctx.actor.ownerId }, "owner", intent);
  return write;
}

/** A mandate that is not written yet. Throws what is wrong with it. */
async function propose(
  system: System,
  { agentId, ownerId }: { agentId: AgentId; ownerId: OwnerId | null },
  requestedBy: Mandate["requestedBy"],
  intent: Intent,
): Promise<{ token: string; write: (tx: Tx) => Promise<Mandate> }> {
  if (intent.currency !== "USDC") throw mandateErrors.currency_mismatch();
  const network = networkNamed(intent.network)?.name;
  if (!network) throw mandateErrors.unsupported_network();
  if (intent.maxAmountPerPayment !== null && intent.maxAmountPerPayment > intent.limitAmount) {
    throw mandateErrors.cap_exceeds_limit();
  }
  const wallet = ownerId && (await wallets.spendingWallet(system, ownerId, network));
  const token = randomText();
  const at = system.now();
  // Whole seconds: that is what the owner signs.
  const validFrom = fromUnixSeconds(unixSeconds(at));
  const row = {
    id: newId("mandate"),
    agentId,
    ownerId,
    walletId: wallet?.id ?? null,
    network,
    state: wallet ? ("pending_signature" as const) : ("draft" as const),
    requestedBy,
    naturalLanguage: intent.naturalLanguage,
    category: intent.category,
    limitAmount: intent.limitAmount,
    maxAmountPerPayment: intent.maxAmountPerPayment,
    hostAllowlist: intent.hostAllowlist,
    validFrom,
    validUntil: addSeconds(validFrom, intent.validForSeconds),
    tokenHash: hashOf(token),
    createdAt: at,
    updatedAt: at,
  };
  const write = async (tx: Tx) => {
    const meta = { limitAmount: intent.limitAmount.toString(), network, by: requestedBy };
    await record(tx, at, { type: "mandate.created", subject: row.id, agentId, ownerId, meta });
    return store.insert(tx, row);
  };
  return { token, write };
}

/** Throws mandate_not_found. */
export async function getForAgent(ctx: Ctx<Agent>, id: MandateId): Promise<Mandate> {
  const mandate = await store.findForAgent(ctx.db, ctx.actor.agentId, id);
  if (!mandate) throw mandateErrors.mandate_not_found();
  return mandate;
}

/** The agent's mandates that would pay this charge now. */
export async function listEligible(
  ctx: Ctx<Agent>,
  wanted: { host: string; amount: Usdc; network: NetworkName; currency: string },
): Promise<Mandate[]> {
  if (wanted.currency !== "USDC") throw mandateErrors.currency_mismatch();
  const now = ctx.now();
  const charge = { ...wanted, defaultPort: "443" };
  const hosts = entriesFor(wanted.host, charge.defaultPort);
  const spendable = await store.listSpendable(ctx.db, ctx.actor.agentId, { ...wanted, hosts }, now);
  return spendable.filter((m) => refusal(m, charge, now) === null);
}

const RESERVE_TRIES = 5;

/**
 * Takes `charge` from the mandate's budget and returns the wallet that pays it. `insert` writes the payment in one
 * statement with `reservation` (a data-modifying CTE that yields a row when it took effect) and says whether it did.
 * Throws what refuses the charge. A change by the owner is wholly before or after it: the guard compares the revision.
 */
export async function reserve(
  ctx: Ctx<Agent>,
  id: MandateId,
  charge: Charge,
  insert: (wallet: store.Wallet, reservation: store.Reservation) => Promise<boolean>,
): Promise<store.Wallet> {
  for (let attempt = 0; attempt < RESERVE_TRIES; attempt++) {
    const { mandate, wallet } = await chargeable(ctx, id, charge);
    if (await insert(wallet, store.reservation(mandate, charge.amount))) return wallet;
  }
  throw mandateErrors.mandate_changed();
}

async function chargeable(ctx: Ctx<Agent>, id: MandateId, charge: Charge) {
  const found = await store.findWithWallet(ctx.db, ctx.actor.agentId, id);
  if (!found) throw mandateErrors.mandate_not_found();
  const { mandate, wallet } = found;
  if (mandate.network !== charge.network) {
    throw mandateErrors.unsupported_network({ message: `This mandate pays on ${mandate.network} only` });
  }
  const now = ctx.now();
  const why = refusal(mandate, charge, now);
  if (why) throw mandateErrors[why](explain(why, mandate, charge, now, ctx.config.baseUrl));
  if (!wallet || mandate.ownerId !== ctx.actor.ownerId) throw mandateErrors.agent_not_authorized();
  return { mandate, wallet };
}

// What the chain did to budgets

export type BudgetMove = { mandateId: MandateId; move: Move; amount: Usdc };

/** Applies `moves` in order, under the locks of their mandates; returns those that a budget could not hold. */
export async function adjustBudgets<M extends BudgetMove>(tx: Tx, moves: M[]): Promise<M[]> {
  if (moves.length === 0) return [];
  const ids = [...new Set(moves.map((m) => m.mandateId))];
  const budgets = new Map((await store.lockBudgets(tx, ids)).map((budget) => [budget.id, budget]));
  const refused: M[] = [];
  for (const m of moves) {
    const before = budgets.get(m.mandateId);
    const after = before && moved(before, m.move, m.amount);
    if (after) budgets.set(after.id, after);
    else refused.push(m);
  }
  await store.writeBudgets(tx, [...budgets.values()]);
  return refused;
}

// The owner's verbs

/**
 * Makes the agent of a draft the signed-in owner's and the draft theirs to sign. The token shows that they were sent
 * here by the agent; for a further draft of an agent that is theirs already it is not needed.
 */
export async function claim(ctx: Ctx<Owner>, id: MandateId, token: string | undefined): Promise<Mandate> {
  const { ownerId } = ctx.actor;
  const seen = await findEntitled(ctx, id, token);
  if (seen.mandate.ownerId === ownerId) return seen.mandate;
  if (seen.agentOwnerId && seen.agentOwnerId !== ownerId) throw agentErrors.agent_linked_elsewhere();
  assertOpen(seen.mandate, ctx.now());
  const wallet = await wallets.spendingWallet(ctx, ownerId, seen.mandate.network);
  return ctx.db.transaction(async (tx) => {
    const at = ctx.now();
    const mandate = await store.lock(tx, id);
    if (!mandate) throw mandateErrors.mandate_not_found();
    if (mandate.ownerId === ownerId) return mandate;
    if (mandate.ownerId) throw agentErrors.agent_linked_elsewhere();
    assertOpen(mandate, at);
    await agents.linkAgent(tx, mandate.agentId, ownerId, at);
    await record(tx, at, { type: "mandate.claimed", subject: id, ownerId, agentId: mandate.agentId });
    return store.change(tx, id, { ownerId, walletId: wallet.id, state: "pending_signature" }, at);
  });
}

export const narrow = (ctx: Ctx<Owner>, id: MandateId, change: Narrowing): Promise<Mandate> =>
  decide(ctx, id, (mandate, now) => {
    assertOwn(ctx.actor, mandate);
    assertOpen(mandate, now);
    const terms = narrowing(mandate, change, now);
    if (typeof terms === "string") throw mandateErrors[terms]();
    const meta = {
      limitAmount: terms.limitAmount.toString(),
      maxAmountPerPayment: terms.maxAmountPerPayment?.toString() ?? null,
      validUntil: terms.validUntil.toISOString(),
      hostAllowlist: terms.hostAllowlist,
    };
    return { event: "mandate.narrowed", set: terms, meta };
  });

/** What the owner signs, as the mandate stands now; for them, and for whoever holds the authorizationUrl. */
export async function typedData(ctx: Ctx, id: MandateId, token: string | undefined): Promise<MandateTypedData> {
  return typedDataFor(await findEntitled(ctx, id, token));
}

/** Makes the mandate usable, if `signature` is the signed-in owner's over the mandate as it is now. */
export async function sign(ctx: Ctx<Owner>, id: MandateId, signature: Hex): Promise<Mandate> {
  const seen = await store.findWithParties(ctx.db, id);
  const read = seen && assertOwn(ctx.actor, seen.mandate);
  if (!read) throw mandateErrors.mandate_not_found();
  if (isSignedWith(read, signature)) return read;
  assertOpen(read, ctx.now());
  const mandateHash = hashTypedData(typedDataFor(seen));
  // Asked before the transaction: a contract account answers over RPC.
  if (!(await isSignatureOf(ctx, ctx.actor.address, mandateHash, signature))) {
    throw mandateErrors.signature_invalid();
  }
  return decide(ctx, id, (mandate, now) => {
    if (isSignedWith(mandate, signature)) return null;
    if (mandate.revision !== read.revision) throw mandateErrors.mandate_changed();
    assertOpen(mandate, now);
    const set = { state: "signed" as const, isEnabled: true, mandateHash, signature, signedAt: now };
    const meta = { mandateHash, limitAmount: mandate.limitAmount.toString() };
    return { event: "mandate.signed", set, meta, binds: true };
  });
}

/** Declines a mandate that waits for its signature. A draft needs the token, and its agent stays unlinked. */
export const reject = (ctx: Ctx<Owner>, id: MandateId, token: string | undefined): Promise<Mandate> =>
  decide(ctx, id, (mandate, now) => {
    const isOwn = mandate.ownerId === ctx.actor.ownerId;
    const isAsked = mandate.ownerId === null && isTokenOf(mandate, token) && isUndecided(mandate, now);
    if (!isOwn && !isAsked) throw mandateErrors.mandate_not_found();
    if (mandate.state === "rejected") return null;
    // A lapsed one may still be declined: it changes nothing but what the list says.
    if (mandate.state !== "draft" && mandate.state !== "pending_signature") throw mandateErrors.mandate_not_pending();
    return { event: "mandate.rejected", set: { state: "rejected" } };
  });

/** For good. Proofs that were handed out before stay good until they expire. */
export const revoke = (ctx: Ctx<Owner>, id: MandateId): Promise<Mandate> =>
  decide(ctx, id, (mandate) => {
    assertOwn(ctx.actor, mandate);
    if (mandate.state === "revoked") return null;
    if (mandate.state === "rejected")
      throw mandateErrors.mandate_not_pending({ message: "The mandate was declined before" });
    return { event: "mandate.revoked", set: { state: "revoked", isEnabled: false } };
  });

export const setEnabled = (ctx: Ctx<Owner>, id: MandateId, isEnabled: boolean): Promise<Mandate> =>
  decide(ctx, id, (mandate) => {
    assertOwn(ctx.actor, mandate);
    if (mandate.state !== "signed") throw mandateErrors.mandate_not_active();
    if (mandate.isEnabled === isEnabled) return null;
    return { event: isEnabled ? "mandate.enabled" : "mandate.disabled", set: { isEnabled } };
  });

// What pages show

/** Whether it waits for the signature of its owner. */
export async function isWaiting(db: Queryable, id: MandateId, now: Date): Promise<boolean> {
  const row = await store.findWithParties(db, id);
  return row !== null && statusOf(row.mandate, now) === "pending_signature";
}

/** Throws mandate_not_found. */
export async function getForOwner(ctx: Ctx<Owner>, id: MandateId): Promise<OwnedMandate> {
  const row = await store.findWithParties(ctx.db, id);
  if (!row || row.mandate.ownerId !== ctx.actor.ownerId) throw mandateErrors.mandate_not_found();
  return presentOwned(ctx, row);
}

export type SigningView = OwnedMandate & {
  isTokenValid: boolean;
  /** The agent belongs to an account other than the visitor's. */
  isLinkedElsewhere: boolean;
  nextStep: NextStep;
};

/**
 * Everything the signing page shows, from our own record and never from the address bar. Throws mandate_not_found unless
 * the visitor brings the token of the authorizationUrl or is the owner of the mandate or of its agent.
 */
export async function forSigning(ctx: Ctx, id: MandateId, token: string | undefined): Promise<SigningView> {
  const row = await findEntitled(ctx, id, token, { isOverFine: true });
  const owned = presentOwned(ctx, row);
  const isLinkedElsewhere = ctx.actor.type === "owner" && isOfAnother(row, ctx.actor.ownerId);
  const visitor = ctx.actor.type === "owner" ? (isLinkedElsewhere ? "stranger" : "owner") : "nobody";
  return {
    ...owned,
    isTokenValid: isTokenOf(row.mandate, token),
    isLinkedElsewhere,
    nextStep: nextStep(owned.status, visitor),
  };
}

// Who may

/** With `isOverFine` also a token whose request is over, of which the page then says no more than that. */
async function findEntitled(
  ctx: Ctx,
  id: MandateId,
  token: string | undefined,
  { isOverFine = false } = {},
): Promise<store.Parties> {
  const row = await store.findWithParties(ctx.db, id);
  if (!row) throw mandateErrors.mandate_not_found();
  const isToken = isTokenOf(row.mandate, token) && (isOverFine || isUndecided(row.mandate, ctx.now()));
  if (!isToken && !isOwnedBy(ctx.actor, row)) throw mandateErrors.mandate_not_found();
  return row;
}

/** A token is good for as long as there is something to decide. */
const isUndecided = (mandate: Mandate, now: Date): boolean => closing(mandate, now) === null;

/** The mandate's owner, or for a draft its agent's. */
const isOwnedBy = (actor: Actor, { mandate, agentOwnerId }: store.Parties): boolean =>
  actor.type === "owner" && (mandate.ownerId ?? agentOwnerId) === actor.ownerId;

const isOfAnother = ({ mandate, agentOwnerId }: store.Parties, ownerId: OwnerId): boolean =>
  [mandate.ownerId, agentOwnerId].some((other) => other !== null && other !== ownerId);

const isTokenOf = (mandate: Mandate, token: string | undefined): boolean =>
  token !== undefined && hashOf(token) === mandate.tokenHash;

const hashOf = (token: string): string => createHash("sha256").update(token).digest("hex");

function assertOwn(actor: Owner, mandate: Mandate): Mandate {
  if (mandate.ownerId !== actor.ownerId) throw mandateErrors.mandate_not_found();
  return mandate;
}

function assertOpen(mandate: Mandate, now: Date): void {
  const why = closing(mandate, now);
  if (why) throw mandateErrors[why]();
}

const isSignedWith = (mandate: Mandate, signature: Hex): boolean =>
  mandate.state === "signed" && mandate.signature === signature;

function typedDataFor({ mandate, ownerAddress, walletAddress }: store.Parties): MandateTypedData {
  if (!ownerAddress || !walletAddress) throw mandateErrors.mandate_not_claimed();
  return typedDataOf(mandate, ownerAddress, walletAddress);
}

/** `binds`: the agent belongs to the owner for good afterwards. */
type Decision = { event: string; set: Partial<store.NewMandate>; meta?: Record<string, unknown>; binds?: boolean };

/** One change by a person, decided and written under the mandate's lock; null leaves it as it is. */
const decide = (
  ctx: Ctx<Owner>,
  id: MandateId,
  by: (mandate: Mandate, now: Date) => Decision | null,
): Promise<Mandate> =>
  ctx.db.transaction(async (tx) => {
    const at = ctx.now();
    const mandate = await store.lock(tx, id);
    if (!mandate) throw mandateErrors.mandate_not_found();
    const decision = by(mandate, at);
    if (!decision) return mandate;
    const { event, set, meta = {}, binds = false } = decision;
    const { agentId } = mandate;
    const { ownerId } = ctx.actor;
    if (binds && !(await agents.bind(tx, agentId, ownerId, at))) throw mandateErrors.mandate_not_found();
    await record(tx, at, { type: event, subject: id, ownerId, agentId, meta });
    return store.change(tx, id, set, at);
  });
