import { endpoint } from "@/lib/core/endpoint";
import { params } from "../contract";
import { linkErrors } from "../errors";

export const getPicture = endpoint({
  method: "GET",
  path: "/api/payment-links/{linkId}/picture",
  summary:
    "The picture that previews of a payment link show: its price, its network and its image, and nothing that a seller wrote",
  description: "For messengers and search engines, which read its address from the checkout page. Anybody may load it.",
  auth: "none",
  surface: "resource",
  limitPerAddress: "picture_per_address",
  params,
  response: { contentType: "image/png" },
  errors: { LINK_NOT_FOUND: linkErrors.table.LINK_NOT_FOUND },
});
