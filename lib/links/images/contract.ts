import { z } from "zod";
import { agentErrors } from "@/lib/agents/errors";
import { endpoint } from "@/lib/core/endpoint";
import { agentId, id } from "@/lib/core/id-text";
import { edgeErrors } from "@/lib/http/errors";
import * as sample from "@/lib/samples";
import { linkErrors } from "../errors";
import { imageUrl, type LinkImage } from "./image";
import { IMAGE_BYTES_MAX } from "./limits";

/** The image of a link. Sides in pixels. */
export const linkImage = z.object({
  imageId: id("image"),
  type: z.enum(["image/png", "image/jpeg", "image/webp"]),
  width: z.int(),
  height: z.int(),
  bytes: z.int(),
  /** Immutable: another image has another `url`. */
  url: z.string(),
});

const { IMAGE_INVALID, IMAGE_NOT_FOUND, FILES_FULL } = linkErrors.table;

export const uploadImage = endpoint({
  method: "POST",
  path: "/api/agents/{agentId}/link-images",
  summary: "Store an image for payment links of the owner's agents: a still PNG, JPEG or WebP. Metadata is not kept",
  description:
    "The body is the image itself, in any content type but JSON: a still PNG, JPEG or WebP, decided by its bytes, of 64 to 4096 pixels a side. Metadata such as the place where a photo was taken is not kept, so an image that its metadata turns is refused: turn its pixels. Then create or change a link with its `imageId`. Send no `Idempotency-Key`: it is answered 400. An image that no link gets is deleted after a day.",
  auth: "owner",
  surface: "wallet",
  limitPerAddress: "upload_per_address",
  work: 35,
  params: z.object({ agentId }),
  rawBody: { bytesMax: IMAGE_BYTES_MAX },
  response: z.object({ status: z.literal("ok"), image: linkImage }),
  errors: {
    agent_not_found: agentErrors.table.agent_not_found,
    IMAGE_INVALID,
    FILES_FULL,
    rate_limited: edgeErrors.table.rate_limited,
  },
  example: {
    responses: {
      200: {
        ...sample.OK,
        image: {
          imageId: sample.IMAGE,
          type: "image/jpeg",
          width: 1200,
          height: 800,
          bytes: 148_213,
          url: `${sample.ORIGIN}/api/payment-links/images/${sample.IMAGE}`,
        },
      },
    },
  },
});

export const getImage = endpoint({
  method: "GET",
  path: "/api/payment-links/images/{imageId}",
  summary: "The image of a payment link. Another image has another address",
  description:
    "The address is in `image.url` of a link. It never shows another image, so browsers keep it. It is answered 404 once the link has another image or none, or is deleted.",
  auth: "none",
  surface: "resource",
  limitPerAddress: "image_per_address",
  params: z.object({ imageId: id("image") }),
  response: { contentType: "image/*" },
  errors: { IMAGE_NOT_FOUND },
});

export const toImageView = (image: LinkImage, baseUrl: string): z.output<typeof linkImage> => ({
  ...image,
  url: imageUrl(baseUrl, image),
});
