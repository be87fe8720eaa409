import { readBytes } from "@/lib/http/body";
import { toImageView, uploadImage } from "@/lib/links/images/contract";
import { IMAGE_BYTES_MAX } from "@/lib/links/images/limits";
import * as images from "@/lib/links/images/service";
import { route } from "@/lib/wiring";

export const POST = route(uploadImage, async (ctx, { params: { agentId } }, req) => {
  const image = await images.upload(ctx, agentId, () => readBytes(req, IMAGE_BYTES_MAX));
  return { status: "ok" as const, image: toImageView(image, ctx.config.baseUrl) };
});
