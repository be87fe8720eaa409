import type { MandateId } from "@/lib/core/ids";
import { type Cursor, type CursorPage, cutAfter } from "@/lib/core/page";
import type { Ctx, Owner } from "@/lib/platform/context";
import { listEvents, type PastEvent } from "@/lib/platform/events";
import { assertOwn } from "../access";
import { mandateErrors } from "../errors";
import { findWithParties } from "../store";

/** What happened to a mandate and its vault, newest first; not the payments under it. Throws mandate_not_found. */
export async function eventsOf(
  ctx: Ctx<Owner>,
  mandateId: MandateId,
  { after: cursor, limit }: { after?: Cursor | undefined; limit: number },
): Promise<CursorPage<PastEvent>> {
  const parties = await findWithParties(ctx.db, mandateId);
  if (!parties) throw mandateErrors.mandate_not_found();
  const { agentId, createdAt } = assertOwn(ctx.actor, parties.mandate);
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
