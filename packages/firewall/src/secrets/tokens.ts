import { bearerClaims, offerTerms, priceTerms, publishedTypes, registeredClaims } from "./rules.ts";

/**
 * Whether a signed token is a seller's offer or a receipt, which are published for everybody. Takes its first two
 * parts, decoded. Any other token, and one that cannot be read, may authenticate or pay for its holder.
 */
export function isOffer(header: string, claims: string): boolean {
  if (!header.includes('"alg"') || !claims.startsWith("{")) return false;
  if (publishedTypes.test(header)) return true;
  if (bearerClaims.test(claims)) return false;
  return offerTerms.test(claims) || (priceTerms.test(claims) && !registeredClaims.test(claims));
}
