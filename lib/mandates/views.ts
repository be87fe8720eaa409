import { entriesFor } from "@/lib/core/host";
import type { MandateId } from "@/lib/core/ids";
import type { Usdc } from "@/lib/core/money";
import type { Agent, Ctx, Owner, System } from "@/lib/platform/context";
import type { Queryable } from "@/lib/platform/db";
import type { KeyFor } from "@/lib/platform/secrets";
import type { NetworkName } from "@/lib/x402/networks";
import { findEntitled, isOfAnother, isTokenOf } from "./access";
import { mandateErrors } from "./errors";
import { type OwnedMandate, toOwnedMandate } from "./lists";
import { type MandateView, toMandateView, type WithVault } from "./responses";
import { type NextStep, nextStep, refusal, statusOf } from "./rules";
import type { Mandate } from "./store";
import * as store from "./store";
import * as vaults from "./vaults/store";

/** Mandates with their vaults, in the same order. */
export async function withVaults({ db }: System, mandates: readonly Mandate[]): Promise<WithVault[]> {
  const ids = mandates.filter(({ mode }) => mode === "vault").map(({ id }) => id);
  const vaultRows = ids.length > 0 ? await vaults.findAll(db, ids) : [];
  const byMandate = new Map(vaultRows.map((vault) => [vault.mandateId, vault]));
  return mandates.map((mandate) => ({ mandate, vault: byMandate.get(mandate.id) ?? null }));
}

/** Mandates as the API shows them. `tokenOf`: see toMandateView. */
export async function viewsOf(system: System, mandates: readonly Mandate[], tokenOf?: KeyFor): Promise<MandateView[]> {
  const now = system.now();
  const rows = await withVaults(system, mandates);
  return rows.map((row) => toMandateView(row, now, system.config.baseUrl, tokenOf));
}

export async function viewOf(system: System, mandate: Mandate, tokenOf?: KeyFor): Promise<MandateView> {
  const [view] = await viewsOf(system, [mandate], tokenOf);
  // There is one view for each mandate.
  return view as MandateView;
}

/** Throws mandate_not_found. */
export async function getForAgent(ctx: Ctx<Agent>, id: MandateId): Promise<Mandate> {
  const mandate = await store.findForAgent(ctx.db, ctx.actor.agentId, id);
  if (!mandate) throw mandateErrors.mandate_not_found();
  return mandate;
}

/** The agent's mandates that allow this payment now. Throws currency_mismatch. */
export async function listEligible(
  ctx: Ctx<Agent>,
  payment: { host: string; amount: Usdc; network: NetworkName; currency: string },
): Promise<Mandate[]> {
  if (payment.currency !== "USDC") throw mandateErrors.currency_mismatch();
  const now = ctx.now();
  const charge = { ...payment, defaultPort: "443" };
  const hosts = entriesFor(payment.host, charge.defaultPort);
  const spendable = await store.listSpendable(ctx.db, ctx.actor.agentId, { ...payment, hosts }, now);
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
