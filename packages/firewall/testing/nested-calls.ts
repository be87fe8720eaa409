import { type Abi, type AbiParameter, encodeFunctionData, type Hex, parseAbi } from "viem";
import { expect } from "vitest";
import { scanTransaction } from "../src/transaction/scan.ts";
import type { Call } from "../src/transaction/walk.ts";

/** Calls and scans of a contract, for tests of what is inside a call. */
export const CONTRACT = "0x1f98431c8ad98523631ae4a59f267346ea31f984";
export const OTHER = "0xab8483f64d9c6d1ecf9b849ae677dd3315835cb2";

export function call(signature: string, args: readonly unknown[]): Hex {
  const abi: Abi = parseAbi([`function ${signature}`] as readonly string[]);
  const inputs: readonly AbiParameter[] = abi[0]?.type === "function" ? abi[0].inputs : [];
  expect(inputs).toHaveLength(args.length);
  return encodeFunctionData({ abi, args });
}

export const approve = call("approve(address,uint256)", [OTHER, 2n ** 256n - 1n]);

export const scan = (data: Hex) => scanTransaction({ to: CONTRACT, data });
export const codesOf = (data: Hex) => [...new Set(scan(data).findings.map(({ code }) => code))].sort();
export const said = (data: Hex) => scan(data).findings.map(({ message }) => message);
/** The functions of a tree with their targets; inner calls are in brackets. */
const treeOf = (list: readonly Call[]): string =>
  list
    .map(
      (one) => `${one.function?.split("(")[0]}@${one.to?.slice(0, 6)}${one.calls[0] ? `[${treeOf(one.calls)}]` : ""}`,
    )
    .join(" ");
export const tree = (data: Hex) => treeOf(scan(data).normalized.calls);
