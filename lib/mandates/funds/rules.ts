import { toUsdc, type Usdc } from "@/lib/core/money";

/** 5 USDC. */
export const LOW_BALANCE_DEFAULT: Usdc = toUsdc(5_000_000n);

export type Funds = {
  /** As shown at a block that the observer had read. */
  balance: Usdc;
  /** The largest remaining budget of an active mandate that pays from the wallet or vault; zero without one. */
  remaining: Usdc;
  /** The owner's setting; zero: never notified. */
  threshold: Usdc;
};

/**
 * Whether the balance is low: below the threshold and below what a mandate may still spend. Stays low until the balance is at the
 * threshold again, so that the owner is notified once.
 */
export const isLow = ({ balance, remaining, threshold }: Funds, wasLow: boolean): boolean =>
  balance < threshold && (wasLow || balance < remaining);
