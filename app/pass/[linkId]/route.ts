import { paymentHeader } from "@/lib/checkout/presented";
import { assertUnusedProof, sellOffer } from "@/lib/checkout/sell-offer";
import { reply } from "@/lib/core/endpoint";
import { preflight } from "@/lib/http/cors";
import { getPass, passExtension, toOwnPass } from "@/lib/links/passes/contract";
import * as passes from "@/lib/links/passes/service";
import { paidUrl } from "@/lib/links/urls";
import * as visits from "@/lib/links/visits/service";
import { route } from "@/lib/wiring";

export const GET = route(getPass, async (ctx, { params: { linkId }, query: { terms } }, req) => {
  const token = paymentHeader(req) === null ? passes.passIn(req) : null;
  const toView = (pass: passes.OwnPass) => toOwnPass(pass, paidUrl(ctx.config.baseUrl, linkId), ctx.now());
  const pass = token && (await passes.openPass(ctx, linkId, token));
  if (pass) return reply(200, toView(pass));
  const { link, offer } = await passes.offerPass(ctx, linkId, terms).catch(async (error: unknown) => {
    await assertUnusedProof(ctx, req);
    throw error;
  });
  const tokenOf = await passes.tokens(ctx);
  return sellOffer(ctx, req, offer, {
    onSettled: async ({ id }) => toView(await passes.readPass(ctx, id)),
    onPending: (settlement) => ({ token: tokenOf(settlement) }),
    onClaim: () => passes.passWriter(ctx, link),
    isSame: (earlier) => passes.isPassOf(ctx, linkId, earlier),
    isBuyer: (id) => passes.isFromBuyer(ctx, id),
    boughtBy: (payer) => passes.usablePass(ctx, link, payer),
    onRefused: (code, payer) => visits.recordRefusal(ctx, linkId, { code, payer }),
    extensions: passExtension(ctx.config.baseUrl, link),
    refusal: token === null ? undefined : "PASS_INVALID",
  });
});

export const OPTIONS = preflight;
