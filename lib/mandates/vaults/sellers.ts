import type { MandateId } from "@/lib/core/ids";
import type { Ctx, Owner } from "@/lib/platform/context";
import { recordOfOwner } from "@/lib/platform/events";
import { assertOwn } from "../access";
import { mandateErrors } from "../errors";
import type { Mandate } from "../store";
import * as mandates from "../store";
import { refusedSince } from "./pocket";
import * as pockets from "./pocket-store";

const SHOWN_MAX = 50;

/** Sellers that refused a vault, so that vaults of the mandate's agent do not pay them. Throws mandate_not_found. */
export async function refusingSellers(ctx: Ctx<Owner>, id: MandateId): Promise<pockets.Refusal[]> {
  const { network, agentId } = await ownMandate(ctx, id);
  const party = { ownerId: ctx.actor.ownerId, agentId, network };
  return pockets.listRefusals(ctx.db, party, refusedSince(ctx), SHOWN_MAX);
}

/**
 * Forgets that a seller refused the owner's vaults on the mandate's network. The vault itself makes the next payment to the
 * seller. Idempotent. Throws mandate_not_found.
 */
export async function forgetSeller(ctx: Ctx<Owner>, id: MandateId, host: string): Promise<void> {
  const { network } = await ownMandate(ctx, id);
  const { ownerId } = ctx.actor;
  await ctx.db.transaction(async (tx) => {
    const wasKnown = await pockets.forget(tx, { ownerId, network, host });
    if (wasKnown) await recordOfOwner(tx, ctx.now(), ownerId, "owner.seller_forgotten", { network, host });
  });
}

async function ownMandate({ db, actor }: Ctx<Owner>, id: MandateId): Promise<Mandate> {
  const parties = await mandates.findWithParties(db, id);
  if (!parties) throw mandateErrors.mandate_not_found();
  return assertOwn(actor, parties.mandate);
}
