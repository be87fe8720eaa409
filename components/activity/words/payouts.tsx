import { type ActivityEvent, type Describe, sum } from "./event";

const payout = (event: ActivityEvent) => ({ href: `/dashboard/payouts/${event.subject}` });
const byAgent = ({ agentId }: ActivityEvent) => agentId !== null;

export const payoutWords: Record<string, Describe> = {
  "payout.created": (event, agent) => ({
    says: (
      <>
        {byAgent(event) ? <>{agent} asked for a payout</> : "You made a payout"} of {sum(event, "amount")}
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
