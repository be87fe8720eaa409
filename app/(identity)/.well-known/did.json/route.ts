import { getDidDocument, publicHeaders } from "@/lib/identity/contract";
import { didDocument } from "@/lib/identity/service";
import { route } from "@/lib/wiring";

export const GET = route(getDidDocument, async (ctx) =>
  Response.json(await didDocument(ctx), { headers: publicHeaders }),
);
