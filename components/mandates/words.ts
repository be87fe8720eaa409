import { PAYOUT_HOST } from "@/lib/core/host";
import type { Failure } from "@/lib/http/client";
import type { MandateView } from "@/lib/mandates/responses";

/** A mandate with its agent, owner and wallet. */
export type ShownMandate = MandateView & {
  agentName: string;
  ownerAddress: string | null;
  walletAddress: string | null;
  proposesConfirmation: boolean;
};

/** The heading of the review step. */
export const REVIEW_TITLE = "Let it spend on its own, within these limits";

/** 100 USDC: from this limit on, a mandate that lets the agent choose its payees needs a typed confirmation. */
const CAREFUL_FROM = 100_000_000n;

export const isAnyHost = (mandate: Pick<MandateView, "hostAllowlist">): boolean => mandate.hostAllowlist.length === 0;

/** True if new payees are confirmed. For an unsigned mandate: if the page proposes it. */
export const confirmsPayees = ({ signedAt, confirmPayees, proposesConfirmation }: ShownMandate): boolean =>
  signedAt === null ? proposesConfirmation : confirmPayees;

/** True if the mandate covers more than payouts. */
export const paysHosts = ({ hostAllowlist }: Pick<MandateView, "hostAllowlist">): boolean =>
  hostAllowlist.length === 0 || hostAllowlist.some((host) => host !== PAYOUT_HOST);

export type Payees = { isOn: boolean; isSaved: boolean };

/** The payee switch of the signing page; undefined for a mandate that covers only payouts. `isSaved`: the mandate has this value. */
export const payeesOf = (mandate: ShownMandate): Payees | undefined =>
  paysHosts(mandate)
    ? { isOn: mandate.proposesConfirmation, isSaved: mandate.proposesConfirmation === mandate.confirmPayees }
    : undefined;

/** True if the owner prepared the mandate, whose purpose is then our text. Otherwise an agent requested it, in its own words. */
export const isPrepared = (mandate: Pick<MandateView, "requestedBy">): boolean => mandate.requestedBy === "owner";
/** The label of a host in a mandate's list. */
export const hostText = (host: string): string => (host === PAYOUT_HOST ? "Payouts (to any address)" : host);

/** True if the mandate covers payouts: they are on its list, or it has no list and does not confirm payees. */
export const coversPayouts = (mandate: Pick<ShownMandate, "hostAllowlist" | "confirmPayees">): boolean =>
  isAnyHost(mandate) ? !mandate.confirmPayees : mandate.hostAllowlist.includes(PAYOUT_HOST);

/** The text to type before signing a large mandate whose payees the agent chooses; undefined when none is needed. */
export function carefulOf(
  mandate: Pick<ShownMandate, "hostAllowlist" | "limitAmount" | "confirmPayees">,
): Careful | undefined {
  if (mandate.limitAmount < CAREFUL_FROM) return undefined;
  if (isAnyHost(mandate)) return "ANY HOST";
  return coversPayouts(mandate) ? "ANY ADDRESS" : undefined;
}
export type Careful = "ANY HOST" | "ANY ADDRESS";

/** Replaces the API's messages, which address agents, with advice for people. */
export const sentenceFor = (failure: Failure): string => SENTENCES[failure.code] ?? failure.message;

const SENTENCES: Record<string, string> = {
  mandate_not_found: "This request no longer exists, or it belongs to another account.",
  mandate_not_pending: "This request has been decided already.",
  mandate_not_active: "Only a signed mandate can be paused or resumed.",
  mandate_expired: "This request has expired. Ask your agent for a new one.",
  mandate_changed: "The mandate changed at the same moment. Nothing was signed. Read it again.",
  agent_linked_elsewhere: "This agent belongs to another account, or it was deleted.",
  signature_invalid:
    "The signature is not from your account, or not for the data shown here. Nothing was allowed. Try again.",
  payee_not_found: "This request no longer exists, or it belongs to another account.",
  approval_not_found: "This request no longer exists, or it belongs to another account.",
  approval_expired: "This request has expired. Nothing was signed. Your agent can ask again.",
  approval_denied: "This payment was already rejected.",
  approval_decided: "This payment was already rejected. Your agent can ask again.",
  approval_limit_reached: "Another payment was approved at the same moment. Approve this one again.",
  approval_used: "Your agent has already used it: the payment is signed.",
  limit_not_narrower: "You can only lower the limit.",
  validity_not_narrower: "You can only make it end earlier.",
  validity_in_the_past: "It must end in the future.",
  hosts_not_narrower: "You can only remove hosts.",
  cap_not_narrower: "You can only lower the caps on a payment, a day or a month.",
  cap_exceeds_limit: "The caps must be in order: payment ≤ day ≤ month ≤ limit.",
  vault_unavailable: "Vaults are not available on this network right now. Choose your spending wallet.",
  funding_exceeds_limit: "You can move in at most the limit.",
  funding_window: "The wallet was open for too long, and the signature expired. Sign again.",
  vault_openings_used:
    "You have opened the most vaults that we pay for in a day. Sign again tomorrow, or choose your spending wallet.",
  rest_changed:
    "Your agent paid under the old mandate in the meantime, so less is left, or that mandate has ended. Nothing was signed. Go back to its page and move it again, or pause it first.",
  mandate_has_vault: "The money of this mandate is in a vault already. Reload the page.",
  mandate_insufficient_budget: "This mandate has nothing left to move.",
  mandate_has_no_vault: "This mandate has no vault. Reload the page.",
  unavailable:
    "A chain or our database does not respond, so we do not know whether this was done. Reload the page to see.",
};
