import { getPayout } from "@/lib/payouts/contract";
import { toPayoutItem, toPayoutResponse, toRedactedResponse } from "@/lib/payouts/responses";
import * as payouts from "@/lib/payouts/service";
import { route } from "@/lib/wiring";

export const GET = route(getPayout, async ({ actor, ...system }, { params: { payoutId } }) => {
  const { baseUrl } = system.config;
  if (actor.type === "anonymous") {
    return toRedactedResponse(toPayoutItem(await payouts.getOnly(system, payoutId), baseUrl, system.now()));
  }
  const view = await payouts.getForAgent({ ...system, actor }, payoutId);
  const token = (await payouts.tokens(system))(view.payout.id);
  const item = toPayoutItem(view, baseUrl, system.now(), token);
  return toPayoutResponse(item, await payouts.summaryOf(system, view));
});
