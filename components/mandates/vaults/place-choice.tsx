"use client";

import { ChevronRight } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { Facts } from "@/components/ui/facts";
import { usdcText } from "@/components/ui/format";
import { Radio } from "@/components/ui/radio";
import { UsdcField } from "@/components/ui/usdc-field";
import { formatUsdc, parseUsdc, toUsdc } from "@/lib/core/usdc";
import type { Offer, Place } from "./types";
import { termsOf, VaultTerms, type VaultTermsProps } from "./vault-terms";
import { hasPocket, type Loss, type LossFacts, lossesOf } from "./words";

export type PlaceChoiceProps = {
  place: Place;
  choose: (place: Place) => void;
  /** The typed amount to move into the vault now, and its error. */
  text: string;
  onText: (text: string) => void;
  error: string | undefined;
  facts: LossFacts;
  terms: VaultTermsProps;
  /** The owner's own wallet; null while the chain does not respond. */
  ownBalance: bigint | null;
  /** True if the mandate covers payouts. A vault makes no payouts. */
  coversPayouts: boolean;
  /** True if the mandate moves away from the spending wallet, which is then not offered. */
  isMove: boolean;
};

/** The choice between a vault and the spending wallet. */
export function PlaceChoice({ place, choose, facts, terms, coversPayouts, isMove, ...funding }: PlaceChoiceProps) {
  const isVault = place !== "wallet";
  return (
    <fieldset className="grid min-w-0 gap-4 rounded-card border bg-card p-5 shadow-lift max-sm:gap-2.5 max-sm:p-4">
      <legend className="sr-only">Where the money is</legend>
      <p aria-hidden className="text-body font-medium">
        Where the money is
      </p>
      <Option
        title={VAULT}
        isChosen={isVault}
        choose={() => choose("vault_now")}
        says="A contract holds it within these limits, and you can take it out without us."
      >
        <Funding place={place} choose={choose} limit={facts.limit} {...funding} />
        {isSpecial(terms) && <TermFacts {...terms} />}
      </Option>
      {!isMove && (
        <Option
          title={WALLET}
          isChosen={!isVault}
          choose={() => choose("wallet")}
          says="We hold it, with our key, and our server enforces these limits."
        />
      )}
      <details className="group -my-1">
        <summary className="flex min-h-8 list-none items-center gap-1.5 text-small font-medium max-sm:min-h-11">
          Compare
          <ChevronRight aria-hidden className="size-4 text-ink-2 transition-transform group-open:rotate-90" />
        </summary>
        <div className="mt-2 grid gap-5 text-small">
          <Losses place={VAULT} losses={lossesOf(isVault ? place : "vault_now", facts)}>
            {terms.release !== null && "An amount not spent in one period stays released. "}
            Unspent money goes back to your wallet at the end. It pays x402 requests only: no payouts
            {coversPayouts && ", although this mandate covers them,"} and no service credits. Some sellers refuse
            payments from a contract:{" "}
            {hasPocket(facts)
              ? "we pay those for the vault. We hold one payment’s money at a time, for the seconds until it is paid."
              : "with your list of addresses or your agent’s key, those cannot be paid from it."}
          </Losses>
          {!isSpecial(terms) && <TermFacts {...terms} />}
          {!isMove && <Losses place={WALLET} losses={lossesOf("wallet", facts)} />}
        </div>
      </details>
    </fieldset>
  );
}

const VAULT = "A vault of its own";
const WALLET = "Your spending wallet";

/** True if the terms differ from those of most vaults: they are then shown without comparing. */
const isSpecial = ({ release, agentKey, payees }: VaultTermsProps) =>
  release !== null || agentKey !== null || payees !== null;

const TermFacts = (terms: VaultTermsProps) => (
  <Facts className="text-small">
    <VaultTerms {...terms} />
  </Facts>
);

type OptionProps = {
  title: string;
  says: string;
  isChosen: boolean;
  choose: () => void;
  /** Shown while it is chosen. */
  children?: ReactNode;
};

function Option({ title, says, isChosen, choose, children }: OptionProps) {
  const id = useId();
  return (
    <div className="grid min-w-0 gap-2.5">
      <div>
        <label className="flex min-h-6 items-center gap-3 max-sm:-my-1.5 max-sm:min-h-11">
          <input
            type="radio"
            name="place"
            checked={isChosen}
            onChange={choose}
            aria-describedby={id}
            className="size-4.5 shrink-0 accent-brand"
          />
          <span className="text-control font-medium">{title}</span>
        </label>
        <p id={id} className="ps-7.5 text-small text-ink-2">
          {says}
        </p>
      </div>
      {isChosen && children}
    </div>
  );
}

type FundingProps = Pick<PlaceChoiceProps, "place" | "choose" | "text" | "onText" | "error" | "ownBalance"> & {
  limit: bigint;
};

function Funding({ place, choose, text, onText, error, ownBalance, limit }: FundingProps) {
  const balanceText = ownBalance === null ? undefined : `Your own wallet holds ${usdcText(ownBalance)}.`;
  return (
    <fieldset className="grid min-w-0 gap-1.5 rounded-control bg-sunk px-3.5 py-3 max-sm:py-1.5">
      <legend className="sr-only">How the money gets there</legend>
      <Radio name="funding" isChosen={place === "vault_now"} choose={() => choose("vault_now")}>
        <span className="font-medium">Move the money in now</span>
      </Radio>
      {place === "vault_now" && (
        <UsdcField
          className="mb-1 sm:ps-7.5"
          label="Amount to move in"
          value={text}
          onText={onText}
          error={error}
          hint={balanceText}
        />
      )}
      <Radio name="funding" isChosen={place === "vault_permit"} choose={() => choose("vault_permit")}>
        <span className="font-medium">Keep the money in my wallet</span>
        <span className="text-small text-ink-2">
          The vault draws at most {usdcText(limit)}, as needed. Two signatures.
        </span>
      </Radio>
      {place === "vault_permit" && ownBalance !== null && ownBalance < limit && (
        <p className="text-small text-ink-2">{balanceText} Payments beyond that wait until you add USDC there.</p>
      )}
    </fieldset>
  );
}

type LossesProps = { place: string; losses: readonly Loss[]; children?: ReactNode };

/** The most an owner can lose in one place, by cause. */
const Losses = ({ place, losses, children }: LossesProps) => (
  <section>
    <h2 className="text-small font-medium">{place}</h2>
    <p className="text-ink-2">Most you can lose, if</p>
    <dl className="mt-1.5 grid grid-cols-[8rem_minmax(0,1fr)] gap-x-4 gap-y-1.5">
      {losses.map(({ cause, most }) => (
        <div key={cause} className="contents">
          <dt className="text-ink-2">{cause}</dt>
          <dd className="[overflow-wrap:anywhere]">{most}</dd>
        </div>
      ))}
    </dl>
    {children !== undefined && <p className="mt-2 text-ink-2">{children}</p>}
  </section>
);

type PlaceState = {
  offer: (Offer & { proposed: Place; walletBalance: bigint | null }) | undefined;
  limit: bigint;
};

/** Why the choice cannot be signed: an invalid amount, or too little USDC in the owner's own wallet. */
type PlaceFault = { type: "amount"; text: string } | { type: "funds"; text: string; missing: bigint };

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
    /** What the owner's own wallet lacks for the amount. Zero while its balance or the amount is unknown. */
    missing: fault?.type === "funds" ? fault.missing : 0n,
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
  return { type: "funds", text, missing: amount - ownBalance };
}
