import { parseUrl } from "@tessera/x402/url";

/** A message from a framed checkout to its parent page. `settlementId` is null until the service has accepted a payment. */
export type PaymentNews = {
  source: "tessera";
  type: "tessera.payment";
  /** `settled`: the payment is confirmed on-chain. `closed`: the buyer wants to close the frame. */
  status: "settled" | "pending" | "closed";
  linkId: string;
  settlementId: string | null;
};
export type FrameNews = PaymentNews | { source: "tessera"; type: "tessera.ready"; linkId: string };

export type PaymentState = { at: string; settlementId?: string | null | undefined };

/** The message for a payment's state; null if there is nothing to report. */
export function newsOf(linkId: string, { at: paymentType, settlementId = null }: PaymentState): PaymentNews | null {
  const status = STATUSES[paymentType];
  return status ? { source: "tessera", type: "tessera.payment", status, linkId, settlementId } : null;
}

/** A payment that was declined, presented elsewhere or not answered may still settle. */
const STATUSES: Record<string, "settled" | "pending" | undefined> = {
  settled: "settled",
  pending: "pending",
  declined: "pending",
  unknown: "pending",
  used: "pending",
};

/** The origins to post messages to: the parent page's if the browser reveals it and it may frame the page, otherwise all allowed ones. */
export function receiversOf(origins: readonly string[], saidParent: string | undefined): readonly string[] {
  const parent = saidParent === undefined ? undefined : parseUrl(saidParent)?.origin;
  return parent !== undefined && origins.includes(parent) ? [parent] : origins;
}
