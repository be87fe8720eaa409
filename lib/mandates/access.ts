import { createHash } from "node:crypto";
import type { MandateId, OwnerId } from "@/lib/core/ids";
import type { Actor, Ctx, Owner, System } from "@/lib/platform/context";
import { type KeyFor, keysFor } from "@/lib/platform/secrets";
import { mandateErrors } from "./errors";
import { closing } from "./rules";
import type { Mandate } from "./store";
import * as store from "./store";

/**
 * The mandate, for its owner and for holders of its token. Throws mandate_not_found for others. `isOverFine`: accepts a token
 * even after the request was decided or has expired, so that the page can say so.
 */
export async function findEntitled(
  ctx: Ctx,
  id: MandateId,
  token: string | undefined,
  { isOverFine: acceptsClosed = false } = {},
): Promise<store.Parties> {
  const row = await store.findWithParties(ctx.db, id);
  if (!row) throw mandateErrors.mandate_not_found();
  const isToken = isTokenOf(row.mandate, token) && (acceptsClosed || isUndecided(row.mandate, ctx.now()));
  if (!isToken && !isOwnedBy(ctx.actor, row)) throw mandateErrors.mandate_not_found();
  return row;
}

/** Whether a person can still decide; the token is valid until then. */
export const isUndecided = (mandate: Mandate, now: Date): boolean => closing(mandate, now) === null;

/** Whether the actor owns the mandate, or for a draft its agent. */
const isOwnedBy = (actor: Actor, { mandate, agentOwnerId }: store.Parties): boolean =>
  actor.type === "owner" && (mandate.ownerId ?? agentOwnerId) === actor.ownerId;

export const isOfAnother = ({ mandate, agentOwnerId }: store.Parties, ownerId: OwnerId): boolean =>
  [mandate.ownerId, agentOwnerId].some((partyId) => partyId !== null && partyId !== ownerId);

/** The token in each mandate's authorizationUrl, derived from the mandate's id so that its agent can get the same URL again. */
export const tokens = (system: System): Promise<KeyFor> => keysFor(system, "who may sign a mandate");

export const isTokenOf = (mandate: Mandate, token: string | undefined): boolean =>
  token !== undefined && hashOf(token) === mandate.tokenHash;

export const hashOf = (token: string): string => createHash("sha256").update(token).digest("hex");

export function assertOwn(actor: Owner, mandate: Mandate): Mandate {
  if (mandate.ownerId !== actor.ownerId) throw mandateErrors.mandate_not_found();
  return mandate;
}

export function assertOpen(mandate: Mandate, now: Date): void {
  const reason = closing(mandate, now);
  if (reason) throw mandateErrors[reason]();
}
