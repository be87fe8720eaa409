import { entriesFor } from "@/lib/core/host";
import type { MandateId } from "@/lib/core/ids";
import type { Usdc } from "@/lib/core/money";
import { type Cursor, type CursorPage, cutAfter } from "@/lib/core/page";
import type { Agent, Ctx, Owner, System } from "@/lib/platform/context";
import type { Queryable } from "@/lib/platform/db";
import { listEvents, type PastEvent } from "@/lib/platform/events";
import type { KeyFor } from "@/lib/platform/secrets";
import type { NetworkName } from "@/lib/x402/networks";
import { findEntitled, findOwn, isTokenOf, isUndecided, tokens } from "./access";
import { mandateErrors } from "./errors";
import { listForAgent, type OwnedMandate, toOwnedMandate } from "./lists";
import { explain, type MandateView, toMandateView, type WithVault } from "./responses";
import { nextStep, refusal, remaining, type SigningStep, statusOf } from "./rules";
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

/** What is left of a mandate, for a summary. */
export async function leftOf(
  db: Queryable,
  id: MandateId,
): Promise<Pick<MandateView, "remainingAmount" | "validUntil"> & { id: MandateId }> {
  const row = await store.findWithParties(db, id);
  if (!row) throw new Error(`${id} vanished`);
  return { id, remainingAmount: remaining(row.mandate), validUntil: row.mandate.validUntil };
}

/** Whether the mandate waits for its owner's signature. */
export async function isWaiting(db: Queryable, id: MandateId, now: Date): Promise<boolean> {
  const row = await store.findWithParties(db, id);
  return row !== null && statusOf(row.mandate, now) === "pending_signature";
}

/** Throws mandate_not_found. */
export async function getForOwner(ctx: Ctx<Owner>, id: MandateId): Promise<OwnedMandate> {
  return toOwnedMandate(ctx, await findOwn(ctx, id));
}

export type SigningView = OwnedMandate & {
  isTokenValid: boolean;
  /** The agent is linked to an account other than the visitor's. */
  isLinkedElsewhere: boolean;
  nextStep: SigningStep;
};

/**
 * All data of the signing page, from the database and never from the URL. Throws mandate_not_found unless the visitor has
 * the token of the authorizationUrl or owns the mandate or its agent.
 */
export async function forSigning(ctx: Ctx, id: MandateId, token: string | undefined): Promise<SigningView> {
  const row = await findEntitled(ctx, id, token, { isOverFine: true });
  const owned = toOwnedMandate(ctx, row);
  const visitorId = ctx.actor.type === "owner" ? ctx.actor.ownerId : null;
  const parties = [row.mandate.ownerId, row.agentOwnerId].filter((partyId) => partyId !== null);
  const isLinkedElsewhere = visitorId !== null && parties.some((partyId) => partyId !== visitorId);
  const visitor = visitorId === null ? "anonymous" : isLinkedElsewhere ? "stranger" : "owner";
  return {
    ...owned,
    isTokenValid: isTokenOf(row.mandate, token),
    isLinkedElsewhere,
    nextStep: nextStep(owned.status, visitor),
  };
}

const READ_MAX = 50;

/** Why no mandate covers a payment. `mandateId` and `authorizationUrl` are those of the mandate that comes closest. */
export type Uncovered = {
  code: string;
  message: string;
  mandateId: MandateId | null;
  authorizationUrl: string | null;
};

/** Why no mandate of the agent covers this payment: the mandate to have signed, or what the nearest one lacks. */
export async function explainUncovered(
  ctx: Ctx<Agent>,
  { host, amount, network }: { host: string; amount: Usdc; network: NetworkName },
): Promise<Uncovered> {
  const now = ctx.now();
  const charge = { host, amount, network, defaultPort: "443" };
  const { rows } = await listForAgent(ctx, { limit: READ_MAX });
  const ofNetwork = rows.filter((mandate) => mandate.network === network);
  // Checked as if it were signed: the agent needs this signature, not a second proposal.
  const waiting = ofNetwork.find(
    (m) => isUndecided(m, now) && refusal({ ...m, state: "signed", isEnabled: true }, charge, now) === null,
  );
  const nearest = waiting ?? ofNetwork[0];
  const code = nearest && refusal(nearest, charge, now);
  if (!nearest || !code) {
    const message = `This agent has no mandate for this payment on ${network}. Propose one with POST /api/mandates/create-intent and have the user sign it`;
    return { code: "mandate_not_found", message, mandateId: null, authorizationUrl: null };
  }
  const details = explain(code, nearest, charge, now, ctx.config.baseUrl, await tokens(ctx));
  const { message = mandateErrors.table[code][1], authorizationUrl = null } = details;
  return { code, message, mandateId: nearest.id, authorizationUrl };
}

/** What happened to a mandate and its vault, newest first; not the payments under it. Throws mandate_not_found. */
export async function eventsOf(
  ctx: Ctx<Owner>,
  mandateId: MandateId,
  { after: cursor, limit }: { after?: Cursor | undefined; limit: number },
): Promise<CursorPage<PastEvent>> {
  const { agentId, createdAt } = (await findOwn(ctx, mandateId)).mandate;
  const filter = {
    ownerId: ctx.actor.ownerId,
    agentIds: [agentId],
    agentId,
    about: { subjects: [mandateId], since: createdAt },
    after: cursor,
    limit: limit + 1,
  };
  const rows = await ctx.readOld((db) => listEvents(db, filter));
  return cutAfter(rows, limit, (event) => ({ time: event.createdAt, id: event.id }));
}
