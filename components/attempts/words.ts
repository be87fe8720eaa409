import { PAYOUT_HOST } from "@/lib/core/host";

/** The reason for the owner why a payment was refused, by the error code that the agent received. */
const REASONS: Record<string, string> = {
  mandate_not_signed: "The mandate is not signed",
  mandate_revoked: "The mandate is revoked",
  mandate_disabled: "The mandate is paused",
  mandate_expired: "The mandate has ended",
  mandate_insufficient_budget: "The budget does not cover it",
  owner_limit_reached: "Your limit on all spending does not cover it",
  mandate_period_budget_used: "The budget of the day or month does not cover it",
  mandate_payment_cap_exceeded: "It is larger than one payment may be",
  host_not_allowed: "The mandate does not allow this host",
  agent_not_authorized: "The agent does not belong to the mandate’s owner",
  firewall_blocked: "The payment scan found something suspicious",
  insufficient_credits: "There are too few service credits",
  payee_denied: "Your list or the operator’s excludes this payee",
  payee_refused: "You refused this address for the host",
  payee_not_listed: "You did not list this address",
  vault_failed: "The mandate’s vault could not be opened",
};

export const reasonText = (code: string): string => REASONS[code] ?? `Reason: ${code}`;

/** The label of a payment's host; payouts have no host. */
export const hostText = (host: string): string => (host === PAYOUT_HOST ? "addresses (a payout)" : host);

/** The page that reports a refused address to the operator; null if no list refused it. */
export const reportHref = (reason: string, payTo: unknown): string | null =>
  reason === "payee_denied" && typeof payTo === "string" ? `/report?address=${encodeURIComponent(payTo)}` : null;

/** The list that excludes a payee. */
export const listText = (list: unknown): string =>
  list === "yours" ? "your deny list" : `the operator’s list “${String(list)}”`;
