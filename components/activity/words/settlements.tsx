import type { ReactNode } from "react";
import { receiptHref } from "@/components/payments/money-row";
import { Time } from "@/components/ui/time";
import { type ActivityEvent, type Describe, settlementReceipt, sum } from "./event";

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
