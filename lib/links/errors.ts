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
    "redirectUrl must be an https URL on an origin that the operator allows (REDIRECT_ORIGINS), or this service's front page, a payment link or a receipt",
  ],
  EXPIRY_IN_PAST: ["invalid", "expiresAt must be in the future, or null for no expiry"],
  MAX_USES_TOO_LOW: ["invalid", "maxUses must not be lower than the number of payments made or under way"],
  LINK_DISABLED: ["gone", "This link is disabled. This request took no payment"],
  LINK_EXPIRED: ["gone", "This link has expired. This request took no payment"],
  LINK_SOLD_OUT: ["gone", "Sold out. A place opens again if a pending payment fails. This request took no payment"],
});
