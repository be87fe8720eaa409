import type { NetworkName } from "../../x402/src/networks.ts";

export type { NetworkName };

/** A signed payment, as JSON: store it to present it again after a restart. Anyone who has it can submit it. */
export type Proof = {
  /** The URL that it was signed for. */
  url: string;
  header: "X-PAYMENT" | "PAYMENT-SIGNATURE";
  value: string;
  amount: string;
  network: NetworkName;
  payer: string;
  payTo: string;
  /** ISO 8601. After that it moves no money. */
  validUntil: string;
  /** `tessera.payments.get(paymentRecordId)` shows what the chain made of it. */
  paymentRecordId: string;
  idempotencyKey: string;
};

export type Receipt = {
  proof: Proof;
  amount: string;
  network: NetworkName;
  payer: string;
  payTo: string;
  paymentRecordId: string;
  /** As the seller reports it; null if the seller does not. */
  txHash: string | null;
  /** Of sellers that this service settles for. */
  settlementId: string | null;
  receiptUrl: string | null;
};
