import { useState } from "react";
import { usdcText } from "@/components/ui/format";
import { formatUsdc, parseUsdc, toUsdc } from "@/lib/core/usdc";
import type { Offer, Place } from "./types";
import { termsOf } from "./vault-terms";
import type { LossFacts } from "./words";

export type PlaceState = {
  offer: (Offer & { proposed: Place; walletBalance: bigint | null }) | undefined;
  limit: bigint;
};

/** Where the owner wants the money to be, and how much of it they move into a vault now. */
export function usePlace({ offer, limit }: PlaceState) {
  const [place, setPlace] = useState<Place>(offer?.proposed ?? "wallet");
  // Undefined: the limit, which the owner may still lower.
  const [typed, setTyped] = useState<string>();
  const [isChecked, setChecked] = useState(false);
  const text = typed ?? formatUsdc(toUsdc(limit));
  const amount = parseUsdc(text);
  const fault = offer && place === "vault_now" ? faultOf(amount, limit, offer.ownBalance) : undefined;
  const { release, payees, agentKey } = offer ? termsOf(offer.draft.mandate.message) : ANY;
  const facts: LossFacts = {
    ...{ limit, amount: amount ?? limit, release, walletBalance: offer?.walletBalance ?? null },
    ...{ payees: payees?.length ?? null, hasAgentKey: agentKey !== null },
  };
  return {
    place: offer ? place : ("wallet" as const),
    choose: (next: Place) => {
      setPlace(next);
      setChecked(false);
    },
    text,
    onText: (next: string) => {
      setTyped(next);
      setChecked(false);
    },
    error: isChecked ? fault : undefined,
    amount,
    facts,
    terms: { release, payees, agentKey },
    /** Whether what was chosen can be signed; says why not at its field. */
    check: (): boolean => {
      setChecked(true);
      return fault === undefined;
    },
  };
}

const ANY = { release: null, payees: null, agentKey: null };

function faultOf(amount: bigint | null, limit: bigint, held: bigint | null): string | undefined {
  if (amount === null) return "Enter an amount above zero with at most six decimals, for example, 12.50.";
  if (amount > limit) return `At most the limit of ${usdcText(limit)}.`;
  if (held === null || amount <= held) return undefined;
  return `Your own wallet holds ${usdcText(held)}: ${usdcText(amount - held)} too little. Add USDC, lower the amount, or keep the money in your wallet.`;
}
