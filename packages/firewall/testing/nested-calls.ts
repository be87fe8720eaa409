import { type Abi, type AbiParameter, encodeFunctionData, type Hex, parseAbi } from "viem";
import { expect } from "vitest";
import { scanTransaction } from "../src/transaction/scan.ts";
import type { Call } from "../src/transaction/walk.ts";

/** Calls and scans of a contract, for tests of what is inside a call. */
export const CONTRACT = "0x1f98431c8ad98523631ae4a59f267346ea31f984";
export const OTHER = "0xab8483f64d9c6d1ecf9b849ae677dd3315835cb2";
export const PERSON = "0x5b38da6a701c568545dcfcb03fcb875f56beddc4";
export const USDC = "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913";
export const ZERO = "0x0000000000000000000000000000000000000000";
export const DEAD = "0x000000000000000000000000000000000000dead";
export const MAX = 2n ** 256n - 1n;
export const MAX160 = 2n ** 160n - 1n;
export const WORD = `0x${"11".repeat(32)}` as const;
export const SIGNATURE = `0x${"22".repeat(65)}` as const;

export function call(signature: string, args: readonly unknown[]): Hex {
  const abi: Abi = parseAbi([`function ${signature}`] as readonly string[]);
  const inputs: readonly AbiParameter[] = abi[0]?.type === "function" ? abi[0].inputs : [];
  expect(inputs).toHaveLength(args.length);
  return encodeFunctionData({ abi, args });
}

export const approve = call("approve(address,uint256)", [OTHER, MAX]);

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
