import type { NetworkName } from "../../x402/src/networks.ts";

export type { NetworkName };

/** A signed payment. Serialisable as JSON: store it to present it again after a restart. Secret: whoever has it can submit it. */
export type Proof = {
  /** The URL that the payment was signed for. */
  url: string;
  /** The request header that carries `value`: X-PAYMENT in x402 v1, PAYMENT-SIGNATURE in v2, Authorization in MPP. */
  header: "X-PAYMENT" | "PAYMENT-SIGNATURE" | "Authorization";
  value: string;
  /** Atomic USDC. */
  amount: string;
  network: NetworkName;
  payer: string;
  payTo: string;
  /** ISO 8601. The proof cannot be paid after that. */
  validUntil: string;
  /** `tessera.payments.get(paymentRecordId)` returns the state of the payment on the chain. */
  paymentRecordId: string;
  idempotencyKey: string;
};

export type Receipt = {
  proof: Proof;
  /** Atomic USDC. */
  amount: string;
  network: NetworkName;
  payer: string;
  payTo: string;
  paymentRecordId: string;
  /** The transaction as the seller reports it by x402; null if it reports none. `payments.get` has it from the chain. */
  txHash: string | null;
  /** Null unless this service settles for the seller. */
  settlementId: string | null;
  /** Null unless this service settles for the seller. */
  receiptUrl: string | null;
};
