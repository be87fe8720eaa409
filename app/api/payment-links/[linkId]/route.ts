import { deleteLink, editOf, getLink, toLinkView, updateLink } from "@/lib/links/contract";
import * as links from "@/lib/links/service";
import { route } from "@/lib/wiring";

export const GET = route(getLink, async (ctx, { params: { linkId } }) => {
  const view = await links.get(ctx, linkId);
  return { success: true as const, paymentLink: toLinkView(view, links.linkUrl(ctx, linkId), ctx.now()) };
});

export const PATCH = route(updateLink, async (ctx, { params: { linkId }, body }) => {
  const view = await links.update(ctx, links.agentActor(ctx), linkId, editOf(body));
  return { success: true as const, paymentLink: toLinkView(view, links.linkUrl(ctx, linkId), ctx.now()) };
});

export const DELETE = route(deleteLink, async (ctx, { params: { linkId } }) => {
  await links.remove(ctx, links.agentActor(ctx), linkId);
  return { success: true as const, message: "The payment link is deleted. Its payments stay on record" };
});
