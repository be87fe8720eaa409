import { parseUrl } from "@tessera/x402/url";
import type { ReactNode } from "react";
import { hostText, listText, reasonText, reportHref } from "@/components/attempts/words";
import { receiptHref } from "@/components/payments/money-row";
import { utcMinute } from "@/components/ui/format-time";
import { Time } from "@/components/ui/time";
import { CREDITS } from "@/lib/x402/credits";
import { type ActivityEvent, byOwner, type Describe, settlementReceipt, sum } from "./event";

const payments = { href: "/dashboard/payments" };
const approval = (event: ActivityEvent) => ({ href: `/authorize/payment/${event.subject}` });

/** The mandate, with its refusals; without one, where a denial is reported. */
function refusalPage({ meta: { mandateId, reason, payTo } }: ActivityEvent): { href?: string } {
  if (typeof mandateId === "string") return { href: `/mandates/${mandateId}` };
  const report = reportHref(String(reason), payTo);
  return report === null ? {} : { href: report };
}

export const paymentWords: Record<string, Describe> = {
  "payment.approval_requested": (event, agent) => ({
    says: (
      <>
        {agent} asked you to pay {sum(event, "amount")}
        <Host resource={event.meta.resource} />
      </>
    ),
    tone: "info",
    ...approval(event),
  }),
  "payment.approved": (event, agent) => ({
    says: (
      <>
        You approved a payment of {agent}: {sum(event, "amount")}
        <Host resource={event.meta.resource} />
      </>
    ),
    tone: "good",
    ...approval(event),
  }),
  "payment.denied": (event, agent) => ({
    says: (
      <>
        You rejected a payment of {agent}: {sum(event, "amount")}
        <Host resource={event.meta.resource} />
      </>
    ),
    tone: "neutral",
    ...approval(event),
  }),
  "payment.refused": (event, agent) => ({
    says: (
      <>
        A payment of {agent} was refused: {sum(event, "amount")}
        {typeof event.meta.host === "string" && (
          <>
            {" "}
            to <bdi className="[overflow-wrap:anywhere]">{hostText(event.meta.host)}</bdi>
          </>
        )}
        . {reasonText(String(event.meta.reason))}
      </>
    ),
    tone: "warn",
    ...refusalPage(event),
  }),
  "payment.settled": (event, agent) => ({
    says: (
      <>
        {agent} paid {sum(event, "amount")}
        {event.meta.network === CREDITS.network && " in service credits"}
        <Host resource={event.meta.resource} />
      </>
    ),
    tone: "good",
    ...payments,
  }),
  "payment.cancelled": (event, agent) => ({
    says: (
      <>
        A payment of {agent} was cancelled. {sum(event, "amount")} did not move
      </>
    ),
    tone: "neutral",
    ...payments,
  }),
  "payment.reopened": (event, agent) => ({
    says: (
      <>
        The chain reversed a payment of {agent}. We are checking {sum(event, "amount")} again
      </>
    ),
    tone: "warn",
    ...payments,
  }),
};

function Host({ resource }: { resource: unknown }) {
  const url = typeof resource === "string" ? parseUrl(resource) : null;
  if (!url) return null;
  return (
    <>
      {" "}
      to <bdi className="[overflow-wrap:anywhere]">{url.host}</bdi>
    </>
  );
}

const payout = (event: ActivityEvent) => ({ href: `/dashboard/payouts/${event.subject}` });
const byAgent = ({ agentId }: ActivityEvent) => agentId !== null;

export const payoutWords: Record<string, Describe> = {
  "payout.created": (event, agent) => ({
    says: (
      <>
        {byAgent(event) ? <>{agent} asked for a payout</> : "You created a payout"} of {sum(event, "amount")}
      </>
    ),
    tone: "info",
    ...payout(event),
  }),
  "payout.approved": (event, agent) => ({
    says: (
      <>
        {byAgent(event) ? <>A payout of {agent} was approved</> : "You approved a payout"}: {sum(event, "amount")}
      </>
    ),
    tone: "good",
    ...payout(event),
  }),
  "payout.denied": (event, agent) => ({
    says: (
      <>
        You rejected a payout of {agent}: {sum(event, "amount")}
      </>
    ),
    tone: "neutral",
    ...payout(event),
  }),
  "payout.cancelled": (event, agent) => ({
    says: (
      <>
        {byAgent(event) ? <>A payout of {agent} was cancelled</> : "You cancelled a payout"}: {sum(event, "amount")}
      </>
    ),
    tone: "neutral",
    ...payout(event),
  }),
  "payout.succeeded": (event, agent) => ({
    says: (
      <>
        {byAgent(event) ? <>A payout of {agent} was paid</> : "A payout was paid"}: {sum(event, "amount")}
      </>
    ),
    tone: "good",
    ...payout(event),
  }),
  "payout.failed": (event, agent) => ({
    says: (
      <>
        {byAgent(event) ? <>A payout of {agent} failed</> : "A payout failed"}: {sum(event, "amount")}
      </>
    ),
    tone: "bad",
    ...payout(event),
  }),
};

