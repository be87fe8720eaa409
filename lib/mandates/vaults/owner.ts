import { hash } from "node:crypto";
import { type Hex, hashTypedData } from "viem";
import { z } from "zod";
import { type MandateId, newId } from "@/lib/core/ids";
import { type Usdc, ZERO } from "@/lib/core/money";
import { fromUnixSeconds, unixSeconds } from "@/lib/core/time";
import { limit } from "@/lib/http/limit";
import { isSignedByAccount } from "@/lib/platform/account-signature";
import { ChainUnavailable } from "@/lib/platform/chain";
import type { Ctx, Owner, System } from "@/lib/platform/context";
import type { Queryable, Tx } from "@/lib/platform/db";
import { record } from "@/lib/platform/events";
import { notify } from "@/lib/platform/queue";
import { versionForNew } from "@/lib/vaults/checks";
import { type VaultFile, vaultFile } from "@/lib/vaults/file";
import { fundingTypedData, revocationTypedData } from "@/lib/vaults/typed-data";
import { mapNetworks, type NetworkName } from "@/lib/x402/networks";
import { canonicalSignature } from "@/lib/x402/signature";
import { assertOwn, findOwn, isUndecided, tokens } from "../access";
import { revoke } from "../decide";
import { mandateErrors } from "../errors";
import { cappedAt } from "../rules";
import type { Mandate } from "../store";
import * as mandates from "../store";
import { leftOf } from "../takeover";
import { vaultTypedDataView } from "../typed-data";
import { vaultErrors } from "./errors";
import * as operations from "./operation-store";
import { draftView, fundingView } from "./schemas";
import { assertWorthOpening, authorizationOf, proposal } from "./sign";
import * as store from "./store";
import { draftOf, type SignedVault, signedVault, type VaultDraft } from "./terms";

/** A vault as its owner deals with it: what the pages show besides the mandate, its revocation, the move to one. */

/** A vault as in the API's typed data, and as the file that its owner keeps. */
type ShownVault = { draft: z.input<typeof draftView>; file: VaultFile };
type VaultOffer = ShownVault | "no_vaults" | "chain_down";

const describeVault = (draft: VaultDraft): ShownVault => ({
  draft: z.encode(draftView, draft),
  file: vaultFile(draft.terms),
});

/** Whether a mandate on this network can be signed with a vault; false while no node responds. */
export const offersVaults = async (system: System, network: NetworkName): Promise<boolean> => {
  const version = await versionForNew(system, network).catch((error: unknown) => {
    if (error instanceof ChainUnavailable) return null;
    throw error;
  });
  return version !== null;
};

/** The vault that a claimed mandate would have after `change`. Throws as vaultTypedData does. */
export async function vaultOffer(
  ctx: Ctx<Owner>,
  id: MandateId,
  change: { confirmPayees?: boolean } = {},
): Promise<VaultOffer> {
  const parties = await mandates.findWithParties(ctx.db, id);
  if (!parties) throw mandateErrors.mandate_not_found();
  try {
    const { draft } = await proposal(ctx, id, { ...parties, mandate: { ...parties.mandate, ...change } });
    return describeVault(draft);
  } catch (error) {
    if (vaultErrors.vault_unavailable.is(error)) return "no_vaults";
    if (error instanceof ChainUnavailable) return "chain_down";
    throw error;
  }
}

type SignedData = ShownVault & {
  /** The data of the stored signature: the funding, or for a permit the mandate. */
  typedData: z.input<typeof fundingView> | z.input<typeof mandateWithVault>;
};

const mandateWithVault = vaultTypedDataView.extend({ vault: draftView });

