import { toUsdc, type Usdc } from "@/lib/core/money";

/** 5 USDC. */
export const LOW_BALANCE_DEFAULT: Usdc = toUsdc(5_000_000n);

export type Funds = {
  /** As the chain showed at a block that the observer had read. */
  balance: Usdc;
  /** The largest rest of an active mandate that pays from it; zero without one. */
  remaining: Usdc;
  /** The owner's; zero: they are never told. */
  threshold: Usdc;
};

/**
 * Whether little is left: less than the threshold, and less than a mandate may still spend. What was low stays so until the balance is
 * at the threshold again, so that its owner is told once.
 */
export const isLow = ({ balance, remaining, threshold }: Funds, wasLow: boolean): boolean =>
  balance < threshold && (wasLow || balance < remaining);
