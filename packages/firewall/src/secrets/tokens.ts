import { bearerClaims, offerTerms, priceTerms, publishedTypes, registeredClaims } from "./rules.ts";

/**
 * Whether a signed token, its first two parts decoded, is a seller's offer or a receipt: signed for everybody to read. Any
 * other one, and whatever cannot be read, may let in or pay for whoever presents it.
 */
export function isOffer(header: string, claims: string): boolean {
  if (!header.includes('"alg"') || !claims.startsWith("{")) return false;
  if (publishedTypes.test(header)) return true;
  if (bearerClaims.test(claims)) return false;
  return offerTerms.test(claims) || (priceTerms.test(claims) && !registeredClaims.test(claims));
}