/** The data that the owner of a mandate with a vault has signed. Null without a signed vault. Throws mandate_not_found. */
export async function signedVaultData(ctx: Ctx<Owner>, id: MandateId): Promise<SignedData | null> {
  const parties = await findOwn(ctx, id);
  const { mandate } = parties;
  const opening = await operations.findOpening(ctx.db, id);
  if (!parties.vault?.owner || !opening) return null;
  const { terms } = signedVault(parties.vault);
  const draft = draftOf(mandate, terms.owner, terms);
  if (opening.amount === null || opening.validBefore === null) throw new Error(`the opening of ${id} is incomplete`);
  const typedData =
    opening.kind === "open_and_fund"
      ? z.encode(fundingView, {
          ...fundingTypedData(mandate.network, authorizationOf(draft, opening.amount, opening.validBefore)),
          vault: draft,
        })
      : z.encode(mandateWithVault, { ...draft.mandate, vault: draft });
  return { ...describeVault(draft), typedData };
}

type VaultTotal = { count: number; balance: Usdc };

/** The number of the owner's vaults that are not closed, and their balance at the last reading. */
export async function vaultTotals({ db, actor }: Ctx<Owner>): Promise<Record<NetworkName, VaultTotal>> {
  const sums = await store.sumsOf(db, actor.ownerId);
  return mapNetworks((network) => {
    const row = sums.find((sum) => sum.network === network);
    return { count: row?.count ?? 0, balance: row?.balance ?? ZERO };
  });
}

/** The typed data with which the owner ends the mandate on the chain as well. Throws mandate_not_found, mandate_has_no_vault. */
export async function revocation(ctx: Ctx<Owner>, id: MandateId) {
  const { network, address, terms } = await vaultOf(ctx, id);
  return revocationTypedData(network, address, terms.mandate);
}

/**
 * Revokes a mandate. Its vault stops paying, and its balance returns to the owner: by the owner's signed revocation, which the
 * chain enforces, or else by our signature. Idempotent; the owner's signature can follow later. Throws mandate_not_found,
 * mandate_not_pending, mandate_has_no_vault, signature_invalid, ChainUnavailable.
 */
export async function revokeMandate(ctx: Ctx<Owner>, id: MandateId, vaultSignature: Hex | undefined): Promise<Mandate> {
  const signed = vaultSignature === undefined ? null : await ownersRevocation(ctx, id, vaultSignature);
  const queueRevocation = async (db: Queryable) => {
    if (!signed || signed.vault.isRevoked) return;
    const { vault, signature } = signed;
    const row = { mandateId: id, network: vault.network, kind: "revoke_signed" as const, signature };
    await operations.add(db, { ...row, createdAt: ctx.now() });
  };
  let isNew = false;
  const revoked = await revoke(ctx, id, async (tx) => {
    isNew = true;
    await closeVault(tx, id);
    // In the same transaction: a reading in between would request a return besides.
    await queueRevocation(tx);
  });
  if (!isNew) await queueRevocation(ctx.db);
  return revoked;
}

async function ownersRevocation(ctx: Ctx<Owner>, id: MandateId, rawSignature: Hex) {
  const vault = await vaultOf(ctx, id);
  const { network, address, terms } = vault;
  const signature = canonicalSignature(rawSignature) ?? rawSignature;
  const digest = hashTypedData(revocationTypedData(network, address, terms.mandate));
  if (!(await isSignedByAccount(ctx, { network, account: terms.owner, digest, signature }))) {
    throw mandateErrors.signature_invalid();
  }
  return { vault, signature };
}

async function vaultOf(ctx: Ctx<Owner>, id: MandateId): Promise<SignedVault> {
  const { mandate, vault } = await findOwn(ctx, id);
  if (mandate.mode !== "vault" || !vault) throw vaultErrors.mandate_has_no_vault();
  return signedVault(vault);
}

const REVOKED = "The owner revoked the mandate";

/**
 * Stops operations that would bring money into the vault or its pocket. The next reading decides the returns. Call it under the
 * mandate's lock.
 */
async function closeVault(tx: Tx, id: MandateId): Promise<void> {
  const vault = await store.lock(tx, id);
  if (vault?.state !== "opening" && vault?.state !== "open") return;
  await store.change(tx, id, { state: "closing", isStale: true });
  await notify(tx, "vault_changed", vault.network);
  for (const { id: operation, kind, state } of await operations.lockLive(tx, id, null)) {
    const movesMoney =
      kind === "open_and_fund" || kind === "open_and_pull" || kind === "pull" || kind === "fill_pocket";
    if (movesMoney && state === "waiting")
      await operations.change(tx, operation, { state: "failed", failure: REVOKED });
  }
}

