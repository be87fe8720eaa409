import { getLogo } from "@/lib/sellers/profile/contract";
import { logo } from "@/lib/sellers/profile/service";
import { route } from "@/lib/wiring";

export const GET = route(getLogo, async (ctx, { params }) => {
  const { type, bytes } = await logo(ctx, params.logoId);
  return new Response(new Uint8Array(bytes), {
    headers: {
      "Content-Type": type,
      "X-Content-Type-Options": "nosniff",
      // Opened as a page of its own, it is an inert document.
      "Content-Security-Policy": "default-src 'none'; sandbox",
      "Cross-Origin-Resource-Policy": "same-origin",
      // The address is the hash of the picture.
      "Cache-Control": "public, max-age=31536000, immutable",
    },
  });
});
