import { failureWords } from "@/components/payments/failure-words";
import { usdcText } from "@/components/ui/format";
import type { PayoutItem } from "@/lib/payouts/responses";
import type { PayoutStatus } from "./words";

export type Ending = { title: string; said: string };

/** The state of a payout as a heading and a sentence. */
export const endingOf = (payout: PayoutItem): Ending => ENDINGS[payout.status](payout);

const ENDINGS = {
  pending_authorization: ({ amount }) => ({
    title: `${usdcText(amount)} is waiting for you`,
    said: "Nothing moves before you approve it.",
  }),
  authorized: ({ amount }) => ({
    title: `${usdcText(amount)} approved`,
    said: "It will be sent to the chain in a moment. You can close this page: it continues without you.",
  }),
  processing: ({ amount }) => ({
    title: `${usdcText(amount)} on the way`,
    said: "It was sent to the chain, and its outcome is not known yet. Do not pay it again. You can close this page: it continues without you.",
  }),
  succeeded: ({ amount, legs }) => ({
    title: `${usdcText(amount)} paid`,
    said: legs.length === 1 ? "The chain shows the transfer." : `The chain shows all ${legs.length} transfers.`,
  }),
  failed: (payout) => {
    const paidCount = payout.legs.filter(({ status }) => status === "settled").length;
    const reason = failureWords(payout.failureReason, "payout");
    return paidCount === 0
      ? { title: "Not paid. No money moved", said: `${reason} You can repeat it.` }
      : {
          title: `Only ${paidCount} of ${payout.legs.length} were paid`,
          said: `${reason} The result is shown with each recipient below. Pay the others with a new payout.`,
        };
  },
  expired: () => ({
    title: "This request has expired",
    said: "It was not approved in time, so nothing moved. It can be requested again.",
  }),
  denied: () => ({
    title: "Rejected. Nothing moved",
    said: "Your agent sees the rejection. It can ask again only with a new payout.",
  }),
  cancelled: ({ agentId }) => ({
    title: "Cancelled. Nothing moved",
    said: agentId === null ? "You can repeat it." : "It was cancelled before it was approved.",
  }),
} satisfies Record<PayoutStatus, (payout: PayoutItem) => Ending>;
