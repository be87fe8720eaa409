import { failureWords } from "@/components/payments/failure-words";
import { usdcText } from "@/components/ui/format";
import type { PayoutItem } from "@/lib/payouts/responses";
import type { PayoutStatus } from "./words";

export type Ending = { title: string; said: string };

/** How a payout stands, in a heading and a sentence. */
export const endingOf = (payout: PayoutItem): Ending => ENDINGS[payout.status](payout);

const ENDINGS = {
  pending_authorization: ({ amount }) => ({
    title: `${usdcText(amount)} wait for you`,
    said: "Nothing moves before you approve it.",
  }),
  authorized: ({ amount }) => ({
    title: `${usdcText(amount)} approved`,
    said: "It will be handed to the chain in a moment. You can close this page: it goes on without you.",
  }),
  processing: ({ amount }) => ({
    title: `${usdcText(amount)} on the way`,
    said: "It was handed to the chain, and its end is not known yet. Do not pay it again. You can close this page: it goes on without you.",
  }),
  succeeded: ({ amount, legs }) => ({
    title: `${usdcText(amount)} paid`,
    said: legs.length === 1 ? "The chain shows the transfer." : `The chain shows all ${legs.length} transfers.`,
  }),
  failed: (payout) => {
    const paid = payout.legs.filter(({ status }) => status === "settled").length;
    const why = failureWords(payout.failureReason, "payout");
    return paid === 0
      ? { title: "Not paid. No money moved", said: `${why} You can make it again.` }
      : {
          title: `Only ${paid} of ${payout.legs.length} were paid`,
          said: `${why} Each recipient below says what became of it. Pay the others with a new payout.`,
        };
  },
  expired: () => ({
    title: "This request has run out",
    said: "Nobody approved it in time, so nothing moved. It can be asked for again.",
  }),
  denied: () => ({
    title: "Rejected. Nothing moved",
    said: "Your agent is told so. It can ask again only with a new payout.",
  }),
  cancelled: ({ agentId }) => ({
    title: "Cancelled. Nothing moved",
    said: agentId === null ? "You can make it again." : "It was taken back before anybody approved it.",
  }),
} satisfies Record<PayoutStatus, (payout: PayoutItem) => Ending>;
