import { type Abi, type AbiParameter, encodeFunctionData, encodePacked, type Hex, pad, parseAbi, size } from "viem";
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

export const approve = (amount: bigint, spender: Hex = OTHER) => call("approve(address,uint256)", [spender, amount]);
export const transfer = (to: Hex, amount = 1_000_000n) => call("transfer(address,uint256)", [to, amount]);
export const multicall = (...calls: readonly Hex[]) => call("multicall(bytes[])", [calls]);
/** An item of a MultiSend. */
export const packed = (to: Hex, data: Hex, value = 0n) =>
  encodePacked(["uint8", "address", "uint256", "uint256", "bytes"], [0, to, value, BigInt(size(data)), data]);
/** A Safe's transaction. */
export const safe = (to: Hex, data: Hex, operation: number) =>
  call("execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)", [
    ...[to, 0n, data, operation],
    ...[0n, 0n, 0n, ZERO, ZERO, SIGNATURE],
  ]);
/** An execution mode of ERC-7579. */
export const mode = (kind: Hex, data: Hex) => call("execute(bytes32,bytes)", [pad(kind, { dir: "right" }), data]);
/** Commands of Uniswap's router. */
export const router = (commands: Hex, ...inputs: readonly Hex[]) =>
  call("execute(bytes,bytes[],uint256)", [commands, inputs, 1n]);

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
