"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useEffect, useId, useRef, useState, useTransition } from "react";
import { Button } from "@/components/ui/button";
import { Facts } from "@/components/ui/facts";
import { usdcText } from "@/components/ui/format";
import { Note } from "@/components/ui/note";
import { Radio } from "@/components/ui/radio";
import { UsdcField } from "@/components/ui/usdc-field";
import { formatUsdc, parseUsdc, toUsdc } from "@/lib/core/usdc";
import { callApi } from "@/lib/http/client";
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
  /** Shown below the amount: a way to get USDC. */
  more: ReactNode;
};

/** The choice between a vault and the spending wallet. */
export function PlaceChoice({ place, choose, facts, terms, coversPayouts, isMove, ...funding }: PlaceChoiceProps) {
  const isVault = place !== "wallet";
  return (
    <fieldset className="grid min-w-0 gap-3">
      <legend className="mb-3 text-body font-medium">Where the money is</legend>
      <Option
        title="A vault of its own"
        isChosen={isVault}
        choose={() => choose("vault_now")}
        says="This mandate's money is in a contract on the chain, which refuses every payment outside these limits. Unspent money goes back to your wallet, and you can take it out at any time without us."
      >
        {isVault && <Funding place={place} choose={choose} limit={facts.limit} {...funding} />}
        <Facts className="text-small">
          <VaultTerms {...terms} />
        </Facts>
        <Losses losses={lossesOf(isVault ? place : "vault_now", facts)} />
        <p className="text-small text-ink-2">
          {terms.release !== null && "An amount not spent in one period stays released. "}
          It pays x402 requests only: no payouts{coversPayouts && ", although this mandate covers them,"} and no service
          credits. Some sellers refuse payments from a contract:{" "}
          {hasPocket(facts)
            ? "those are paid through an account that we keep for the vault. It gets the money of one payment at a time, which is then in our hands until it is paid."
            : "with your list of addresses or your agent’s key, those cannot be paid from it."}
        </p>
      </Option>
      {!isMove && (
        <Option
          title="Your spending wallet"
          isChosen={!isVault}
          choose={() => choose("wallet")}
          says="Your agent pays from the wallet that we keep for you, as under all mandates without a vault. Our server enforces the limits, and we hold the key."
        >
          <Losses losses={lossesOf("wallet", facts)} />
        </Option>
      )}
    </fieldset>
  );
}

type OptionProps = { title: string; says: string; isChosen: boolean; choose: () => void; children: ReactNode };

function Option({ title, says, isChosen, choose, children }: OptionProps) {
  const id = useId();
  return (
    <div className="grid min-w-0 gap-4 rounded-card border bg-card p-5 has-[>label>:checked]:border-brand sm:p-6">
      <label className="flex min-h-8 items-center gap-3 max-sm:min-h-11">
        <input
          type="radio"
          name="place"
          checked={isChosen}
          onChange={choose}
          aria-describedby={id}
          className="size-4.5 shrink-0 accent-brand"
        />
        <span className="text-body font-medium">{title}</span>
      </label>
      <p id={id} className="measure text-control text-ink-2">
        {says}
      </p>
      {children}
    </div>
  );
}

type FundingProps = Pick<PlaceChoiceProps, "place" | "choose" | "text" | "onText" | "error" | "ownBalance" | "more"> & {
  limit: bigint;
};

function Funding({ place, choose, text, onText, error, ownBalance, more: topUp, limit }: FundingProps) {
  const balanceText = ownBalance === null ? "" : `Your own wallet holds ${usdcText(ownBalance)}. `;
  return (
    <fieldset className="grid min-w-0 gap-2 rounded-control bg-sunk p-4">
      <legend className="sr-only">How the money gets there</legend>
      <Radio name="funding" isChosen={place === "vault_now"} choose={() => choose("vault_now")}>
        <span className="font-medium">Move the money in now</span>
        <span className="text-small text-ink-2">You sign once, for the mandate and the deposit.</span>
      </Radio>
      {place === "vault_now" && (
        <div className="mb-1 grid gap-3 sm:pl-7.5">
          <UsdcField
            label="Amount to move in"
            value={text}
            onText={onText}
            error={error}
            hint={`${balanceText}At most the limit of ${usdcText(limit)}.`}
          />
          {topUp}
        </div>
      )}
      <Radio name="funding" isChosen={place === "vault_permit"} choose={() => choose("vault_permit")}>
        <span className="font-medium">Keep the money in my wallet</span>
        <span className="text-small text-ink-2">
          Two signatures: the mandate, and a permit for {usdcText(limit)} and no more. The vault draws what payments
          need, just before they are made.
        </span>
      </Radio>
      {place === "vault_permit" && ownBalance !== null && ownBalance < limit && (
        <p className="text-small text-ink-2">{balanceText}Payments beyond that wait until you add USDC there.</p>
      )}
    </fieldset>
  );
}

/** The most an owner can lose, by cause. */
const Losses = ({ losses }: { losses: readonly Loss[] }) => (
  <div className="text-small">
    <p className="font-medium">Most you can lose, if</p>
    <dl className="mt-1.5 grid gap-x-5 gap-y-2 sm:grid-cols-[11rem_minmax(0,1fr)] sm:gap-y-1.5">
      {losses.map(({ cause, most }) => (
        <div key={cause} className="contents max-sm:block">
          <dt className="text-ink-2">{cause}</dt>
          <dd className="[overflow-wrap:anywhere]">{most}</dd>
        </div>
      ))}
    </dl>
  </div>
);

type PlaceState = {
  offer: (Offer & { proposed: Place; walletBalance: bigint | null }) | undefined;
  limit: bigint;
};

/** Why the choice cannot be signed: an invalid amount, or too little USDC in the owner's own wallet. */
type PlaceFault = { type: "amount" | "funds"; text: string };

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

type OwnTestMoneyProps = { owner: string; network: string; isNeeded: boolean };

/** Adds test USDC to the owner's own wallet, which funds vaults. Devnet only. */
export function OwnTestMoney({ owner, network, isNeeded }: OwnTestMoneyProps) {
  const router = useRouter();
  const [state, setState] = useState<"idle" | "busy" | "done">("idle");
  const [problem, setProblem] = useState<string>();
  const news = useRef<HTMLDivElement>(null);
  // Busy until the page has read the new balance: the signature is still checked against the old one.
  const [isReading, startReading] = useTransition();
  const hasArrived = state === "done" && !isReading;

  // The focused button has disappeared.
  useEffect(() => {
    if (hasArrived) news.current?.focus();
  }, [hasArrived]);

  async function mint() {
    setState("busy");
    const response = await callApi("POST", "/api/devnet/faucet", { address: owner, amount: AMOUNT, network });
    setState(response.ok ? "done" : "idle");
    setProblem(response.ok ? undefined : response.message);
    startReading(() => router.refresh());
  }

  if (hasArrived) {
    return (
      <div ref={news} tabIndex={-1}>
        <Note tone="good" live="polite">
          100.00 test USDC arrived in your own wallet.
        </Note>
      </div>
    );
  }
  if (!isNeeded && state === "idle") return null;
  return (
    <div className="grid justify-items-start gap-2">
      <Button size="small" busy={state !== "idle"} onClick={mint}>
        Add 100 test USDC to your own wallet
      </Button>
      {problem !== undefined && (
        <Note tone="bad" live="assertive" title="No test USDC arrived">
          {problem}
        </Note>
      )}
    </div>
  );
}

const AMOUNT = "100000000";
