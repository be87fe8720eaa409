import type { ReactNode } from "react";
import { receiptHref } from "@/components/payments/money-row";
import { usdcText } from "@/components/ui/format";
import { utcMinute } from "@/components/ui/format-time";
import type { NoteTone } from "@/components/ui/note";
import { Time } from "@/components/ui/time";
import { CREDITS } from "@/lib/x402/credits";

/** An event as the activity page shows it. */
export type ToldEvent = {
  id: string;
  type: string;
  subject: string;
  agentId: string | null;
  agentName: string | null;
  meta: Record<string, unknown>;
  at: Date;
};
export type EventWords = { says: ReactNode; tone: NoteTone; href?: string };

/** Describes an event; an unknown type is shown by its name. */
export const wordsOf = (event: ToldEvent): EventWords =>
  (SAYINGS[event.type] ?? unknown)(event, <Name event={event} />);

type Saying = (event: ToldEvent, agent: ReactNode) => EventWords;

/** The agent's name is untrusted text: isolated, so that it cannot change the direction of the text around it. */
function Name({ event }: { event: ToldEvent }) {
  if (event.agentName === null) return "An agent";
  return <bdi className="font-medium [overflow-wrap:anywhere]">{event.agentName}</bdi>;
}

const sum = ({ meta }: ToldEvent, member: string): string => {
  const atomic = meta[member];
  return typeof atomic === "string" && /^\d+$/.test(atomic) ? usdcText(BigInt(atomic)) : "some USDC";
};

const mandate = (event: ToldEvent) => ({ href: `/mandates/${event.subject}` });
const payments = { href: "/dashboard/payments" };
const link = (event: ToldEvent) => ({ href: `/dashboard/links/${event.subject}` });
const refund = (event: ToldEvent) => ({ href: `/authorize/refund/${event.subject}` });
const approval = (event: ToldEvent) => ({ href: `/authorize/payment/${event.subject}` });
const webhook = (event: ToldEvent) => ({ href: `/dashboard/webhooks/${event.subject}` });
const payout = (event: ToldEvent) => ({ href: `/dashboard/payouts/${event.subject}` });
const byOwner = ({ meta }: ToldEvent) => meta.by === "owner";
const byAgent = ({ agentId }: ToldEvent) => agentId !== null;
const receipt = (event: ToldEvent) => ({ href: receiptHref(event.subject) });

/** The audience of a credential, chosen by the agent: untrusted text, isolated and shortened. */
function Audience({ event }: { event: ToldEvent }) {
  const { audience } = event.meta;
  if (typeof audience !== "string") return "somebody";
  const letters = [...audience];
  const shown = letters.length > AUDIENCE_MAX ? `${letters.slice(0, AUDIENCE_MAX - 1).join("")}…` : audience;
  return <bdi className="[overflow-wrap:anywhere]">{shown}</bdi>;
}

const AUDIENCE_MAX = 80;

const unknown: Saying = (event) => ({ says: <span className="mono">{event.type}</span>, tone: "neutral" });

