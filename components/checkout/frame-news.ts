/** What a framed checkout says to the page around it. `settlementId`: null until the service has accepted a payment. */
export type PaymentNews = {
  source: "tessera";
  type: "tessera.payment";
  /** `settled` only when the chain has shown the payment. `closed`: the buyer wants to leave the frame. */
  status: "settled" | "pending" | "closed";
  linkId: string;
  settlementId: string | null;
};
export type FrameNews = PaymentNews | { source: "tessera"; type: "tessera.ready"; linkId: string };

export type PaymentState = { at: string; settlementId?: string | null | undefined };

/** The news of a payment; null while there is nothing to say. */
export function newsOf(linkId: string, { at, settlementId = null }: PaymentState): PaymentNews | null {
  const status = STATUSES[at];
  return status ? { source: "tessera", type: "tessera.payment", status, linkId, settlementId } : null;
}

/** A payment that was declined, used elsewhere or got no answer may still settle. */
const STATUSES: Record<string, "settled" | "pending" | undefined> = {
  settled: "settled",
  pending: "pending",
  declined: "pending",
  unknown: "pending",
  used: "pending",
};

/** Of the origins that may frame the page, the one that does, if the browser says so; otherwise all of them. */
export function receiversOf(origins: readonly string[], saidParent: string | undefined): readonly string[] {
  const parent = saidParent !== undefined && URL.canParse(saidParent) ? new URL(saidParent).origin : undefined;
  return parent !== undefined && origins.includes(parent) ? [parent] : origins;
}
