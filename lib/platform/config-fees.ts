import { formatGwei, parseGwei } from "viem";
import { z } from "zod";
import { TIP } from "./chain";

/**
 * Hundred times the usual tip on Base; the fee is not paid but only offered, and the chain's own base fee counts.
 * Why: docs/decisions.md, 387.
 */
const FEE_CAP = "20/0.1";

/** What a transaction may offer: in all, and of that to the block's maker, in wei for one unit of gas. */
export type FeeCap = { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint };

const feeCap = z
  .string()
  .regex(/^\d{1,5}(\.\d{1,9})?\/\d{1,5}(\.\d{1,9})?$/, "must be fee/tip in gwei, for example 20/0.1")
  .transform((text): FeeCap => {
    const [fee = "", tip = ""] = text.split("/");
    return { maxFeePerGas: parseGwei(fee), maxPriorityFeePerGas: parseGwei(tip) };
  })
  .refine(
    (cap) => cap.maxFeePerGas >= TIP && cap.maxPriorityFeePerGas >= TIP && cap.maxPriorityFeePerGas <= cap.maxFeePerGas,
    `the tip must be at least ${formatGwei(TIP)} gwei and at most the fee`,
  );

/** The most that the relayer offers for gas, also when it raises its offer: fee/tip in gwei. */
export const FEE_VARIABLES = {
  BASE_FEE_CAP: feeCap.prefault(FEE_CAP),
  BASE_SEPOLIA_FEE_CAP: feeCap.prefault(FEE_CAP),
};
