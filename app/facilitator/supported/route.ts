import { getSupported } from "@/lib/facilitator/contract";
import { supported } from "@/lib/facilitator/service";
import { route } from "@/lib/wiring";

export const GET = route(getSupported, async (ctx) => supported(ctx));
