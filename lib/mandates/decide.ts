import { type Hex, hashTypedData } from "viem";
import { agentErrors } from "@/lib/agents/errors";
import * as agents from "@/lib/agents/service";
import { confirmed, type Use, unsigned } from "@/lib/confirmations/service";
import type { Address } from "@/lib/core/address";
import type { MandateId } from "@/lib/core/ids";
import type { Usdc } from "@/lib/core/money";
import { isSignatureOf } from "@/lib/owners/service";
import type { Ctx, Owner } from "@/lib/platform/context";
import type { Tx } from "@/lib/platform/db";
import { record } from "@/lib/platform/events";
import * as wallets from "@/lib/wallets/service";
import { assertOpen, assertOwn, findEntitled, findOwn, isTokenOf, isUndecided } from "./access";
import { askedOf, toAsked } from "./asked";
import { mandateErrors } from "./errors";
import { type Narrowing, narrowing } from "./rules";
import type { Mandate } from "./store";
import * as store from "./store";
import { takeOver } from "./takeover";
import { type MandateTypedData, typedDataOf } from "./typed-data";

/**
 * Links the agent of a draft to the signed-in owner, who can then sign the draft. The token proves that the agent sent the
 * owner here; it is not needed for another draft of an agent that is already linked to the owner.
 */
export async function claim(ctx: Ctx<Owner>, id: MandateId, token: string | undefined): Promise<Mandate> {
  const { ownerId } = ctx.actor;
  const parties = await findEntitled(ctx, id, token);
  if (parties.mandate.ownerId === ownerId) return parties.mandate;
  if (parties.agentOwnerId && parties.agentOwnerId !== ownerId) throw agentErrors.agent_linked_elsewhere();
  assertOpen(parties.mandate, ctx.now());
  const wallet = await wallets.spendingWallet(ctx, ownerId, parties.mandate.network);
  return ctx.db.transaction(async (tx) => {
    const time = ctx.now();
    const mandate = await store.lock(tx, id);
    if (!mandate) throw mandateErrors.mandate_not_found();
    if (mandate.ownerId === ownerId) return mandate;
    if (mandate.ownerId) throw agentErrors.agent_linked_elsewhere();
    assertOpen(mandate, time);
    await agents.linkAgent(tx, mandate.agentId, ownerId, time);
    await record(tx, time, { type: "mandate.claimed", subject: id, ownerId, agentId: mandate.agentId });
    return store.change(tx, id, { ownerId, walletId: wallet.id, state: "pending_signature" }, time);
  });
}

export const narrow = (
  ctx: Ctx<Owner>,
  id: MandateId,
  { vault, ...change }: Narrowing & { vault?: VaultChange | undefined },
): Promise<Mandate> =>
  decide(ctx, id, (mandate, now) => {
    assertOwn(ctx.actor, mandate);
    assertOpen(mandate, now);
    const terms = narrowing(mandate, change, now, askedOf(mandate));
    if (typeof terms === "string") throw mandateErrors[terms]();
    const meta = {
      limitAmount: terms.limitAmount.toString(),
      maxAmountPerPayment: terms.maxAmountPerPayment?.toString() ?? null,
      maxAmountPerDay: terms.maxAmountPerDay?.toString() ?? null,
      maxAmountPerMonth: terms.maxAmountPerMonth?.toString() ?? null,
      validUntil: terms.validUntil.toISOString(),
      hostAllowlist: terms.hostAllowlist,
      confirmPayees: terms.confirmPayees ?? false,
    };
    return {
      event: "mandate.narrowed",
      set: {
        ...terms,
        asked: toAsked(mandate),
        ...(vault?.payees !== undefined && { vaultPayees: vault.payees }),
        ...(vault?.release !== undefined && {
          vaultReleaseAmount: vault.release?.amount ?? null,
          vaultReleaseSeconds: vault.release?.seconds ?? null,
        }),
      },
      meta,
    };
  });

/** Vault terms that an owner may choose. An undefined member stays as it is; null means any payee, or all released at once. */
export type VaultChange = {
  payees?: Address[] | null | undefined;
  release?: { amount: Usdc; seconds: number } | null | undefined;
};

/** The typed data of the current mandate, for its owner and for holders of the authorizationUrl. `change` is applied to a copy. */
export async function typedData(
  ctx: Ctx,
  id: MandateId,
  token: string | undefined,
  change: { confirmPayees?: boolean } = {},
): Promise<MandateTypedData> {
  const { mandate, ...parties } = await findEntitled(ctx, id, token);
  return buildTypedData({ ...parties, mandate: { ...mandate, ...change } });
}

