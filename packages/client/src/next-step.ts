import type { Outcome } from "./errors.ts";

/** What a model does after a purchase that did not end with a delivery. Undefined: nothing was signed. */
export function nextStepAfter(outcome: Outcome | undefined): string {
  switch (outcome) {
    case "unknown":
    case "declined":
      return "Do not pay with another key. Repeat the call with the same idempotencyKey: it presents the same payment, which is never paid twice";
    case "paid":
      return "Do not pay again: the money moved, and only the answer was lost. Tell the user";
    case "not_paid":
      return "Nothing was paid. Another attempt needs another idempotencyKey";
    case undefined:
      return "Nothing was paid. Another attempt takes the same idempotencyKey";
    default:
      return outcome satisfies never;
  }
}
