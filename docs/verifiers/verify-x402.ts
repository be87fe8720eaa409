import {
  extractJWSHeader,
  extractJWSPayload,
  verifyOfferSignatureJWS,
  verifyReceiptSignatureJWS,
} from "@x402/extensions/offer-receipt";

/** An offer or a receipt, as it is in `extensions["offer-receipt"].info`. */
type Signed = { format: "jws"; signature: string };

/**
 * The terms of a signed offer. Compare them with the entry of `accepts` that you pay, and `validUntil` with your clock. Throws
 * if the service that sells the resource did not sign it, or if its keys could not be fetched.
 */
export async function verifyOffer(offer: Signed) {
  assertSeller(offer, "x402-offer+jwt");
  return verifyOfferSignatureJWS(offer);
}

/** The facts of a signed receipt. Throws as above. */
export async function verifyReceipt(receipt: Signed) {
  assertSeller(receipt, "x402-receipt+jwt");
  return verifyReceiptSignatureJWS(receipt);
}

/**
 * The package verifies the signature with the key that the JWS itself names, which can be anybody's. So the name must be in the
 * DID of the resource's own host.
 */
function assertSeller({ signature }: Signed, typ: string): void {
  const header = extractJWSHeader(signature) as { kid?: string; typ?: string };
  if (header.typ !== typ) throw new Error(`this is not of the type ${typ}`);
  const { host } = new URL(extractJWSPayload<{ resourceUrl: string }>(signature).resourceUrl);
  if (header.kid?.split("#")[0] !== `did:web:${encodeURIComponent(host)}`) {
    throw new Error(`the key is not one of ${host}`);
  }
}