const SAYINGS: Record<string, Saying> = {
  "webhook.created": (event) => ({ says: "You added a webhook", tone: "neutral", ...webhook(event) }),
  "webhook.updated": (event) => ({ says: "You changed a webhook", tone: "neutral", ...webhook(event) }),
  "webhook.verified": (event) => ({ says: "The receiver of a webhook was verified", tone: "good", ...webhook(event) }),
  "webhook.secret_rotated": (event) => ({
    says: "You gave a webhook a new secret",
    tone: "neutral",
    ...webhook(event),
  }),
  "webhook.disabled": (event) => ({
    says:
      event.meta.reason === "gone"
        ? "We disabled a webhook, because its receiver answered 410 Gone"
        : "We disabled a webhook, because it accepted nothing for three days",
    tone: "warn",
    ...webhook(event),
  }),
  "webhook.deleted": () => ({ says: "You deleted a webhook", tone: "warn" }),
  "owner.approval_limit_changed": (event) => ({
    says: `You changed your approval limit from ${sum(event, "from")} to ${sum(event, "to")}`,
    tone: "neutral",
    href: "/dashboard/settings",
  }),
  "owner.signed_in": () => ({ says: "You signed in", tone: "neutral" }),
  "agent.registered": (_, agent) => ({ says: <>{agent} registered</>, tone: "neutral" }),
  "agent.linked": (_, agent) => ({ says: <>You linked {agent} to your account</>, tone: "good" }),
  "agent.unlinked": ({ meta }, agent) => ({
    says: meta.by === "agent" ? <>{agent} unlinked itself from your account</> : <>You unlinked {agent}</>,
    tone: "warn",
  }),
  "agent.token_rotated": ({ meta }, agent) => ({
    says: meta.by === "agent" ? <>{agent} got a new token</> : <>You made a new token for {agent}</>,
    tone: "warn",
  }),
  "agent.updated": ({ meta }, agent) => ({
    says:
      "paymentScan" in meta ? (
        <>You changed which payments of {agent} are scanned</>
      ) : "receivingAddress" in meta ? (
        <>You changed where {agent} is paid</>
      ) : (
        <>You renamed {agent}</>
      ),
    tone: "neutral",
  }),
  "agent.deleted": (_, agent) => ({ says: <>You deleted {agent}</>, tone: "warn" }),
  VC_ISSUED: (event, agent) => ({
    says: (
      <>
        {agent} got a credential for <Audience event={event} />
      </>
    ),
    tone: "info",
    href: "/identity",
  }),
  "mandate.created": (event, agent) => ({
    says: (
      <>
        {byOwner(event) ? <>You prepared a mandate for {agent}</> : <>{agent} asked for a mandate</>} of up to{" "}
        {sum(event, "limitAmount")}
      </>
    ),
    tone: "info",
    ...mandate(event),
  }),
  "mandate.claimed": (event, agent) => ({
    says: <>You took on a mandate that {agent} asked for</>,
    tone: "neutral",
    ...mandate(event),
  }),
  "mandate.narrowed": (event, agent) => ({
    says: (
      <>
        You narrowed a mandate of {agent} to {sum(event, "limitAmount")}
      </>
    ),
    tone: "neutral",
    ...mandate(event),
  }),
  "mandate.signed": (event, agent) => ({
    says: (
      <>
        You signed a mandate of up to {sum(event, "limitAmount")} for {agent}
      </>
    ),
    tone: "good",
    ...mandate(event),
  }),
  "mandate.rejected": (event, agent) => ({
    says: <>You rejected a mandate of {agent}</>,
    tone: "neutral",
    ...mandate(event),
  }),
  "mandate.revoked": (event, agent) => ({
    says: <>You revoked a mandate of {agent}</>,
    tone: "warn",
    ...mandate(event),
  }),
  "mandate.enabled": (event, agent) => ({
    says: <>You resumed a mandate of {agent}</>,
    tone: "good",
    ...mandate(event),
  }),
  "mandate.disabled": (event, agent) => ({
    says: <>You paused a mandate of {agent}</>,
    tone: "warn",
    ...mandate(event),
  }),
  "mandate.budget_exceeded": (event, agent) => ({
    says: (
      <>
        The chain made a payment of {agent} that no longer fitted its mandate: {sum(event, "amount")}
      </>
    ),
    tone: "bad",
    ...mandate(event),
  }),
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
  "payment_link.created": (event, agent) => ({
    says: byOwner(event) ? (
      <>
        You made a payment link of {agent} for {sum(event, "amount")}
      </>
    ) : (
      <>
        {agent} made a payment link for {sum(event, "amount")}
      </>
    ),
    tone: "info",
    ...link(event),
  }),
  "payment_link.updated": (event, agent) => ({
    says: (
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
    says: (
      <>
        A payment link of {agent} was paid {sum(event, "amount")}
      </>
    ),
    tone: "good",
    ...(typeof event.meta.settlementId === "string" && { href: receiptHref(event.meta.settlementId) }),
  }),
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
  "credits.taken_back": (event) => ({
    says: `The chain took back a purchase of service credits for ${sum(event, "amount")}`,
    tone: "warn",
    ...(typeof event.meta.settlementId === "string" && { href: receiptHref(event.meta.settlementId) }),
  }),
  "settlement.settled": (event, agent) => ({ says: settled(event, agent), tone: "good", ...receipt(event) }),
  "settlement.declined": (event, agent) => ({ says: declined(event, agent), tone: "warn", ...receipt(event) }),
  "settlement.failed": (event, agent) => ({ says: failed(event, agent), tone: "bad", ...receipt(event) }),
};

/** The changed fields of a link, with old and new values where these are short and contain no user text. */
function changes({ meta }: ToldEvent): string {
  const names = Array.isArray(meta.changed)
    ? meta.changed.map(String).filter((name) => Object.hasOwn(FIELDS, name))
    : [];
  const told = names.map((name) => {
    const [from, to] = [shortly(meta.from, name), shortly(meta.to, name)];
    return from === undefined || to === undefined ? FIELDS[name] : `${FIELDS[name]} from ${from} to ${to}`;
  });
  return told.length > 0 ? `: ${told.join(", ")}` : "";
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
  redirectUrl: "redirect",
  status: "switched",
  expiresAt: "expiry",
  maxUses: "number of payments",
};

function settled(event: ToldEvent, agent: ReactNode): ReactNode {
  if (event.meta.purpose === "deposit") return `You deposited ${sum(event, "amount")}`;
  if (event.meta.purpose === "withdrawal") return `You withdrew ${sum(event, "amount")}`;
  if (event.meta.purpose === "credits") return `Service credits were bought for ${sum(event, "amount")}`;
  if (event.meta.purpose === "refund") return <>The transfer of a refund of {agent} was made</>;
  if (event.meta.purpose === "payout") return `A transfer of a payout was made: ${sum(event, "amount")}`;
  return (
    <>
      {agent} was paid {sum(event, "amount")}
    </>
  );
}

function declined(event: ToldEvent, agent: ReactNode): ReactNode {
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

function failed(event: ToldEvent, agent: ReactNode): ReactNode {
  if (event.meta.purpose === "deposit") return "A deposit failed. No money moved";
  if (event.meta.purpose === "withdrawal") return "A withdrawal failed. No money moved";
  if (event.meta.purpose === "credits") return "A purchase of service credits failed. No money moved";
  if (event.meta.purpose === "refund") return <>The transfer of a refund of {agent} failed. No money moved</>;
  if (event.meta.purpose === "payout") return "A transfer of a payout failed. No money moved";
  return <>A payment to {agent} failed. No money moved</>;
}

function Host({ resource }: { resource: unknown }) {
  if (typeof resource !== "string" || !URL.canParse(resource)) return null;
  return (
    <>
      {" "}
      to <bdi className="[overflow-wrap:anywhere]">{new URL(resource).host}</bdi>
    </>
  );
}
