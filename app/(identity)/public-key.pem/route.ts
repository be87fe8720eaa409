import { getPublicKey, publicHeaders } from "@/lib/identity/contract";
import { publicKeyPem } from "@/lib/identity/service";
import { route } from "@/lib/wiring";

export const GET = route(
  getPublicKey,
  async (ctx) =>
    new Response(await publicKeyPem(ctx), {
      headers: { ...publicHeaders, "Content-Type": getPublicKey.response.contentType },
    }),
);
