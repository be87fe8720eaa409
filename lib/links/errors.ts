import { failures } from "@/lib/core/errors";

export const linkErrors = failures({
  LINK_NOT_FOUND: ["not_found", "There is no such payment link"],
  PAYMENT_NOT_FOUND: ["not_found", "There is no such payment"],
  WALLET_NOT_LINKED: [
    "conflict",
    "No person has linked this agent, so it has no wallet to be paid at. Create a mandate with POST /api/mandates/create-intent and have the user open its authorizationUrl and link the agent: signing is not needed to sell. The authorizationUrl of this error only explains that",
  ],
  REDIRECT_ORIGIN_NOT_ALLOWED: [
    "invalid",
    "redirectUrl and cancelUrl must be an https URL on a domain that the owner has verified (dashboard, Settings) or an origin that the operator allows (REDIRECT_ORIGINS), or this service's front page, a payment link or a receipt",
  ],
  EXPIRY_IN_PAST: ["invalid", "expiresAt must be in the future, or null for no expiry"],
  MAX_USES_TOO_LOW: ["invalid", "maxUses must not be lower than the number of payments made or under way"],
  AMOUNT_NOT_OFFERED: [
    "invalid",
    "amount must be a whole number of atomic USDC units (1000000 = 1.0 USDC) between minAmount and maxAmount",
  ],
  QUANTITY_NOT_OFFERED: ["invalid", "quantity must be a whole number from 1 to maxQuantity"],
  FIELD_INVALID: [
    "invalid",
    "This link asks its buyers for the fields in `fields`. Add them to the URL as query parameters. The one in `field` is missing or not valid",
  ],
  LINK_OF_INVOICE: [
    "conflict",
    "This link belongs to the invoice in `invoiceId`, and only the invoice changes it. To stop it, cancel the invoice",
  ],
  FILE_NOT_FOUND: ["not_found", "There is no such file, or it is not this owner's, or the address was changed"],
  FILE_URL_EXPIRED: ["gone", "The address of this file has expired. Read your purchase again for a new one"],
  FILE_EMPTY: ["invalid", "The file is empty: send its bytes as the body"],
  IMAGE_NOT_FOUND: ["not_found", "There is no such image, or it is not this owner's"],
  IMAGE_INVALID: [
    "invalid",
    "The image must be a still PNG, JPEG or WebP of 64 to 4096 pixels a side that its metadata does not turn. `reason` says what it is instead",
  ],
  FILES_FULL: [
    "conflict",
    "Your files and images would be larger together than what one owner can store. A file that no link has and nobody bought is deleted after a day",
  ],
  LINK_DISABLED: ["gone", "This link is disabled. This request took no payment"],
  LINK_EXPIRED: ["gone", "This link has expired. This request took no payment"],
  LINK_SOLD_OUT: ["gone", "Sold out. A place opens again if a pending payment fails. This request took no payment"],
});