/**
 * Prepares the move of a live mandate from the spending wallet to a vault: a new mandate for the remaining budget, with the same
 * end and limits, for its owner to sign with a vault. Nothing changes before that. Returns an existing unsigned one again,
 * lowered to the current rest. Throws mandate_not_found, mandate_has_vault, mandate_not_active, mandate_expired,
 * mandate_insufficient_budget, vault_unavailable, rate_limited, ChainUnavailable.
 * Why: docs/decisions.md, 167.
 */
export async function moveToVault(ctx: Ctx<Owner>, id: MandateId): Promise<Mandate> {
  await limit(ctx, "intent_per_agent", ctx.actor.ownerId);
  const parties = await mandates.findWithParties(ctx.db, id);
  if (!parties) throw mandateErrors.mandate_not_found();
  const { network } = assertMovable(ctx, parties.mandate);
  if ((await versionForNew(ctx, network)) === null) throw vaultErrors.vault_unavailable();
  const tokenOf = await tokens(ctx);
  return ctx.db.transaction(async (tx) => {
    const locked = await mandates.lock(tx, id);
    if (!locked) throw mandateErrors.mandate_not_found();
    const remainingAmount = await leftOf(ctx, tx, assertMovable(ctx, locked));
    if (remainingAmount === ZERO) throw mandateErrors.mandate_insufficient_budget();
    assertWorthOpening(ctx, remainingAmount);
    const waiting = await mandates.findWaitingSuccessor(tx, id);
    if (!waiting || !isUndecided(waiting, ctx.now())) return insertSuccessor(ctx, tx, locked, remainingAmount, tokenOf);
    return waiting.limitAmount <= remainingAmount
      ? waiting
      : mandates.change(tx, waiting.id, { ...cappedAt(waiting, remainingAmount), asked: null }, ctx.now());
  });
}

function assertMovable({ actor, now }: Ctx<Owner>, mandate: Mandate): Mandate {
  assertOwn(actor, mandate);
  if (mandate.mode === "vault") throw vaultErrors.mandate_has_vault();
  if (mandate.state !== "signed") throw mandateErrors.mandate_not_active({ message: "Only a signed mandate can move" });
  if (now() >= mandate.validUntil) throw mandateErrors.mandate_expired();
  return mandate;
}

async function insertSuccessor(
  { now }: Ctx<Owner>,
  tx: Tx,
  old: Mandate,
  remainingAmount: Usdc,
  tokenOf: (id: string) => string,
) {
  const time = now();
  const id = newId("mandate");
  const { agentId, ownerId, walletId, network, requestedBy, naturalLanguage, category, hostAllowlist } = old;
  const { confirmPayees, vaultAgentKey, vaultPayees, vaultReleaseAmount, vaultReleaseSeconds, validUntil } = old;
  const meta = { limitAmount: remainingAmount.toString(), network, by: "owner", replaces: old.id };
  await record(tx, time, { type: "mandate.created", subject: id, agentId, ownerId, meta });
  return mandates.insert(tx, {
    id,
    agentId,
    ownerId,
    walletId,
    network,
    requestedBy,
    naturalLanguage,
    category,
    hostAllowlist,
    confirmPayees,
    vaultAgentKey,
    vaultPayees,
    vaultReleaseAmount,
    vaultReleaseSeconds,
    validUntil,
    ...cappedAt(old, remainingAmount),
    state: "pending_signature",
    replaces: old.id,
    // In whole seconds, as in the typed data that the owner signs.
    validFrom: fromUnixSeconds(unixSeconds(time)),
    tokenHash: hash("sha256", tokenOf(id), "hex"),
    createdAt: time,
    updatedAt: time,
  });
}
