import { credentialIn, decodeCredential, type PaymentChallenge } from "@/lib/x402/payment-auth";
import { decodeProof, type Proof } from "@/lib/x402/proof";

/** A payment in the headers of a request: of either x402 version, or a credential of the scheme `Payment`. */
export type PaymentHeader = { protocol: "x402" | "mpp"; text: string };

/** The payment header, or null when it is missing or empty. x402 takes precedence, because it needs no challenge. */
export function paymentHeader({ headers }: Request): PaymentHeader | null {
  const proof = headers.get("payment-signature")?.trim() || headers.get("x-payment")?.trim();
  if (proof) return { protocol: "x402", text: proof };
  const credential = credentialIn(headers.get("authorization"));
  return credential === null ? null : { protocol: "mpp", text: credential };
}

/** A presented proof. `challenge`: the challenge that a credential of the scheme `Payment` answers; null for x402. */
export type PresentedPayment = { proof: Proof; challenge: PaymentChallenge | null };

/** Null when malformed. */
export function readPayment({ protocol, text }: PaymentHeader): PresentedPayment | null {
  if (protocol === "mpp") return decodeCredential(text);
  const proof = decodeProof(text);
  return proof && { proof, challenge: null };
}
