import { getJwks, publicHeaders } from "@/lib/identity/contract";
import { jwks } from "@/lib/identity/service";
import { route } from "@/lib/wiring";

export const GET = route(getJwks, async (ctx) => Response.json(await jwks(ctx), { headers: publicHeaders }));