/** Activates the mandate if `signature` is the signed-in owner's signature of its current terms. */
export async function sign(ctx: Ctx<Owner>, id: MandateId, signature: Hex): Promise<Mandate> {
  const parties = await findOwn(ctx, id);
  const loadedMandate = parties.mandate;
  if (isSignedWith(loadedMandate, signature)) return loadedMandate;
  assertOpen(loadedMandate, ctx.now());
  const mandateHash = hashTypedData(buildTypedData(parties));
  // Checked before the transaction: for a contract account this is an RPC call.
  if (!(await isSignatureOf(ctx, ctx.actor.address, mandateHash, signature))) {
    throw mandateErrors.signature_invalid();
  }
  return decide(ctx, id, (mandate, now) => {
    if (isSignedWith(mandate, signature)) return null;
    if (mandate.revision !== loadedMandate.revision) throw mandateErrors.mandate_changed();
    assertOpen(mandate, now);
    const set = { state: "signed" as const, isEnabled: true, mandateHash, signature, signedAt: now, asked: null };
    const meta = { mandateHash, limitAmount: mandate.limitAmount.toString() };
    return { event: "mandate.signed", set, meta, binds: true, write: (tx: Tx) => takeOver(ctx, tx, mandate) };
  });
}

/** Declines an unsigned mandate. A draft needs the token, and its agent stays unlinked. */
export const reject = (ctx: Ctx<Owner>, id: MandateId, token: string | undefined): Promise<Mandate> =>
  decide(ctx, id, (mandate, now) => {
    const isOwn = mandate.ownerId === ctx.actor.ownerId;
    const isInvited = mandate.ownerId === null && isTokenOf(mandate, token) && isUndecided(mandate, now);
    if (!isOwn && !isInvited) throw mandateErrors.mandate_not_found();
    if (mandate.state === "rejected") return null;
    // An expired request can still be declined: only its status in lists changes.
    if (mandate.state !== "draft" && mandate.state !== "pending_signature") throw mandateErrors.mandate_not_pending();
    return { event: "mandate.rejected", set: { state: "rejected" } };
  });

/**
 * Final. Proofs signed before the revocation can still be paid until they expire. `write` runs in the same transaction, under the
 * mandate's lock.
 */
export const revoke = (ctx: Ctx<Owner>, id: MandateId, write?: (tx: Tx) => Promise<void>): Promise<Mandate> =>
  decide(ctx, id, (mandate) => {
    assertOwn(ctx.actor, mandate);
    if (mandate.state === "revoked") return null;
    if (mandate.state === "rejected") throw mandateErrors.mandate_not_pending({ message: "The mandate was declined" });
    return { event: "mandate.revoked", set: { state: "revoked", isEnabled: false }, ...(write && { write }) };
  });

/** Pauses or resumes. Resuming needs a signature: the pause may be what stops a thief. Throws signature_required. */
export async function setEnabled(
  ctx: Ctx<Owner>,
  id: MandateId,
  { isEnabled, signature }: { isEnabled: boolean; signature?: Hex | undefined },
): Promise<Mandate> {
  const change = (mandate: Mandate) => {
    assertOwn(ctx.actor, mandate);
    if (mandate.state !== "signed") throw mandateErrors.mandate_not_active();
    return mandate.isEnabled === isEnabled ? null : { isEnabled };
  };
  const write = (use: Use) =>
    decide(ctx, id, (mandate) => {
      const set = change(mandate);
      return set && { event: isEnabled ? "mandate.enabled" : "mandate.disabled", set, write: use };
    });
  if (!isEnabled) return write(unsigned);
  const { mandate } = (await store.findWithParties(ctx.db, id)) ?? {};
  if (!mandate) throw mandateErrors.mandate_not_found();
  if (!change(mandate)) return mandate;
  const { agentId, limitAmount: limit } = mandate;
  const agent = (await agents.agentById(ctx.db, agentId))?.name ?? "";
  return confirmed(ctx, { type: "MandateResumption", agent, agentId, mandateId: id, limit }, signature, write);
}

export const isSignedWith = (mandate: Mandate, signature: Hex): boolean =>
  mandate.state === "signed" && mandate.signature === signature;

function buildTypedData({ mandate, ownerAddress, walletAddress }: store.Parties): MandateTypedData {
  if (!ownerAddress || !walletAddress) throw mandateErrors.mandate_not_claimed();
  return typedDataOf(mandate, ownerAddress, walletAddress);
}

/** `binds`: afterwards the agent can no longer be unlinked from the owner. `write` runs in the same transaction, under the lock. */
type Decision = {
  event: string;
  set: Partial<store.NewMandate>;
  meta?: Record<string, unknown>;
  binds?: boolean;
  write?: (tx: Tx) => Promise<void>;
};

/** Decides and writes one change by a person under the mandate's lock. A null decision changes nothing. */
export const decide = (
  ctx: Ctx<Owner>,
  id: MandateId,
  makeDecision: (mandate: Mandate, now: Date) => Decision | null,
): Promise<Mandate> =>
  ctx.db.transaction(async (tx) => {
    const time = ctx.now();
    const mandate = await store.lockWithReplaced(tx, id);
    if (!mandate) throw mandateErrors.mandate_not_found();
    const decision = makeDecision(mandate, time);
    if (!decision) return mandate;
    const { event, set, meta = {}, binds = false, write } = decision;
    const { agentId } = mandate;
    const { ownerId } = ctx.actor;
    if (binds && !(await agents.bind(tx, agentId, ownerId, time))) throw mandateErrors.mandate_not_found();
    await write?.(tx);
    await record(tx, time, { type: event, subject: id, ownerId, agentId, meta });
    return store.change(tx, id, set, time);
  });
