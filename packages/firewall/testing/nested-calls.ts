import {
  type Abi,
  type AbiParameter,
  concatHex,
  encodeAbiParameters,
  encodeFunctionData,
  encodePacked,
  type Hex,
  pad,
  parseAbi,
  parseAbiParameters,
  size,
} from "viem";
import { expect } from "vitest";
import { scanTransaction } from "../src/transaction/scan.ts";
import type { Call } from "../src/transaction/walk.ts";
import { codesIn } from "./outcomes.ts";

/** Calls and scans of a contract, for tests of what is inside a call. */
export const CONTRACT = "0x1f98431c8ad98523631ae4a59f267346ea31f984";
export const OTHER = "0xab8483f64d9c6d1ecf9b849ae677dd3315835cb2";
export const PERSON = "0x5b38da6a701c568545dcfcb03fcb875f56beddc4";
export const USDC = "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913";
export const PERMIT2 = "0x000000000022d473030f116ddee9f6b43ac78ba3";
export const ZERO = "0x0000000000000000000000000000000000000000";
export const DEAD = "0x000000000000000000000000000000000000dead";
export const MAX = 2n ** 256n - 1n;
export const MAX160 = 2n ** 160n - 1n;
export const WORD = `0x${"11".repeat(32)}` as const;
export const SIGNATURE = `0x${"22".repeat(65)}` as const;
/** Begins and ends like the address. */
export const lookalikeOf = (address: string): Hex => `0x${address.slice(2, 6)}${"9".repeat(32)}${address.slice(-4)}`;

export function call(signature: string, args: readonly unknown[] = []): Hex {
  const abi: Abi = parseAbi([`function ${signature}`] as readonly string[]);
  const inputs: readonly AbiParameter[] = abi[0]?.type === "function" ? abi[0].inputs : [];
  expect(inputs).toHaveLength(args.length);
  return encodeFunctionData({ abi, args });
}

/** Values in the ABI's encoding, without a function. */
export const encoded = (types: string, ...values: readonly unknown[]): Hex =>
  encodeAbiParameters(parseAbiParameters(types), values);

export const approve = (amount: bigint, spender: Hex = OTHER) => call("approve(address,uint256)", [spender, amount]);
export const transfer = (to: Hex, amount = 1_000_000n) => call("transfer(address,uint256)", [to, amount]);
export const takeOver = call("transferOwnership(address)", [OTHER]);
export const execute = (to: Hex, data: Hex, value = 0n) => call("execute(address,uint256,bytes)", [to, value, data]);
export const multicall = (...calls: readonly Hex[]) => call("multicall(bytes[])", [calls]);
export const multiSend = (...items: readonly Hex[]) => call("multiSend(bytes)", [concatHex(items)]);
/** An item of a MultiSend. */
export const packed = (to: Hex, data: Hex, value = 0n) =>
  encodePacked(["uint8", "address", "uint256", "uint256", "bytes"], [0, to, value, BigInt(size(data)), data]);
/** A Safe's transaction. */
export const safe = (to: Hex, data: Hex, operation: number, refund: readonly unknown[] = [0n, 0n, ZERO, ZERO]) =>
  call("execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)", [
    ...[to, 0n, data, operation, 0n],
    ...[...refund, SIGNATURE],
  ]);
type Setup = {
  owners?: readonly Hex[];
  to?: Hex;
  data?: Hex;
  handler?: Hex;
  token?: Hex;
  payment?: bigint;
  receiver?: Hex;
};
/** The fallback handler of Safe 1.4.1. */
export const HANDLER = "0xfd0732dc9e303f09fcef3a7388ad10a83459ec99";
/** The setup of a Safe. */
export const setUp = ({
  owners = [PERSON],
  to = ZERO,
  data = "0x",
  handler = HANDLER,
  token = ZERO,
  payment = 0n,
  receiver = ZERO,
}: Setup) =>
  call("setup(address[],uint256,address,bytes,address,address,uint256,address)", [
    ...[owners, BigInt(owners.length), to, data, handler],
    ...[token, payment, receiver],
  ]);
/** An operation of ERC-4337. */
export const OPERATION = "(address,uint256,bytes,bytes,bytes32,uint256,bytes32,bytes,bytes)";
export const operation = (data: Hex) => [PERSON, 0n, "0x", data, WORD, 0n, WORD, "0x", "0x"];
export const handleOps = (data: Hex) => call(`handleOps(${OPERATION}[],address)`, [[operation(data)], PERSON]);
/** The registration of marketplace orders, of none. */
export const validate = call(
  "validate(((address,address,(uint8,address,uint256,uint256,uint256)[],(uint8,address,uint256,uint256,uint256,address)[],uint8,uint256,uint256,bytes32,uint256,bytes32,uint256),bytes)[])",
  [[]],
);
/** An execution mode of ERC-7579. */
export const mode = (kind: Hex, data: Hex) => call("execute(bytes32,bytes)", [pad(kind, { dir: "right" }), data]);
export const single = (to: Hex, data: Hex) => encodePacked(["address", "uint256", "bytes"], [to, 0n, data]);
export const batch = (to: Hex, ...inner: Hex[]) =>
  encoded(
    "(address, uint256, bytes)[]",
    inner.map((data) => [to, 0n, data]),
  );
/** Commands of Uniswap's router, and a plan with commands in it. */
export const router = (commands: Hex, ...inputs: readonly Hex[]) =>
  call("execute(bytes,bytes[],uint256)", [commands, inputs, 1n]);
export const plan = (commands: Hex, ...inputs: readonly Hex[]) => encoded("bytes, bytes[]", commands, inputs);
/** An allowance in Permit2, as a command has it. */
export const permitSingle = (amount: bigint) =>
  encoded(
    "((address, uint160, uint48, uint48), address, uint256), bytes",
    [[USDC, amount, 1, 0], CONTRACT, 1n],
    SIGNATURE,
  );

export const scan = (data: Hex) => scanTransaction({ to: CONTRACT, data });
export const codesOf = (data: Hex) => codesIn(scan(data));
export const said = (data: Hex) => scan(data).findings.map(({ message }) => message);
/** The functions of a tree with their targets; inner calls are in brackets. */
const treeOf = (list: readonly Call[]): string =>
  list
    .map(
      (one) => `${one.function?.split("(")[0]}@${one.to?.slice(0, 6)}${one.calls[0] ? `[${treeOf(one.calls)}]` : ""}`,
    )
    .join(" ");
export const tree = (data: Hex) => treeOf(scan(data).normalized.calls);
