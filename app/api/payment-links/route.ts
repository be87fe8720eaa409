import { createLink, listLinks, toLinkView } from "@/lib/links/contract";
import * as links from "@/lib/links/service";
import { route } from "@/lib/wiring";

export const POST = route(createLink, async (ctx, { body: { currency: _, ...terms } }) => {
  const view = await links.create(ctx, links.agentActor(ctx), terms);
  return { success: true as const, paymentLink: toLinkView(view, links.linkUrl(ctx, view.link.linkId), ctx.now()) };
});

export const GET = route(listLinks, async (ctx, { query }) => {
  const { views, next } = await links.list(ctx, { before: query.cursor, limit: query.limit });
  return {
    success: true as const,
    paymentLinks: views.map((view) => toLinkView(view, links.linkUrl(ctx, view.link.linkId), ctx.now())),
    nextCursor: next === null ? null : String(next),
  };
});
