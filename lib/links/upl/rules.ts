import { positiveAmount, type Usdc } from "@/lib/core/money";
import { uplErrors } from "./errors";

/** The amount of a UPL query, in atomic units. Throws the 400 codes of `uplErrors`. A repeated parameter is invalid. */
export function requestedAmount(query: { amount?: unknown; asset?: unknown }): Usdc {
  if (query.amount === undefined || query.amount === "") throw uplErrors.MISSING_AMOUNT();
  if (query.asset === undefined || query.asset === "") throw uplErrors.MISSING_ASSET();
  const amount = positiveAmount.safeParse(query.amount);
  if (!amount.success) throw uplErrors.INVALID_AMOUNT();
  if (query.asset !== "usdc" && query.asset !== "USDC") throw uplErrors.UNSUPPORTED_ASSET();
  return amount.data;
}
