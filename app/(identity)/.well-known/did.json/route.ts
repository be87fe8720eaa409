import { reply } from "@/lib/core/endpoint";
import { getDidDocument, publicHeaders } from "@/lib/identity/contract";
import { didDocument } from "@/lib/identity/service";
import { route } from "@/lib/wiring";

export const GET = route(getDidDocument, async (ctx) => reply(200, await didDocument(ctx), { headers: publicHeaders }));
