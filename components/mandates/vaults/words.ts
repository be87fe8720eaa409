import type { BadgeTone } from "@/components/ui/badge";
import { formatCount, usdcText } from "@/components/ui/format";
import type { MandateView } from "@/lib/mandates/responses";
import type { Place, VaultState, VaultView } from "./types";

const UNITS = [
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
] as const;

/** A length of time in its largest whole unit: "day", "12 hours". */
export function periodText(seconds: number): string {
  const [unit, size] = UNITS.find(([, length]) => seconds % length === 0) ?? UNITS[4];
  const count = seconds / size;
  return count === 1 ? unit : `${formatCount(count)} ${unit}s`;
}

export type Release = { amount: bigint; seconds: number };

/** "5.00 USDC every day". */
export const releaseText = ({ amount, seconds }: Release): string => `${usdcText(amount)} every ${periodText(seconds)}`;

export const addressesText = (count: number): string => (count === 1 ? "1 address" : `${formatCount(count)} addresses`);

export const vaultsText = (count: number): string => (count === 1 ? "1 vault" : `${formatCount(count)} vaults`);

/** The label of the sign button: says what the signature does with the money. */
export const signLabel = (place: Place, amount: bigint, limit: bigint): string =>
  `Sign with your wallet: ${place === "vault_now" ? `move ${usdcText(amount)} into the vault` : `up to ${usdcText(limit)}`}`;

type StateWords = { tone: BadgeTone; label: string; says: string };

/** The label and the explanation of each vault state. */
export const VAULT_STATES = {
  opening: {
    tone: "info",
    label: "Opening",
    says: "It is signed and waits for the network. Your agent can pay from it once it is open.",
  },
  open: { tone: "good", label: "Open", says: "The chain enforces its terms." },
  closing: {
    tone: "warn",
    label: "Closing",
    says: "It makes no more payments. Its money goes back to your own wallet.",
  },
  closed: { tone: "neutral", label: "Closed", says: "It makes no more payments." },
  failed: {
    tone: "bad",
    label: "Not opened",
    says: "It can never pay. Your agent can ask you for a new mandate.",
  },
} satisfies Record<VaultState, StateWords>;

/** Shows an expired mandate's vault as closing: the vault's own state is read a little later. */
export const shownState = (status: MandateView["status"], state: VaultState): VaultState =>
  status === "expired" && (state === "opening" || state === "open") ? "closing" : state;

/** True if the owner's signature can still stop something: money in the vault, or the vault's permission to draw money. */
export const canTakeBack = (
  { status }: Pick<MandateView, "status">,
  { state, isRevoked }: Pick<VaultView, "state" | "isRevoked">,
): boolean => !isRevoked && status !== "expired" && state !== "failed";

type Counts = Pick<VaultView, "funded" | "balance" | "pocket" | "returned">;

/** True if both the vault and its pocket are empty. */
export const isEmpty = ({ balance, pocket }: Pick<Counts, "balance" | "pocket">): boolean =>
  balance === 0n && (pocket === null || pocket.balance === 0n);

/** True if all money that came in is accounted for. `returned` is read from the chain later than the other amounts. */
export const isReturnRead = ({ funded, balance, pocket, returned }: Counts, paidAmount: bigint): boolean =>
  paidAmount + returned + balance + (pocket?.balance ?? 0n) >= funded;

/** What was paid after the vault was read: a payment settles before the vault's own figures are read again. */
export const uncountedIn = ({ spent }: { spent: bigint }, paidAmount: bigint): bigint =>
  paidAmount > spent ? paidAmount - spent : 0n;

/** Announced to screen readers when the page refreshes. */
export const vaultNews = ({ state, balance }: Pick<VaultView, "state" | "balance">): string =>
  `Vault: ${VAULT_STATES[state].label}. ${usdcText(balance)} in it.`;

export type LossFacts = {
  limit: bigint;
  /** The amount that `vault_now` moves into the vault. */
  amount: bigint;
  release: Release | null;
  /** How many addresses it may pay; null: any. */
  payees: number | null;
  hasAgentKey: boolean;
  /** The spending wallet's balance; null if unknown. */
  walletBalance: bigint | null;
};

export type Loss = { cause: string; most: string };

const WEBSITE: Loss = {
  cause: "our website lies to you",
  most: "Whatever you sign. Compare what your wallet shows with this page.",
};

/** The most an owner can lose, for each kind of failure. */
export function lossesOf(place: Place, facts: LossFacts): Loss[] {
  return place === "wallet" ? walletLosses(facts) : vaultLosses(place, facts);
}

function walletLosses({ limit, walletBalance }: LossFacts): Loss[] {
  const balanceText = walletBalance === null ? "" : `, ${usdcText(walletBalance)} now`;
  return [
    { cause: "your agent’s token is stolen", most: `Up to ${usdcText(limit)}, within these limits.` },
    {
      cause: "our server is stolen",
      most: `Everything in your spending wallet${balanceText}, whatever your mandates say.`,
    },
    { cause: "we disappear", most: "Your spending wallet is stuck until somebody runs the service again." },
    WEBSITE,
  ];
}

function vaultLosses(place: Place, { limit, amount, release, payees, hasAgentKey }: LossFacts): Loss[] {
  const most = place === "vault_now" && amount < limit ? amount : limit;
  const sum = release
    ? `what is released by then, ${releaseText(release)}, up to ${usdcText(most)}`
    : `up to ${usdcText(most)}`;
  const to = payees === null ? "" : `, to the ${payees === 1 ? "address" : addressesText(payees)} you name`;
  return [
    {
      cause: "your agent’s token is stolen",
      most: hasAgentKey
        ? `Nothing without its key as well. With both, ${sum}, within these limits.`
        : `${capital(sum)}, within these limits.`,
    },
    {
      cause: "our server is stolen",
      most: hasAgentKey
        ? "Nothing, without your agent’s key as well."
        : `${capital(sum)} of this mandate${to}, until it ends or you take it back. Nothing else.`,
    },
    {
      cause: "we disappear",
      most: hasPocket({ hasAgentKey, payees })
        ? "A payment that is on its way to a seller that refuses contracts, if there is one. You take out everything else yourself, with your wallet."
        : "Nothing. You take the money out yourself, with your wallet.",
    },
    WEBSITE,
  ];
}

/** True if the vault may pay sellers that refuse contract accounts, through an account (pocket) that the service holds for it. */
export const hasPocket = ({ hasAgentKey, payees }: { hasAgentKey: boolean; payees: number | null }): boolean =>
  !hasAgentKey && payees === null;

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
