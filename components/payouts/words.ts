import type { BadgeTone } from "@/components/ui/badge";
import { formatPercent } from "@/components/ui/format";
import type { Failure } from "@/lib/http/client";
import type { PayoutItem } from "@/lib/payouts/responses";
import type { KnownAddress } from "@/lib/payouts/rules";

export type PayoutStatus = PayoutItem["status"];

/** The label of each status. */
export const STATUS_WORDS = {
  pending_authorization: { tone: "warn", label: "Waiting for you" },
  authorized: { tone: "info", label: "Approved" },
  processing: { tone: "info", label: "On its way" },
  succeeded: { tone: "good", label: "Paid" },
  failed: { tone: "bad", label: "Failed" },
  expired: { tone: "neutral", label: "Expired" },
  denied: { tone: "neutral", label: "Rejected" },
  cancelled: { tone: "neutral", label: "Cancelled" },
} satisfies Record<PayoutStatus, { tone: BadgeTone; label: string }>;

/** Approved, and its outcome not known yet. */
export const isMoving = (status: PayoutStatus): boolean => status === "authorized" || status === "processing";

export const payoutHref = (recordId: string) => `/dashboard/payouts/${recordId}`;
export const decideHref = (recordId: string) => `/authorize/payout/${recordId}`;

/** A share in basis points: 3333 → "33.33%". */
export const shareText = (bps: number): string => formatPercent(BigInt(bps), 10_000n, 2);

/** A share for the form's field, without the percent sign. */
export const shareInput = (bps: number): string => shareText(bps).slice(0, -1);

/** The owner of a known address, for a sentence that continues with ", which". Names are the owner's own text. */
export function ownerOf({ kind, name }: Pick<KnownAddress, "kind" | "name">): string {
  switch (kind) {
    case "book":
      return `“${name}” in your address book`;
    case "paid":
      return "an address you have paid before";
    case "login":
      return "the address you sign in with";
    case "wallet":
      return "your own spending wallet";
    default:
      return kind satisfies never;
  }
}

/** Replaces the API's messages, which address agents, with advice for people. */
export const sentenceFor = (failure: Failure): string => SENTENCES[failure.code] ?? failure.message;

const SENTENCES: Record<string, string> = {
  payout_not_found: "This payout no longer exists, or it belongs to another account.",
  payout_approved: "It is already approved: its transfers are under way or completed.",
  payout_denied: "It was rejected before. Nothing moved.",
  payout_cancelled: "It was cancelled. Nothing moved.",
  payout_expired: "It was not approved in time. Nothing moved.",
  payout_conflict: "A different payout already has this id. Nothing was created.",
  duplicate_biz_id: "A payout with this reference is already waiting, under way or paid. Check that payout first.",
  insufficient_balance:
    "Your spending wallet cannot cover this and the transfers under way. Nothing moved. Add money, then try again.",
  owner_limit_reached: "It is above your limit. Nothing moved.",
  payee_denied: "Its payee is on a deny list. Nothing moved.",
  agent_linked_elsewhere: "This agent belongs to another account, or it was deleted.",
  address_exists: "This address is in your address book already.",
  address_not_found: "This address is no longer in your address book.",
  address_book_full: "Your address book is full: it holds 1000 addresses. Remove one first.",
  signature_required: "It needs its own signature. Nothing moved. Open it and approve it there.",
  settlement_unknown: "We do not know whether this was done. Reload the page to see; a payout is paid only once.",
  rate_limited: "Too many requests. Wait a minute, then try again.",
  unavailable:
    "A chain or our database does not respond, so we do not know whether this was done. Reload the page to see.",
};
