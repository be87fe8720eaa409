import { imageResponse } from "@/lib/http/image-response";
import { getImage } from "@/lib/links/images/contract";
import * as images from "@/lib/links/images/service";
import { route } from "@/lib/wiring";

export const GET = route(getImage, async (ctx, { params }) => {
  const { type, data } = await images.get(ctx, params.imageId);
  return imageResponse(type, data);
});
