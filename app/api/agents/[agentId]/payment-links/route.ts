import { toLinkView } from "@/lib/links/contract";
import { createOwnedLink } from "@/lib/links/owned/contract";
import * as links from "@/lib/links/service";
import { route } from "@/lib/wiring";

export const POST = route(createOwnedLink, async (ctx, { params: { agentId }, body: { currency: _, ...terms } }) => {
  const view = await links.create(ctx, await links.ownerActor(ctx, agentId), terms);
  return { success: true as const, paymentLink: toLinkView(view, links.linkUrl(ctx, view.link.linkId), ctx.now()) };
});
