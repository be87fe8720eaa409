import { listSpendingCaps, setSpendingCap, toCapView } from "@/lib/mandates/caps/contract";
import * as caps from "@/lib/mandates/caps/service";
import { route } from "@/lib/wiring";

export const GET = route(listSpendingCaps, async (ctx) => ({
  status: "ok" as const,
  caps: (await caps.listOwned(ctx)).map((cap) => toCapView(cap, ctx.now())),
}));

export const POST = route(setSpendingCap, async (ctx, { body }) => {
  const cap = await caps.setCap(ctx, body);
  return { status: "ok" as const, cap: cap && toCapView(cap, ctx.now()) };
});
