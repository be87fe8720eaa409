import { imageResponse } from "@/lib/http/image-response";
import { getLogo } from "@/lib/sellers/profile/contract";
import { logo } from "@/lib/sellers/profile/service";
import { route } from "@/lib/wiring";

export const GET = route(getLogo, async (ctx, { params }) => {
  const { type, bytes } = await logo(ctx, params.logoId);
  return imageResponse(type, bytes);
});
