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

/** Why the choice cannot be signed: an invalid amount, or too little USDC in the owner's own wallet. */
export type PlaceFault = { type: "amount" | "funds"; text: string };

/** State of the choice between vault and spending wallet, with the amount to move into the vault now. */
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
    /** Returns why the choice cannot be signed, and shows the reason at the field. Undefined if it can be signed. */
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
