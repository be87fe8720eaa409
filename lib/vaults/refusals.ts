import { decodeErrorResult, type Hex, isHex } from "viem";
import { FACTORY_ABI, VAULT_ABI } from "./contracts";

/**
 * What to do when a simulation refuses an operation. `look`: read the chain: the operation may have taken effect, or never can.
 * `used`: the same, because a signature in it was used or cancelled. `retry`: it may work later. `end`: it can never work; because
 * a node may be behind, the operation ends only after several refusals.
 */
export type OperationRefusal = { next: "used" | "look" | "retry" | "end"; failure: string };

/** Texts of Circle's FiatToken, and errors of the vault and its factory. */
const REASONS: [RegExp, OperationRefusal][] = [
  [/used or canceled/i, { next: "used", failure: "The signature was used or cancelled" }],
  [/NothingToPull/, { next: "look", failure: "The money had already come in" }],
  [/exceeds balance/i, { next: "retry", failure: "The wallet of the owner did not hold enough USDC" }],
  [/exceeds allowance/i, { next: "end", failure: "The owner has withdrawn the permission to draw USDC" }],
  [/blacklisted/i, { next: "retry", failure: "The issuer of USDC has blocked an address" }],
  [/paused/i, { next: "retry", failure: "The issuer of USDC has paused it" }],
  [/expired/i, { next: "look", failure: "The signature ended before the chain accepted it" }],
  [
    /invalid signature|ECRecover|EIP2612/i,
    { next: "end", failure: "The signature is no longer valid: another permit was used since" },
  ],
  [/VaultRevoked/, { next: "end", failure: "The owner has revoked the vault on the chain" }],
  [/VaultEnded/, { next: "end", failure: "The mandate has ended" }],
  [/UnsoundTerms|WrongSignature/, { next: "end", failure: "The contract refuses these terms or signatures" }],
  [/OverReleased|NotReturnableYet/, { next: "retry", failure: "The chain's clock is behind" }],
];

export function operationRefusal(reason: string): OperationRefusal {
  const text = isHex(reason) ? nameOf(reason) : reason;
  const refusal = REASONS.find(([pattern]) => pattern.test(text))?.[1];
  return refusal ?? { next: "retry", failure: `The chain refused it: ${text.slice(0, 200)}` };
}

/** The name of a vault or factory error; the bytes of any other error. */
function nameOf(data: Hex): string {
  try {
    return decodeErrorResult({ abi: [...VAULT_ABI, ...FACTORY_ABI], data }).errorName;
  } catch {
    return data;
  }
}
