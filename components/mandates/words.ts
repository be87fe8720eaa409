import type { Failure } from "@/lib/http/client";
import type { MandateView } from "@/lib/mandates/responses";
import { PAYOUT_HOST } from "@/lib/payouts/rules";

/** A mandate as its pages show it: our own record, with those it is between. */
export type ShownMandate = MandateView & {
  agentName: string;
  ownerAddress: string | null;
  walletAddress: string | null;
};

/** From here on, a signature that lets an agent choose whom it pays is confirmed by typing so: 100 USDC. */
const CAREFUL_FROM = 100_000_000n;

export const isAnyHost = (mandate: Pick<MandateView, "hostAllowlist">): boolean => mandate.hostAllowlist.length === 0;

/** By its owner, with a purpose in our words; otherwise an agent asked for it, in its own. */
export const isPrepared = (mandate: Pick<MandateView, "requestedBy">): boolean => mandate.requestedBy === "owner";
/** A host of a mandate's list, as people read it. */
export const hostText = (host: string): string => (host === PAYOUT_HOST ? "Payouts (to any address)" : host);

/** Whether it covers payouts: without a list of hosts, or where the list says so. */
export const coversPayouts = ({ hostAllowlist }: Pick<MandateView, "hostAllowlist">): boolean =>
  hostAllowlist.length === 0 || hostAllowlist.includes(PAYOUT_HOST);

/** Whom an agent may choose to pay at will, when so much can be lost that the owner types that they mean it. */
export function carefulOf(mandate: Pick<MandateView, "hostAllowlist" | "limitAmount">): Careful | undefined {
  if (mandate.limitAmount < CAREFUL_FROM || !coversPayouts(mandate)) return undefined;
  return isAnyHost(mandate) ? "any host" : "any address";
}
export type Careful = "any host" | "any address";

/** The API's own sentences tell an agent what to call next; a person needs to know what to do. */
export const sentenceFor = (failure: Failure): string => SENTENCES[failure.code] ?? failure.message;

const SENTENCES: Record<string, string> = {
  session_required: "Your session has ended. Sign in again.",
  mandate_not_found: "This request is not here any more, or it belongs to another account.",
  mandate_not_pending: "This request has been decided already.",
  mandate_not_active: "Only a signed mandate can be paused or resumed.",
  mandate_expired: "This request has run out. Ask your agent for a new one.",
  mandate_changed: "The mandate changed at the same moment. Nothing was signed. Read it again.",
  agent_linked_elsewhere: "This agent belongs to another account, or it was deleted.",
  signature_invalid: "That is not a signature by your account over what stands here. Nothing was allowed. Try again.",
  approval_not_found: "This request is not here any more, or it belongs to another account.",
  approval_expired: "This request has run out. Nothing was signed. Your agent can ask again.",
  approval_denied: "This payment was rejected before.",
  approval_decided: "This payment was rejected before. Your agent can ask again.",
  approval_used: "Your agent has used it already: the payment is signed.",
  limit_not_narrower: "You can only lower the limit.",
  validity_not_narrower: "You can only make it end earlier.",
  validity_in_the_past: "It must end in the future.",
  hosts_not_narrower: "You can only take hosts away.",
  cap_not_narrower: "You can only lower the cap on one payment.",
  cap_exceeds_limit: "The cap on one payment cannot be more than the limit.",
  unavailable: "A chain or our database does not answer. Nothing was changed. Try again in a moment.",
};
