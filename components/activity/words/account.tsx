import { parseUrl } from "@tessera/x402/url";
import { shorten } from "@/components/ui/shorten";
import { isRecord } from "@/lib/core/record";
import { type ActivityEvent, byOwner, type Describe, sum } from "./event";

const webhook = (event: ActivityEvent) => ({ href: `/dashboard/webhooks/${event.subject}` });

const FACILITATOR = { href: "/dashboard/facilitator" };
const keyName = ({ meta }: ActivityEvent) => <bdi className="[overflow-wrap:anywhere]">{String(meta.name)}</bdi>;

export const accountWords: Record<string, Describe> = {
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
  "facilitator_key.created": (event) => ({
    says: <>You created the API key {keyName(event)}</>,
    tone: "neutral",
    ...FACILITATOR,
  }),
  "facilitator_key.updated": (event) => ({
    says: <>You changed the API key {keyName(event)}</>,
    tone: "neutral",
    ...FACILITATOR,
  }),
  "facilitator_key.revoked": (event) => ({
    says: <>You revoked the API key {keyName(event)}</>,
    tone: "warn",
    ...FACILITATOR,
  }),
  "owner.approval_limit_changed": (event) => ({
    says: `You changed your approval limit from ${sum(event, "from")} to ${sum(event, "to")}`,
    tone: "neutral",
    href: "/dashboard/settings",
  }),
  "owner.spending_cap_changed": (event) => ({
    says: event.agentId === null ? "You changed the limit on all spending" : "You changed the limit on an agent",
    tone: "neutral",
    href: "/dashboard/wallet",
  }),
  "owner.payee_lists_changed": () => ({
    says: "You changed whom your agents may pay",
    tone: "neutral",
    href: "/dashboard/wallet#payees",
  }),
  "owner.domain_added": (event) => ({
    says: <>You added the domain {host(event)}, to verify it</>,
    tone: "neutral",
    ...DOMAINS,
  }),
  "owner.domain_verified": (event) => ({
    says: <>You verified the domain {host(event)}</>,
    tone: "good",
    ...DOMAINS,
  }),
  "owner.domain_lost": (event) => ({
    says: <>The domain {host(event)} has not shown its proof for a week and is no longer verified</>,
    tone: "warn",
    ...DOMAINS,
  }),
  "owner.profile_changed": () => ({
    says: "You changed your seller profile",
    tone: "neutral",
    href: "/dashboard/settings#profile",
  }),
  "owner.domain_removed": (event) => ({
    says: <>You removed the domain {host(event)}</>,
    tone: "neutral",
    ...DOMAINS,
  }),
  "owner.signed_in": () => ({ says: "You signed in", tone: "neutral" }),
  "agent.registered": (_, agent) => ({ says: <>{agent} registered</>, tone: "neutral" }),
  "agent.linked": (_, agent) => ({ says: <>You linked {agent} to your account</>, tone: "good" }),
  "agent.unlinked": ({ meta }, agent) => ({
    says: meta.by === "agent" ? <>{agent} unlinked itself from your account</> : <>You unlinked {agent}</>,
    tone: "warn",
  }),
  "agent.token_rotated": ({ meta }, agent) => ({
    says: meta.by === "agent" ? <>{agent} got a new token</> : <>You created a new token for {agent}</>,
    tone: "warn",
  }),
  "agent.app_connected": ({ meta }, agent) => ({
    says: (
      <>
        You let <AppName meta={meta} /> act as {agent}
      </>
    ),
    tone: "warn",
    href: "/dashboard/agents",
  }),
  "agent.app_disconnected": ({ meta }, agent) => ({
    says: (
      <>
        <AppName meta={meta} /> can no longer act as {agent}
        {meta.by === "replay" && ": one of its tokens was used twice, so it may be stolen"}
        {meta.by === "app" && ": it ended this itself"}
        {meta.by === "expiry" && ": its access has expired"}
      </>
    ),
    tone: meta.by === "replay" ? "bad" : "neutral",
    href: "/dashboard/agents",
  }),
  "agent.updated": ({ meta }, agent) => ({
    says:
      meta.paymentScan !== undefined ? (
        <>You changed which payments of {agent} are scanned</>
      ) : meta.receivingAddress !== undefined ? (
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
};

/** The name that an app gave itself: untrusted text. */
function AppName({ meta }: { meta: ActivityEvent["meta"] }) {
  return <bdi className="[overflow-wrap:anywhere]">“{typeof meta.app === "string" ? meta.app : "an app"}”</bdi>;
}

/** The audience of a credential, chosen by the agent: untrusted text, isolated and shortened. */
function Audience({ event }: { event: ActivityEvent }) {
  const { audience } = event.meta;
  if (typeof audience !== "string") return "somebody";
  const letters = [...audience];
  const excerpt = letters.length > AUDIENCE_MAX ? `${letters.slice(0, AUDIENCE_MAX - 1).join("")}…` : audience;
  return <bdi className="[overflow-wrap:anywhere]">{excerpt}</bdi>;
}

const AUDIENCE_MAX = 80;

const DOMAINS = { href: "/dashboard/settings#domains" };

const host = ({ meta: { origin } }: ActivityEvent) => (
  <bdi>{(typeof origin === "string" && parseUrl(origin)?.host) || "a domain"}</bdi>
);

const SETTINGS = { href: "/dashboard/settings" };
const BOOK = { href: "/dashboard/payouts/addresses" };
const NOTIFICATIONS = { href: "/dashboard/settings#notifications" };

/** Describes changes to the address book, notices and sessions. */
export const settingWords: Record<string, Describe> = {
  "owner.address_added": (event) => ({
    says: (
      <>
        You added {named(event.meta.name)} to your address book{renderAddress(event)}
      </>
    ),
    tone: "neutral",
    ...BOOK,
  }),
  "owner.recovery_sent": (event) => ({
    says: (
      <>
        You sent {event.meta.token === null ? "ETH" : <>the token {named(event.meta.symbol ?? "without a name")}</>}{" "}
        from your spending wallet to your own address
      </>
    ),
    tone: "neutral",
    href: "/dashboard/wallet",
  }),
  "owner.address_renamed": (event) => ({
    says: (
      <>
        You renamed {named(nameIn(event.meta.from))} in your address book to {named(nameIn(event.meta.to))}
        {renderAddress(event)}
      </>
    ),
    tone: "neutral",
    ...BOOK,
  }),
  "owner.address_removed": (event) => ({
    says: (
      <>
        You removed {named(event.meta.name)} from your address book{renderAddress(event)}
      </>
    ),
    tone: "neutral",
    ...BOOK,
  }),
  "owner.seller_forgotten": (event) => ({
    says: (
      <>
        You asked us to try <bdi>{String(event.meta.host)}</bdi> again, which refused payments from vaults
      </>
    ),
    tone: "neutral",
    ...SETTINGS,
  }),
  "owner.low_balance_changed": (event) => ({
    says: `You changed your low-balance limit from ${sum(event, "from")} to ${sum(event, "to")}`,
    tone: "neutral",
    ...SETTINGS,
  }),
  "owner.mail_changed": ({ meta }) => ({
    says:
      meta.isAddressChanged !== true
        ? "You changed what we write to you about"
        : meta.hasAddress === true
          ? "You changed the address that we write to"
          : "You removed the address that we wrote to",
    tone: "neutral",
    ...SETTINGS,
  }),
  "owner.mail_confirmed": () => ({ says: "The address that we write to was confirmed", tone: "good", ...SETTINGS }),
  "owner.mail_ended": () => ({
    says: "All e-mail to you was stopped with the link in an e-mail",
    tone: "warn",
    ...SETTINGS,
  }),
  "owner.browser_notices_changed": ({ meta }) => ({
    says: (
      <>
        You {hasKinds(meta.kinds) ? "chose what is notified in" : "ended the notifications of"} {device(meta.device)}
      </>
    ),
    tone: "neutral",
    ...NOTIFICATIONS,
  }),
  "owner.session_ended": ({ meta }) => ({
    says:
      typeof meta.device === "string" ? (
        <>You ended the session of {device(meta.device)}</>
      ) : (
        `You ended all other sessions: ${String(meta.sessions)}`
      ),
    tone: "warn",
    ...SETTINGS,
  }),
  "owner.signed_out": ({ meta }) => ({ says: <>You signed out of {device(meta.device)}</>, tone: "neutral" }),
};

const named = (name: unknown) => <bdi className="font-medium [overflow-wrap:anywhere]">{String(name)}</bdi>;

const nameIn = (side: unknown): unknown => (isRecord(side) && side.name !== undefined ? side.name : "an address");

const renderAddress = ({ meta }: ActivityEvent) =>
  typeof meta.address === "string" && (
    <>
      , <span className="mono">{shorten(meta.address)}</span>
    </>
  );

const device = (deviceName: unknown) => <bdi>{typeof deviceName === "string" ? deviceName : "a browser"}</bdi>;

const hasKinds = (kinds: unknown): boolean => Array.isArray(kinds) && kinds.length > 0;

const mandate = (event: ActivityEvent) => ({ href: `/mandates/${event.subject}` });

export const mandateWords: Record<string, Describe> = {
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
    says: <>You linked a mandate request of {agent} to your account</>,
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
    says: event.meta.replacedBy ? (
      <>You moved the rest of a mandate of {agent} to a vault</>
    ) : (
      <>You revoked a mandate of {agent}</>
    ),
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
        A payment of {agent} settled that its mandate no longer covered: {sum(event, "amount")}
      </>
    ),
    tone: "bad",
    ...mandate(event),
  }),
  "vault.opened": (event, agent) => ({
    says: <>A vault of {agent} is open</>,
    tone: "good",
    ...mandate(event),
  }),
  "vault.failed": (event, agent) => ({
    says: (
      <>
        A vault of {agent} could not be opened: <bdi>{String(event.meta.failure)}</bdi>
      </>
    ),
    tone: "bad",
    ...mandate(event),
  }),
  "vault.payer_refused": (event, agent) => ({
    says: (
      <>
        <bdi>{String(event.meta.host)}</bdi> refuses payments from contracts. We pay it for {agent} through an account
        that we keep for the vault
      </>
    ),
    tone: "info",
    ...mandate(event),
  }),
  "vault.low": (event, agent) => ({
    says: (
      <>
        A vault of {agent} has {sum(event, "balance")} left, less than its mandate can still spend
      </>
    ),
    tone: "warn",
    ...mandate(event),
  }),
  "wallet.low": (event) => ({
    says: `Your spending wallet has ${sum(event, "balance")} left, less than a mandate can still spend`,
    tone: "warn",
    href: "/dashboard/wallet",
  }),
  "wallet.limit_nearly_used": (event, agent) => ({
    says: (
      <>
        {event.agentId === null ? "Your agents have" : <>{agent} has</>} used {sum(event, "usedAmount")} of{" "}
        {sum(event, "cap")} in {event.meta.window === "24_hours" ? "24 hours" : "30 days"}
      </>
    ),
    tone: "warn",
    href: "/dashboard/wallet",
  }),
  "vault.closed": (event, agent) => ({
    says: <>A vault of {agent} is empty and closed</>,
    tone: "neutral",
    ...mandate(event),
  }),
};
