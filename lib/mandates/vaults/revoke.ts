import { type Hex, hashTypedData } from "viem";
import type { MandateId } from "@/lib/core/ids";
import { isSignedByAccount } from "@/lib/platform/account-signature";
import type { Ctx, Owner } from "@/lib/platform/context";
import type { Tx } from "@/lib/platform/db";
import { notify } from "@/lib/platform/queue";
import { revocationTypedData } from "@/lib/vaults/typed-data";
import { canonicalSignature } from "@/lib/x402/signature";
import { assertOwn } from "../access";
import { revoke } from "../decide";
import { mandateErrors } from "../errors";
import type { Mandate } from "../store";
import * as mandates from "../store";
import { vaultErrors } from "./errors";
import * as operations from "./operation-store";
import * as store from "./store";
import { type SignedVault, signedVault } from "./terms";

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
  const revoked = await revoke(ctx, id, (tx) => closeVault(tx, id));
  if (signed) {
    const { vault, signature } = signed;
    const row = { mandateId: id, network: vault.network, kind: "revoke_signed" as const, signature };
    if (!vault.isRevoked) await operations.add(ctx.db, { ...row, createdAt: ctx.now() });
  }
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
  const parties = await mandates.findWithParties(ctx.db, id);
  if (!parties) throw mandateErrors.mandate_not_found();
  assertOwn(ctx.actor, parties.mandate);
  if (parties.mandate.mode !== "vault" || !parties.vault) throw vaultErrors.mandate_has_no_vault();
  return signedVault(parties.vault);
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
