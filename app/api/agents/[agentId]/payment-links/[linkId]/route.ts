import { editOf, toLinkView } from "@/lib/links/contract";
import { deleteOwnedLink, updateOwnedLink } from "@/lib/links/owned/contract";
import * as links from "@/lib/links/service";
import { route } from "@/lib/wiring";

export const PATCH = route(updateOwnedLink, async (ctx, { params, body }) => {
  const view = await links.update(ctx, await links.ownerActor(ctx, params.agentId), params.linkId, editOf(body));
  return { success: true as const, paymentLink: toLinkView(view, links.linkUrl(ctx, params.linkId), ctx.now()) };
});

export const DELETE = route(deleteOwnedLink, async (ctx, { params }) => {
  await links.remove(ctx, await links.ownerActor(ctx, params.agentId), params.linkId);
  return { success: true as const, message: "The payment link is deleted. Its payments stay on record" };
});
