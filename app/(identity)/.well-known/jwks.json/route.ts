import { reply } from "@/lib/core/endpoint";
import { getJwks, publicHeaders } from "@/lib/identity/contract";
import { jwks } from "@/lib/identity/service";
import { route } from "@/lib/wiring";

export const GET = route(getJwks, async (ctx) => reply(200, await jwks(ctx), { headers: publicHeaders }));