const page = (event: ActivityEvent) => ({ href: `/authorize/payee/${event.subject}` });

/** The host and the address from the event's details. */
const Pair = ({ event: { meta } }: { event: ActivityEvent }) => (
  <>
    <bdi className="[overflow-wrap:anywhere]">{String(meta.origin)}</bdi>:{" "}
    <span className="mono [overflow-wrap:anywhere]">{String(meta.payTo)}</span>
  </>
);

export const payeeWords: Record<string, Describe> = {
  "payee.denied_under_way": (event) => ({
    says: (
      <>
        <bdi className="font-mono [overflow-wrap:anywhere]">{event.subject}</bdi> was put on {listText(event.meta.list)}{" "}
        after a payment of {sum(event, "amount")} to it was signed. That payment can still settle; further ones are
        refused
      </>
    ),
    tone: "warn",
    ...payments,
  }),
  "payee.requested": (event, agent) => ({
    says: (
      <>
        {agent} wants to pay a new address for <Pair event={event} />
      </>
    ),
    tone: "info",
    ...page(event),
  }),
  "payee.confirmed": (event) => ({
    says: (
      <>
        {event.meta.by === "host" ? "A host confirmed its address" : "You confirmed an address"} for{" "}
        <Pair event={event} />
      </>
    ),
    tone: "good",
    ...page(event),
  }),
  "payee.changed": (event) => ({
    says: (
      <>
        The address changed for <Pair event={event} />, previously{" "}
        <span className="mono [overflow-wrap:anywhere]">{String(event.meta.previousPayTo)}</span>
      </>
    ),
    tone: "warn",
    ...page(event),
  }),
  "payee.refused": (event) => ({
    says: (
      <>
        You refused an address for <Pair event={event} />
      </>
    ),
    tone: "neutral",
    ...page(event),
  }),
};

const refund = (event: ActivityEvent) => ({ href: `/authorize/refund/${event.subject}` });

export const refundWords: Record<string, Describe> = {
  "refund.created": (event, agent) => ({
    says: (
      <>
        {byOwner(event) ? <>You prepared a refund for {agent}</> : <>{agent} asked you for a refund</>} of{" "}
        {sum(event, "amount")}
      </>
    ),
    tone: "info",
    ...refund(event),
  }),
  "refund.approved": (event, agent) => ({
    says: <>You approved a refund of {agent}</>,
    tone: "neutral",
    ...refund(event),
  }),
  "refund.cancelled": (event, agent) => ({
    says: byOwner(event) ? <>You rejected a refund of {agent}</> : <>{agent} cancelled a refund</>,
    tone: "neutral",
    ...refund(event),
  }),
  "refund.settled": (event, agent) => ({
    says: (
      <>
        A refund of {agent} was paid: {sum(event, "amount")}
      </>
    ),
    tone: "good",
    ...refund(event),
  }),
  "refund.failed": (event, agent) => ({
    says: (
      <>
        A refund of {agent} failed. {sum(event, "amount")} did not move
      </>
    ),
    tone: "bad",
    ...refund(event),
  }),
};

const receipt = (event: ActivityEvent) => ({ href: receiptHref(event.subject) });

export const settlementWords: Record<string, Describe> = {
  "credits.taken_back": (event) => ({
    says: `The chain reversed a purchase of service credits for ${sum(event, "amount")}`,
    tone: "warn",
    ...settlementReceipt(event),
  }),
  "settlement.settled": (event, agent) => ({ says: settled(event, agent), tone: "good", ...receipt(event) }),
  "settlement.declined": (event, agent) => ({ says: declined(event, agent), tone: "warn", ...receipt(event) }),
  "settlement.failed": (event, agent) => ({ says: failed(event, agent), tone: "bad", ...receipt(event) }),
};

function settled(event: ActivityEvent, agent: ReactNode): ReactNode {
  if (event.meta.purpose === "deposit") return `You deposited ${sum(event, "amount")}`;
  if (event.meta.purpose === "withdrawal") return `You withdrew ${sum(event, "amount")}`;
  if (event.meta.purpose === "credits") return `Service credits were bought for ${sum(event, "amount")}`;
  if (event.meta.purpose === "facilitator") return `One of your servers was paid ${sum(event, "amount")}`;
  if (event.meta.purpose === "refund") return <>The transfer of a refund of {agent} was made</>;
  if (event.meta.purpose === "payout") return `A transfer of a payout was made: ${sum(event, "amount")}`;
  return (
    <>
      {agent} was paid {sum(event, "amount")}
    </>
  );
}

