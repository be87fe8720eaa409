import { z } from "zod";
import type { toPaymentView } from "@/lib/payments/responses";
import type { StoredApproval } from "./approval";
import type { StoredAnswer } from "./fetch";
import type { PurchaseOutcome } from "./rules";

export type PurchaseView = {
  outcome: PurchaseOutcome;
  message: string;
  nextStep: string;
  payment: ReturnType<typeof toPaymentView> | null;
  /** Of a call on a pass, for which nothing else is paid. */
  pass?: PassView;
  /** The seller's text: untrusted. */
  answer: StoredAnswer | null;
  /** Present while the payment waits for the user's approval. */
  approval?: StoredApproval;
};

/** What is left of a pass, as this service's `/pass/{linkId}` says. */
export const passState = z.object({
  status: z.string(),
  callsLeft: z.int().nullable(),
  /** Atomic USDC, of a pass by use. */
  amountLeft: z
    .string()
    .regex(/^\d{1,78}$/)
    .nullable(),
  callsUnderWay: z.int(),
  validUntil: z.string().nullable(),
});
export type PassState = z.output<typeof passState>;

/** `state`: null while it cannot be read, as before the payment has settled. */
export type PassView = {
  wasBoughtForThis: boolean;
  payment: ReturnType<typeof toPaymentView>;
  state: PassState | null;
};
