import {
  decodeFunctionResult,
  encodeFunctionData,
  getCreate2Address,
  type Hex,
  keccak256,
  parseAbi,
  size,
  stringToHex,
} from "viem";
import { toAddress } from "@/lib/core/address";
import type { Call, CallResult } from "@/lib/platform/chain";
import { presenceOf } from "@/lib/platform/presence";
import { revertReason } from "@/lib/platform/rpc-answers";
import type { Authorization } from "@/lib/x402/authorization";
import { CREATE2_DEPLOYER } from "@/lib/x402/networks";
import artifact from "./settler.json";

/** ABI of contracts/src/Settler.sol. */
const SETTLER_ABI = parseAbi([
  "struct Transfer { address from; address to; uint256 value; uint256 validAfter; uint256 validBefore; bytes32 nonce; uint256 gasStipend; bytes signature; }",
  "struct Failure { uint256 index; bytes reason; }",
  "function settle(address token, Transfer[] items) returns (Failure[] failures)",
  "function settleTogether(address token, Transfer[] items)",
]);

export const SETTLER_BYTECODE = artifact.bytecode as Hex;
export const SETTLER_CODE = artifact.deployedBytecode as Hex;

export const SETTLER_SALT = keccak256(stringToHex("tessera settler 1"));

/** The settler's address on every network. CREATE2 ties it to the bytecode, so no other code can be there. Why: docs/decisions.md, 81. */
export const SETTLER = toAddress(
  getCreate2Address({ from: CREATE2_DEPLOYER, salt: SETTLER_SALT, bytecode: SETTLER_BYTECODE }),
);

/** Without the settler, each transaction contains one transfer. Throws ChainUnavailable. */
export const hasSettler = presenceOf([{ address: SETTLER, code: SETTLER_CODE }]);

/** A signed transfer and the gas limit of its token call. */
export type StipendedTransfer = { authorization: Authorization; signature: Hex; stipend: bigint };

/** One call for all of `transfers`. `isAllOrNothing`: a rejected transfer reverts the others. */
export function settlerCall(
  token: Call["to"],
  transfers: readonly StipendedTransfer[],
  { isAllOrNothing }: { isAllOrNothing: boolean },
): Call {
  const items = transfers.map(({ authorization, signature, stipend }) => {
    return { ...authorization, gasStipend: stipend, signature };
  });
  const functionName = isAllOrNothing ? "settleTogether" : "settle";
  return { to: SETTLER, data: encodeFunctionData({ abi: SETTLER_ABI, functionName, args: [token, items] }) };
}

/** Decodes the result of `settle` for each of `count` transfers. Throws when `data` is not such a result. */
export function settlerResults(data: Hex, count: number): CallResult[] {
  const failures = decodeFunctionResult({ abi: SETTLER_ABI, functionName: "settle", data });
  const results: CallResult[] = Array.from({ length: count }, () => ({ ok: true, data: "0x" }));
  for (const { index, reason } of failures) results[Number(index)] = { ok: false, reason: revertReason(reason) };
  return results;
}

const INTRINSIC_GAS = 21_000n;
const BYTE_GAS = 16n;
/** OVERHEAD of Settler.sol: the contract's own gas for one transfer. Two more per signature byte are added below. */
const TRANSFER_OVERHEAD = 15_000n;
const DECODING_GAS = 30_000n;

/** Gas limit of a transaction with `call`, so that every transfer gets its full stipend. */
export function settlerGas(call: Call, transfers: readonly { stipend: bigint; signature: Hex }[]): bigint {
  const stipends = transfers.reduce((sum, { stipend }) => sum + stipend, 0n);
  const overheads = transfers.reduce(
    (sum, { signature }) => sum + TRANSFER_OVERHEAD + 2n * BigInt(size(signature)),
    0n,
  );
  // The contract requires 1/63 of the largest stipend in reserve (EIP-150); 1/63 of their sum is more than that.
  const used = stipends + stipends / 63n + overheads + DECODING_GAS;
  return INTRINSIC_GAS + BYTE_GAS * BigInt(size(call.data)) + used;
}

/** Gas limit of a transaction with a single transfer whose token call gets `stipend`. */
export const aloneGas = (call: Call, stipend: bigint): bigint =>
  INTRINSIC_GAS + BYTE_GAS * BigInt(size(call.data)) + stipend;
