import { type ActivityEvent, type Describe, sum } from "./event";

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
    says: <>The domain {host(event)} did not show its proof for a week and is not verified any more</>,
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
    says: meta.by === "agent" ? <>{agent} got a new token</> : <>You made a new token for {agent}</>,
    tone: "warn",
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
  <bdi>{typeof origin === "string" && URL.canParse(origin) ? new URL(origin).host : "a domain"}</bdi>
);
