import { z } from "zod";
import { endpoint } from "@/lib/core/endpoint";
import { shownName, shownText } from "@/lib/core/shown";
import { edgeErrors } from "@/lib/http/errors";
import * as sample from "@/lib/samples";
import { sellerErrors } from "../errors";
import { LOGO_BYTES_MAX, SUPPORT_MAX } from "../limits";
import type { Profile } from "./service";
import { supportHref } from "./support";

const { logo_invalid, logo_not_found } = sellerErrors.table;
const ok = z.literal("ok");

const profile = z.object({
  name: z.string().nullable(),
  support: z.string().nullable(),
  /** The host of the verified domain that buyers see. */
  domain: z.string().nullable(),
  logoUrl: z.string().nullable(),
});
export type ProfileView = z.output<typeof profile>;

const oneProfile = z.object({ status: ok, profile });

const profileExample = {
  name: "Example Shop",
  support: "help@shop.example.com",
  domain: "shop.example.com",
  logoUrl: null,
};

const profileResponsesExample = { 200: { ...sample.OK, profile: profileExample } };

export const getProfile = endpoint({
  method: "GET",
  path: "/api/seller/profile",
  summary: "What buyers see of the owner, on checkouts and receipts",
  description: "`domain` is the oldest verified one, or null. What is null is not shown to buyers.",
  auth: "owner",
  surface: "wallet",
  response: oneProfile,
  errors: {},
  example: { responses: profileResponsesExample },
});

export const updateProfile = endpoint({
  method: "PATCH",
  path: "/api/seller/profile",
  summary: "Change the name or the contact that buyers see; null removes one. The domain is the oldest verified one",
  description:
    "It takes effect at once on every checkout, invoice and receipt of the owner's agents. Members that are left out stay as they are.",
  auth: "owner",
  surface: "wallet",
  body: z.object(
    {
      name: shownName().nullable().optional(),
      /** An e-mail address or an https URL. */
      support: shownText({ max: SUPPORT_MAX, error: "must be an e-mail address or an https URL" })
        .refine((text) => supportHref(text) !== null, "must be an e-mail address or an https URL")
        .nullable()
        .optional(),
    },
    "must be an object",
  ),
  response: oneProfile,
  errors: {},
  example: { request: { name: "Example Shop", support: "help@shop.example.com" }, responses: profileResponsesExample },
});

export const setLogo = endpoint({
  method: "POST",
  path: "/api/seller/logo",
  summary:
    "Set the logo: a PNG, JPEG or WebP of at most 200 KB and 2048 pixels a side, as base64. Only its pixels are kept",
  description:
    "The picture is written again from the parts that draw it, so that nothing but its pixels reaches buyers. One that its metadata turns is refused: turn its pixels. `logoUrl` of the response is its address, and changes with every picture.",
  auth: "owner",
  surface: "wallet",
  body: z.object({ data: z.base64("must be base64").max(Math.ceil(LOGO_BYTES_MAX / 3) * 4, "must be at most 200 KB") }),
  bodyBytesMax: 300_000,
  response: oneProfile,
  errors: { logo_invalid, rate_limited: edgeErrors.table.rate_limited },
  example: {
    request: {
      data: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    },
    responses: profileResponsesExample,
  },
});

export const removeLogo = endpoint({
  method: "DELETE",
  path: "/api/seller/logo",
  summary: "Remove the logo",
  description: "Buyers see no picture from then on. Removing a logo that is not there changes nothing.",
  auth: "owner",
  surface: "wallet",
  response: oneProfile,
  errors: {},
  example: { responses: profileResponsesExample },
});

export const getLogo = endpoint({
  method: "GET",
  path: "/api/seller-logos/{logoId}",
  summary: "A seller's logo. Its address changes with the picture",
  description:
    "Anybody may load it; pages of the checkout do. It may be cached for ever, because its address is its content's.",
  auth: "none",
  surface: "wallet",
  work: 3,
  params: z.object({ logoId: z.string().regex(/^[0-9a-f]{64}$/, "must be the id of a logo") }),
  response: { contentType: "image/*" },
  errors: { logo_not_found },
});

export const toProfileView = ({ name, support, domain, logoId }: Profile, baseUrl: string): ProfileView => ({
  name,
  support,
  domain,
  logoUrl: logoId === null ? null : `${baseUrl}/api/seller-logos/${logoId}`,
});
