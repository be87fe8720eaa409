import { type ActivityEvent, byOwner, type Describe, sum } from "./event";

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
    says: byOwner(event) ? <>You rejected a refund of {agent}</> : <>{agent} took back a refund</>,
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
