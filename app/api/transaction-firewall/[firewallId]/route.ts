import { discoverFirewall, toDiscoveryResponse } from "@/lib/firewall/contract";
import * as firewall from "@/lib/firewall/service";
import { preflight } from "@/lib/http/cors";
import { route } from "@/lib/wiring";

export const GET = route(discoverFirewall, async (ctx, { params }) => {
  firewall.assertFirewall(ctx, params.firewallId);
  return toDiscoveryResponse(params.firewallId, firewall.offers(ctx));
});

export const OPTIONS = preflight;
