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

/** Why what was chosen cannot be signed: the amount is none or too large, or the owner's own wallet holds too little. */
export type PlaceFault = { type: "amount" | "funds"; text: string };

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
    limit,
    amount: amount ?? limit,
    release,
    walletBalance: offer?.walletBalance ?? null,
    payees: payees?.length ?? null,
    hasAgentKey: agentKey !== null,
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
    error: isChecked && fault?.type === "amount" ? fault.text : undefined,
    missingFunds: isChecked && fault?.type === "funds" ? fault.text : undefined,
    amount,
    facts,
    terms: { release, payees, agentKey },
    /** Why what was chosen cannot be signed, which its field says too; undefined if it can. */
    check: (): PlaceFault | undefined => {
      setChecked(true);
      return fault;
    },
  };
}

const ANY = { release: null, payees: null, agentKey: null };

function faultOf(amount: bigint | null, limit: bigint, ownBalance: bigint | null): PlaceFault | undefined {
  if (amount === null)
    return { type: "amount", text: "Enter an amount above zero with at most six decimals, for example, 12.50." };
  if (amount > limit) return { type: "amount", text: `At most the limit of ${usdcText(limit)}.` };
  if (ownBalance === null || amount <= ownBalance) return undefined;
  const text = `Your own wallet holds ${usdcText(ownBalance)}: ${usdcText(amount - ownBalance)} too little. Add USDC, lower the amount, or keep the money in your wallet.`;
  return { type: "funds", text };
}
