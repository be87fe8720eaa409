import type { PaymentStatus } from "@/lib/payments/tables";

/**
 * The known outcome of a purchase. `delivered`: the seller sent what was bought, whether or not the chain shows the transfer
 * yet. `not_paid`: the chain shows that the payment can no longer be made. `not_required`: the URL responded without
 * requiring a payment. `approval_required`: nothing was signed, and a person has to decide first.
 */
export type PurchaseOutcome = "delivered" | "not_paid" | "unknown" | "not_required" | "approval_required";

/** Days for which the answer of an ended purchase is kept after the last call with its key. */
export const ANSWER_DAYS = 30;

/** `hasAnswer`: the seller has delivered. `status`: the payment's state on the chain. */
export type PurchaseProgress = { hasAnswer: boolean; status: PaymentStatus };

const isOver = (status: PaymentStatus) => status === "expired" || status === "cancelled";

export function outcomeOf({
  hasAnswer,
  status,
}: PurchaseProgress): Exclude<PurchaseOutcome, "not_required" | "approval_required"> {
  if (hasAnswer) return "delivered";
  return isOver(status) ? "not_paid" : "unknown";
}

export const SAME_KEY = "Repeat the call with the same idempotencyKey and the same request";

/** The message for the caller, and the next step. */
export function wordsFor(
  { hasAnswer, status }: PurchaseProgress,
  validUntil: string,
): { message: string; nextStep: string } {
  if (hasAnswer && status === "settled")
    return { message: "Delivered, and the chain shows the transfer", nextStep: "Nothing" };
  if (hasAnswer && isOver(status))
    return {
      message: "Delivered, and the chain shows that the payment can no longer be made: no money moved",
      nextStep: "Nothing",
    };
  if (hasAnswer)
    return {
      message: "Delivered. The chain does not show the transfer yet",
      nextStep: `Do not pay again. ${SAME_KEY} to see whether the transfer was made; it returns the stored answer`,
    };
  if (isOver(status))
    return {
      message: "Not paid: the chain shows that this payment can no longer be made",
      nextStep: "To try again, use a new idempotencyKey",
    };
  if (status === "settled")
    return {
      message: "The chain shows the transfer, but the seller has not delivered",
      nextStep: `Do not pay again. ${SAME_KEY} to ask for the delivery, or contact the seller with txHash`,
    };
  return {
    message: "It is not known whether the payment will be made: the seller has its proof",
    nextStep: `Do not pay with another key. ${SAME_KEY}: it presents the same proof. After ${validUntil} the chain decides`,
  };
}

const RESERVED =
  /^(?:host|connection|content-length|transfer-encoding|upgrade|te|trailer|expect|keep-alive|cookie|forwarded|accept-encoding|x-payment|payment-signature|payment-.*|proxy-.*|sec-.*|x-forwarded-.*|x-tessera-.*)$/;

/** The caller's headers with lower-case names, or the first name that is invalid, reserved or duplicate. */
export function headersFrom(
  callerHeaders: Readonly<Record<string, string>>,
): { type: "valid"; headers: Record<string, string> } | { type: "refused"; name: string } {
  const headers = new Map<string, string>();
  for (const [name, value] of Object.entries(callerHeaders)) {
    const lower = name.toLowerCase();
    const isValid = /^[a-z0-9!#$%&'*+.^_`|~-]{1,64}$/.test(lower) && /^[\x20-\x7e\t]{0,2000}$/.test(value);
    if (!isValid || RESERVED.test(lower) || headers.has(lower)) return { type: "refused", name };
    headers.set(lower, value);
  }
  return { type: "valid", headers: Object.fromEntries(headers) };
}