function declined(event: ActivityEvent, agent: ReactNode): ReactNode {
  const until = typeof event.meta.stillValidUntil === "string" && (
    <>
      {" "}
      until <Time at={new Date(event.meta.stillValidUntil)} form="short" />
    </>
  );
  const { purpose } = event.meta;
  if (purpose === "deposit") return <>A deposit was not settled. It can still be made{until}</>;
  if (purpose === "withdrawal") return <>A withdrawal was not settled. It can still be made{until}</>;
  if (purpose === "credits") return <>A purchase of service credits was not settled. It can still be made{until}</>;
  if (purpose === "payout") return <>A transfer of a payout was not settled. It can still be made{until}</>;
  if (purpose === "facilitator")
    return <>A payment to one of your servers was not settled. It can still be made{until}</>;
  if (purpose === "refund")
    return (
      <>
        A refund of {agent} was not settled. It can still be made{until}
      </>
    );
  return (
    <>
      A payment to {agent} was not settled. It can still be made{until}
    </>
  );
}

function failed(event: ActivityEvent, agent: ReactNode): ReactNode {
  if (event.meta.purpose === "deposit") return "A deposit failed. No money moved";
  if (event.meta.purpose === "withdrawal") return "A withdrawal failed. No money moved";
  if (event.meta.purpose === "credits") return "A purchase of service credits failed. No money moved";
  if (event.meta.purpose === "refund") return <>The transfer of a refund of {agent} failed. No money moved</>;
  if (event.meta.purpose === "payout") return "A transfer of a payout failed. No money moved";
  if (event.meta.purpose === "facilitator") return "A payment to one of your servers failed. No money moved";
  return <>A payment to {agent} failed. No money moved</>;
}

/** An invoice is paid at a link of its own; its reference is the invoice's number. */
const isInvoice = ({ meta }: ActivityEvent): boolean => typeof meta.invoiceId === "string";

const link = (event: ActivityEvent) => ({
  href: isInvoice(event) ? `/dashboard/invoices/${event.meta.invoiceId}` : `/dashboard/links/${event.subject}`,
});

function Thing({ event }: { event: ActivityEvent }) {
  return isInvoice(event) ? (
    <>
      invoice <bdi className="[overflow-wrap:anywhere]">{String(event.meta.reference)}</bdi>
    </>
  ) : (
    "a payment link"
  );
}

export const linkWords: Record<string, Describe> = {
  "payment_link.created": (event, agent) => ({
    says: byOwner(event) ? (
      <>
        You created <Thing event={event} /> of {agent} for {sum(event, "amount")}
      </>
    ) : (
      <>
        {agent} created <Thing event={event} /> for {sum(event, "amount")}
      </>
    ),
    tone: "info",
    ...link(event),
  }),
  "payment_link.updated": (event, agent) => ({
    says: isInvoice(event) ? (
      byOwner(event) ? (
        <>
          You cancelled <Thing event={event} /> of {agent}
        </>
      ) : (
        <>
          {agent} cancelled <Thing event={event} />
        </>
      )
    ) : (
      <>
        {byOwner(event) ? <>You changed a payment link of {agent}</> : <>{agent} changed a payment link</>}
        {changes(event)}
      </>
    ),
    tone: "neutral",
    ...link(event),
  }),
  "payment_link.deleted": (event, agent) => ({
    says: byOwner(event) ? <>You deleted a payment link of {agent}</> : <>{agent} deleted a payment link</>,
    tone: "neutral",
  }),
  "payment_link.paid": (event, agent) => ({
    says: isInvoice(event) ? (
      <>
        <bdi className="[overflow-wrap:anywhere]">Invoice {String(event.meta.reference)}</bdi> of {agent} was paid:{" "}
        {sum(event, "amount")}
      </>
    ) : (
      <>
        A payment link of {agent} was paid {sum(event, "amount")}
      </>
    ),
    tone: "good",
    ...settlementReceipt(event),
  }),
};

/** The changed fields of a link, with old and new values where these are short and contain no user text. */
function changes({ meta }: ActivityEvent): string {
  const names = Array.isArray(meta.changed)
    ? meta.changed.map(String).filter((name) => Object.hasOwn(FIELDS, name))
    : [];
  const parts = names.map((name) => {
    const [from, to] = [shortly(meta.from, name), shortly(meta.to, name)];
    return from === undefined || to === undefined ? FIELDS[name] : `${FIELDS[name]} from ${from} to ${to}`;
  });
  return parts.length > 0 ? `: ${parts.join(", ")}` : "";
}

function shortly(values: unknown, name: string): string | undefined {
  const value = typeof values === "object" && values !== null ? new Map(Object.entries(values)).get(name) : undefined;
  if (name === "status") return value === "active" ? "on" : value === "disabled" ? "off" : undefined;
  if (name === "maxUses") return value === null ? "any" : typeof value === "number" ? String(value) : undefined;
  if (name !== "expiresAt") return undefined;
  if (value === null) return "never";
  return typeof value === "string" ? utcMinute(new Date(value)) : undefined;
}

const FIELDS: Record<string, string> = {
  description: "description",
  resourceContent: "content",
  file: "file",
  image: "image",
  redirectUrl: "redirect",
  status: "switched",
  expiresAt: "expiry",
  maxUses: "number of payments",
};
