import type { Usdc } from "@/lib/core/money";
import { isUncounted } from "@/lib/vaults/rules";
import { type Budget, remaining } from "../rules";
import type { Mandate } from "../store";
import type { LiveOperation, SentHome, VaultOperation } from "./operation-store";
import type { SignedVault } from "./terms";

/** The state of a vault at a block. */
export type VaultReading = {
  isDeployed: boolean;
  isRevoked: boolean;
  funded: Usdc;
  balance: Usdc;
  spent: Usdc;
  allowance: Usdc;
  /** Whether the owner's funding authorization was used or cancelled. */
  isFundingUsed: boolean;
  /** The pocket's balance; zero without a pocket. */
  pocketBalance: Usdc;
};

/**
 * Whether a sum is worth the gas of returning it to the owner: any sum the first time in a day, then `least`, doubled each
 * further time. Repeated small deposits, even by the owner, then cause few transactions a day.
 */
export const isWorthSending = (sum: Usdc, sentToday: number, least: bigint): boolean =>
  sum > 0n && (sentToday === 0 || sum >= least << BigInt(sentToday - 1));

/** The window in which a vault's transactions are counted. */
export const DAY_SECONDS = 86_400;
/** How long an agent has to use a pocket's fill. */
export const POCKET_SECONDS = 600;

/** An agent's pocket fills of the last day that no payment followed. Each costs us two transactions. */
export type UnpaidFills = { count: number; last: Date | null };

/**
 * Minimum time from the last unpaid fill to the next. `burned`: what the contract counts as spent although nobody was paid.
 * Anyone can trigger that count while the money is in the pocket, and it is then final.
 * Why: docs/decisions.md, 398.
 */
export function fillPauseSeconds({ count }: Pick<UnpaidFills, "count">, burned: bigint): number {
  if (count === 0) return 0;
  if (burned > 0n) return DAY_SECONDS;
  return count === 1 ? 0 : Math.min(DAY_SECONDS, POCKET_SECONDS * 2 ** (count - 1));
}

/** What the contract counts as spent, less payments and the pocket's balance. */
export const burnedOf = ({ spent, committed, pocketBalance }: Record<"spent" | "committed" | "pocketBalance", Usdc>) =>
  spent - committed - pocketBalance;

/** A block that the observer has read. */
export type ReadBlock = { number: bigint; seconds: number };

export type OperationEnd =
  | { id: number; next: "done" }
  | { id: number; next: "again"; attempts: number }
  | { id: number; next: "failed"; failure: string };

const MINED_WITHOUT_EFFECT_MAX = 5;
export const isOpening = ({ kind }: Pick<VaultOperation, "kind">): boolean =>
  kind === "open_and_fund" || kind === "open_and_pull";

/**
 * Whether the chain shows the operation's effect, no matter who sent it. A returned balance may never be zero, because anyone can
 * send more in each block: it is enough that less is there than before, or less than `dust` after a second attempt.
 */
export function isShown({ kind, amount, isClosed, attempts }: LiveOperation, r: VaultReading, dust: bigint): boolean {
  const isGone = (balance: Usdc) =>
    balance === 0n || (isClosed && (balance < (amount ?? 0n) || (balance < dust && attempts > 0)));
  switch (kind) {
    case "open_and_fund":
      return r.isDeployed && r.isFundingUsed && r.funded > 0n;
    case "open_and_pull":
      // The allowance is zero once the whole limit was drawn. Anyone can open the vault and send it money.
      return r.isDeployed && (r.allowance > 0n || r.funded >= (amount ?? 0n));
    case "pull":
      return r.isDeployed && r.funded >= (amount ?? 0n);
    case "count":
      return r.isDeployed && !isUncounted(r);
    case "revoke_signed":
      return r.isRevoked;
    case "withdraw":
    case "return":
      return r.isDeployed && isGone(r.balance);
    case "fill_pocket":
      return r.pocketBalance >= (amount ?? 0n);
    case "empty_pocket":
      return isGone(r.pocketBalance);
    default:
      return kind satisfies never;
  }
}

/**
 * The end of an operation at a block; null while it can still take effect. `canOpen`: the owner's signature can still open and
 * fund the vault, whoever submits it.
 */
