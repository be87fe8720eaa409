import { hostText, reasonText } from "@/components/attempts/words";
import { CREDITS } from "@/lib/x402/credits";
import { type ActivityEvent, type Describe, sum } from "./event";

const payments = { href: "/dashboard/payments" };
const approval = (event: ActivityEvent) => ({ href: `/authorize/payment/${event.subject}` });

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
    ...(typeof event.meta.mandateId === "string" && { href: `/mandates/${event.meta.mandateId}` }),
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
        The chain took back a payment of {agent}. We are checking {sum(event, "amount")} again
      </>
    ),
    tone: "warn",
    ...payments,
  }),
};

function Host({ resource }: { resource: unknown }) {
  if (typeof resource !== "string" || !URL.canParse(resource)) return null;
  return (
    <>
      {" "}
      to <bdi className="[overflow-wrap:anywhere]">{new URL(resource).host}</bdi>
    </>
  );
}
