import { hash } from "node:crypto";
import { type MandateId, newId } from "@/lib/core/ids";
import { type Usdc, ZERO } from "@/lib/core/money";
import { fromUnixSeconds, unixSeconds } from "@/lib/core/time";
import { limit } from "@/lib/http/limit";
import type { Ctx, Owner } from "@/lib/platform/context";
import type { Tx } from "@/lib/platform/db";
import { record } from "@/lib/platform/events";
import { canHaveVaults } from "@/lib/vaults/checks";
import { assertOwn, isUndecided, tokens } from "../access";
import { mandateErrors } from "../errors";
import { cappedAt } from "../rules";
import type { Mandate } from "../store";
import * as mandates from "../store";
import { leftOf } from "../takeover";
import { vaultErrors } from "./errors";
import { assertWorthOpening } from "./sign";

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
  if (!(await canHaveVaults(ctx, network))) throw vaultErrors.vault_unavailable();
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