export function endOf(
  operation: LiveOperation,
  reading: VaultReading,
  { block, canOpen, dust }: { block: ReadBlock; canOpen: boolean; dust: bigint },
): OperationEnd | null {
  const { id, state, validBefore } = operation;
  if (isShown(operation, reading, dust)) return { id, next: "done" };
  if (isOpening(operation)) {
    const isCancelled = operation.kind === "open_and_fund" && reading.isFundingUsed;
    if (isCancelled) return { id, next: "failed", failure: "The owner cancelled the funding" };
    if (validBefore !== null && BigInt(block.seconds) >= validBefore) {
      const failure = operation.failure ?? "The owner's signature ended before the chain accepted it";
      return { id, next: "failed", failure };
    }
  }
  if (!isOpening(operation) && !reading.isDeployed && !canOpen)
    return { id, next: "failed", failure: "The vault was never opened" };
  if (state !== "sent" || !operation.isClosed) return null;
  const attempts = operation.attempts + 1;
  // Returns are requested again later, for the balance at that time.
  const isGivenUp = !isOpening(operation) && operation.kind !== "count" && operation.kind !== "revoke_signed";
  if (isGivenUp && attempts >= MINED_WITHOUT_EFFECT_MAX)
    return { id, next: "failed", failure: operation.failure ?? "The chain did not make the transfer" };
  return { id, next: "again", attempts };
}

type ReadingContext = {
  vault: SignedVault;
  mandate: Pick<Mandate, "state"> & Budget;
  /** The sum of the mandate's payments up to the reading's block. */
  committed: Usdc;
  /** Operations that are still waiting or sent. */
  live: readonly Pick<VaultOperation, "kind">[];
  /** The end of the opening operation, if this reading ended it. */
  opening: OperationEnd | null;
  /** Whether the owner's signature can still bring money in, although we gave up the opening. */
  canOpen: boolean;
  /** Whether no payment needs the pocket's balance. */
  isPocketIdle: boolean;
  sentHome: SentHome;
  /** The least sum that is returned more than once a day. */
  least: bigint;
};

/** An operation that a reading requests. `amount`: the balance to return to the owner. */
type WantedOperation = { kind: "withdraw" | "return" | "empty_pocket"; amount: Usdc } | { kind: "count"; amount: null };

export type NextState = Pick<SignedVault, "state" | "failure">;

/** The state of a vault after a reading, and the operations that it needs now. */
export function afterReading(
  context: ReadingContext,
  reading: VaultReading,
  block: ReadBlock,
): NextState & { wants: WantedOperation[] } {
  const { vault, mandate, committed, live, isPocketIdle, sentHome, least } = context;
  const { balance, pocketBalance } = reading;
  const isOver = reading.isRevoked || block.seconds >= vault.terms.end;
  const isDue = {
    vault: reading.isDeployed && isWorthSending(balance, sentHome.vault, least),
    pocket: isWorthSending(pocketBalance, sentHome.pocket, least),
  };
  const next = stateOf(context, reading, { isOver, holdsMoney: isDue.vault || isDue.pocket });
  const isUnderway = (...kinds: VaultOperation["kind"][]) => live.some(({ kind }) => kinds.includes(kind));
  // Nothing more can be paid, so the balance returns to the owner. The mandate may be newer than the reading, whose balance then
  // holds what was paid since.
  const isShownWhole = committed >= mandate.spentAmount;
  const isExhausted = isShownWhole && remaining(mandate) <= 0n && mandate.pendingAmount === 0n;
  const goesHome = next.state === "closing" || (next.state === "open" && isExhausted);
  const wants: WantedOperation[] = [];
  if (goesHome && reading.isDeployed && balance > 0n) {
    const isWanted = isDue.vault && !isUnderway("withdraw", "return", "revoke_signed");
    if (isWanted) wants.push({ kind: isOver ? "withdraw" : "return", amount: balance });
  } else if (next.state === "open" && isUncounted(reading) && !isUnderway("count"))
    wants.push({ kind: "count", amount: null });
  const isPocketDone = isDue.pocket && (goesHome || isPocketIdle);
  if (isPocketDone && !isUnderway("empty_pocket")) wants.push({ kind: "empty_pocket", amount: pocketBalance });
  return { ...next, wants };
}

/** `holdsMoney`: enough to return it now. */
function stateOf(
  { vault, mandate, live, opening, canOpen }: ReadingContext,
  reading: VaultReading,
  { isOver, holdsMoney }: { isOver: boolean; holdsMoney: boolean },
): NextState {
  const { state } = vault;
  const ending = holdsMoney || live.length > 0 || canOpen ? "closing" : "closed";
  switch (state) {
    case "proposed":
      return { state, failure: null };
    case "opening":
    case "open": {
      if (isOver || mandate.state === "revoked") return { state: ending, failure: null };
      if (opening?.next === "failed") return { state: "failed", failure: opening.failure };
      // A reorganisation can undo the opening.
      if (state === "open") return { state: reading.isDeployed ? "open" : "opening", failure: null };
      const isOpeningUnderway = live.some(isOpening);
      return { state: reading.isDeployed && !isOpeningUnderway ? "open" : "opening", failure: null };
    }
    case "closing":
      return { state: ending, failure: null };
    case "closed":
    case "failed":
      return holdsMoney ? { state: "closing", failure: null } : { state, failure: vault.failure };
    default:
      return state satisfies never;
  }
}
