import { hash } from "node:crypto";
import type { MandateId } from "@/lib/core/ids";
import type { Ctx, Owner, System } from "@/lib/platform/context";
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
  const { mandate, agentOwnerId } = row;
  const isToken = isTokenOf(mandate, token) && (acceptsClosed || isUndecided(mandate, ctx.now()));
  // A draft belongs to the owner of its agent.
  const isOwner = ctx.actor.type === "owner" && (mandate.ownerId ?? agentOwnerId) === ctx.actor.ownerId;
  if (!isToken && !isOwner) throw mandateErrors.mandate_not_found();
  return row;
}

/** Whether a person can still decide; the token is valid until then. */
export const isUndecided = (mandate: Mandate, now: Date): boolean => closing(mandate, now) === null;

/** The token in each mandate's authorizationUrl, derived from the mandate's id so that its agent can get the same URL again. */
export const tokens = (system: System): Promise<KeyFor> => keysFor(system, "who may sign a mandate");

export const isTokenOf = (mandate: Mandate, token: string | undefined): boolean =>
  token !== undefined && hash("sha256", token, "hex") === mandate.tokenHash;

/** The owner's mandate with its parties. Throws mandate_not_found. */
export async function findOwn(ctx: Ctx<Owner>, id: MandateId): Promise<store.Parties> {
  const parties = await store.findWithParties(ctx.db, id);
  if (!parties) throw mandateErrors.mandate_not_found();
  assertOwn(ctx.actor, parties.mandate);
  return parties;
}

export function assertOwn(actor: Owner, mandate: Mandate): Mandate {
  if (mandate.ownerId !== actor.ownerId) throw mandateErrors.mandate_not_found();
  return mandate;
}

export function assertOpen(mandate: Mandate, now: Date): void {
  const reason = closing(mandate, now);
  if (reason) throw mandateErrors[reason]();
}
