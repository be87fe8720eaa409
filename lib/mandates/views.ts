import { entriesFor } from "@/lib/core/host";
import type { MandateId } from "@/lib/core/ids";
import type { Usdc } from "@/lib/core/money";
import type { Agent, Ctx, Owner } from "@/lib/platform/context";
import type { Queryable } from "@/lib/platform/db";
import type { NetworkName } from "@/lib/x402/networks";
import { findEntitled, isOfAnother, isTokenOf } from "./access";
import { mandateErrors } from "./errors";
import { type OwnedMandate, toOwnedMandate } from "./lists";
import { type NextStep, nextStep, refusal, statusOf } from "./rules";
import type { Mandate } from "./store";
import * as store from "./store";

/** Throws mandate_not_found. */
export async function getForAgent(ctx: Ctx<Agent>, id: MandateId): Promise<Mandate> {
  const mandate = await store.findForAgent(ctx.db, ctx.actor.agentId, id);
  if (!mandate) throw mandateErrors.mandate_not_found();
  return mandate;
}

/** The agent's mandates that allow this payment now. Throws currency_mismatch. */
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

/** Whether the mandate waits for its owner's signature. */
export async function isWaiting(db: Queryable, id: MandateId, now: Date): Promise<boolean> {
  const row = await store.findWithParties(db, id);
  return row !== null && statusOf(row.mandate, now) === "pending_signature";
}

/** Throws mandate_not_found. */
export async function getForOwner(ctx: Ctx<Owner>, id: MandateId): Promise<OwnedMandate> {
  const row = await store.findWithParties(ctx.db, id);
  if (!row || row.mandate.ownerId !== ctx.actor.ownerId) throw mandateErrors.mandate_not_found();
  return toOwnedMandate(ctx, row);
}

export type SigningView = OwnedMandate & {
  isTokenValid: boolean;
  /** The agent is linked to an account other than the visitor's. */
  isLinkedElsewhere: boolean;
  nextStep: NextStep;
};

/**
 * All data of the signing page, from the database and never from the URL. Throws mandate_not_found unless the visitor has
 * the token of the authorizationUrl or owns the mandate or its agent.
 */
export async function forSigning(ctx: Ctx, id: MandateId, token: string | undefined): Promise<SigningView> {
  const row = await findEntitled(ctx, id, token, { isOverFine: true });
  const owned = toOwnedMandate(ctx, row);
  const isLinkedElsewhere = ctx.actor.type === "owner" && isOfAnother(row, ctx.actor.ownerId);
  const visitor = ctx.actor.type === "owner" ? (isLinkedElsewhere ? "stranger" : "owner") : "anonymous";
  return {
    ...owned,
    isTokenValid: isTokenOf(row.mandate, token),
    isLinkedElsewhere,
    nextStep: nextStep(owned.status, visitor),
  };
}
