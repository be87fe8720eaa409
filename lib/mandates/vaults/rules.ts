import type { Usdc } from "@/lib/core/money";
import { isUncounted } from "@/lib/vaults/rules";
import { type Budget, remaining } from "../rules";
import type { Mandate } from "../store";
import type { LiveOperation, Operation } from "./operation-store";
import type { SignedVault } from "./terms";

/** What the chain shows of a vault at a block. */
export type Reading = {
  isDeployed: boolean;
  isRevoked: boolean;
  funded: Usdc;
  balance: Usdc;
  spent: Usdc;
  allowance: Usdc;
  /** Whether the owner's funding authorization was used or cancelled. */
  isFundingUsed: boolean;
  /** What is in its pocket; zero without one. */
  pocketBalance: Usdc;
};

/** A block that the observer has read. */
export type ReadBlock = { number: bigint; seconds: number };

export type OperationEnd =
  | { id: number; next: "done" }
  | { id: number; next: "again"; attempts: number }
  | { id: number; next: "failed"; failure: string };

const MINED_WITHOUT_EFFECT_MAX = 5;
export const isOpening = ({ kind }: Pick<Operation, "kind">): boolean =>
  kind === "open_and_fund" || kind === "open_and_pull";

/** Whether the chain shows what the operation was for, also if somebody else sent it. */
export function isShown({ kind, amount }: Operation, r: Reading): boolean {
  switch (kind) {
    case "open_and_fund":
      return r.isDeployed && r.isFundingUsed && r.funded > 0n;
    case "open_and_pull":
      // Of the permit nothing is left once the whole limit was drawn. Strangers can open the vault and send it money.
      return r.isDeployed && (r.allowance > 0n || r.funded >= (amount ?? 0n));
    case "pull":
      return r.isDeployed && r.funded >= (amount ?? 0n);
    case "count":
      return r.isDeployed && !isUncounted(r);
    case "revoke_signed":
      return r.isRevoked;
    case "withdraw":
    case "return":
      return r.isDeployed && r.balance === 0n;
    case "fill_pocket":
      return r.pocketBalance >= (amount ?? 0n);
    case "empty_pocket":
      return r.pocketBalance === 0n;
    default:
      return kind satisfies never;
  }
}

/**
 * The end of an operation at a block; null while it can still have its effect. `canOpen`: the owner's signature can still open
 * and fund the vault, whoever submits it.
 */
export function endOf(
  operation: LiveOperation,
  reading: Reading,
  { block, canOpen }: { block: ReadBlock; canOpen: boolean },
): OperationEnd | null {
  const { id, state, validBefore } = operation;
  if (isShown(operation, reading)) return { id, next: "done" };
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
  const isGivenUp = operation.kind === "pull" || operation.kind === "fill_pocket";
  if (isGivenUp && attempts >= MINED_WITHOUT_EFFECT_MAX)
    return { id, next: "failed", failure: operation.failure ?? "The chain did not make the transfer" };
  return { id, next: "again", attempts };
}

type Known = {
  vault: SignedVault;
  mandate: Pick<Mandate, "state"> & Budget;
  /** Those that are still waiting or sent. */
  live: readonly Pick<Operation, "kind">[];
  /** The end of the operation that opens it, if it ended now. */
  opening: OperationEnd | null;
  /** Whether the owner's signature can still bring money in, although we gave it up. */
  canOpen: boolean;
  /** Whether no payment needs what is in the pocket. */
  isPocketIdle: boolean;
};

/** What a reading can ask for. */
type Wanted = "withdraw" | "return" | "count" | "empty_pocket";

export type NextState = Pick<SignedVault, "state" | "failure">;

/** The state of a vault after a reading, and the operations that it needs now. */
export function afterReading(known: Known, reading: Reading, block: ReadBlock): NextState & { wants: Wanted[] } {
  const { vault, mandate, live, isPocketIdle } = known;
  const isOver = reading.isRevoked || block.seconds >= vault.terms.end;
  const next = stateOf(known, reading, isOver);
  const isUnderway = (...kinds: Operation["kind"][]) => live.some(({ kind }) => kinds.includes(kind));
  const goesHome = next.state === "closing" || (next.state === "open" && isExhausted(mandate));
  const wants: Wanted[] = [];
  if (goesHome && reading.isDeployed && reading.balance > 0n) {
    if (!isUnderway("withdraw", "return", "revoke_signed")) wants.push(isOver ? "withdraw" : "return");
  } else if (next.state === "open" && isUncounted(reading) && !isUnderway("count")) wants.push("count");
  const isPocketDone = goesHome || isPocketIdle;
  if (isPocketDone && reading.pocketBalance > 0n && !isUnderway("empty_pocket")) wants.push("empty_pocket");
  return { ...next, wants };
}

function stateOf({ vault, mandate, live, opening, canOpen }: Known, reading: Reading, isOver: boolean): NextState {
  const { state } = vault;
  const holdsMoney = (reading.isDeployed && reading.balance > 0n) || reading.pocketBalance > 0n;
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

/** Nothing more can be paid, so what is left goes home. */
const isExhausted = (mandate: Budget): boolean => remaining(mandate) <= 0n && mandate.pendingAmount === 0n;
