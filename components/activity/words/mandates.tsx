import { type ActivityEvent, byOwner, type Describe, sum } from "./event";

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
        The chain made a payment of {agent} that no longer fitted its mandate: {sum(event, "amount")}
      </>
    ),
    tone: "bad",
    ...mandate(event),
  }),
  "vault.opened": (event, agent) => ({
    says: <>The vault of a mandate of {agent} is open</>,
    tone: "good",
    ...mandate(event),
  }),
  "vault.failed": (event, agent) => ({
    says: (
      <>
        The vault of a mandate of {agent} could not be opened: <bdi>{String(event.meta.failure)}</bdi>
      </>
    ),
    tone: "bad",
    ...mandate(event),
  }),
  "vault.payer_refused": (event, agent) => ({
    says: (
      <>
        <bdi>{String(event.meta.host)}</bdi> refuses payments by contracts: {agent} pays it through the vault’s pocket
      </>
    ),
    tone: "info",
    ...mandate(event),
  }),
  "vault.low": (event, agent) => ({
    says: (
      <>
        The vault of a mandate of {agent} has {sum(event, "balance")} left, less than it may still spend
      </>
    ),
    tone: "warn",
    ...mandate(event),
  }),
  "wallet.low": (event) => ({
    says: `Your spending wallet has ${sum(event, "balance")} left, less than a mandate may still spend`,
    tone: "warn",
    href: "/dashboard/wallet",
  }),
  "vault.closed": (event, agent) => ({
    says: <>The vault of a mandate of {agent} is empty and closed</>,
    tone: "neutral",
    ...mandate(event),
  }),
};
