import { encodeFunctionData, type Hex } from "viem";
import type { Address } from "@/lib/core/address";
import type { Usdc } from "@/lib/core/money";
import type { Authorization } from "@/lib/x402/authorization";
import { FACTORY_ABI, VAULT_ABI, VAULT_CONTRACTS } from "./contracts";
import { type Terms, toArgument } from "./terms";

/** A call that anyone may send. Calls that move money need a signature in their data, or the owner as the sender. */
export type Call = { to: Address; data: Hex };

export type Funding = Pick<Authorization, "value" | "validAfter" | "validBefore" | "nonce"> & { signature: Hex };
export type Pull = { total: Usdc; signature: Hex };

/** Opens the vault, unless it is open, and funds it. */
export const openAndFundCall = (terms: Terms, f: Funding): Call => ({
  to: VAULT_CONTRACTS[terms.contractVersion].factory.address,
  data: encodeFunctionData({
    abi: FACTORY_ABI,
    functionName: "openAndFund",
    args: [toArgument(terms), f.value, f.validAfter, f.validBefore, f.nonce, f.signature],
  }),
});

export type SignedPermit = { allowance: Usdc; deadline: bigint; signature: Hex };

/** Opens the vault, unless it is open, submits the permit and draws the first tranche (`pull`, or null for none). */
export const openAndPullCall = (terms: Terms, permit: SignedPermit, pull: Pull | null): Call => ({
  to: VAULT_CONTRACTS[terms.contractVersion].factory.address,
  data: encodeFunctionData({
    abi: FACTORY_ABI,
    functionName: "openAndPull",
    args: [
      toArgument(terms),
      permit.allowance,
      permit.deadline,
      permit.signature,
      pull?.total ?? 0n,
      pull?.signature ?? "0x",
    ],
  }),
});

export const pullCall = (vault: Address, { total, signature }: Pull): Call => ({
  to: vault,
  data: encodeFunctionData({ abi: VAULT_ABI, functionName: "pull", args: [total, signature] }),
});

/**
 * Needed after third parties sent more than 1 USDC: the vault refuses payments until that is counted. Anyone may send it to a vault of
 * the first version, only the owner to a later one.
 */
export const countCall = (vault: Address): Call => ({
  to: vault,
  data: encodeFunctionData({ abi: VAULT_ABI, functionName: "count" }),
});

/** The same, for anyone, since version 2. `signature`: the signer's, of the total that `funded` reaches by it. */
export const countSignedCall = (vault: Address, { total, signature }: Pull): Call => ({
  to: vault,
  data: encodeFunctionData({ abi: VAULT_ABI, functionName: "countSigned", args: [total, signature] }),
});

/** `signature`: the owner's, of the revocation. */
export const revokeSignedCall = (vault: Address, signature: Hex): Call => ({
  to: vault,
  data: encodeFunctionData({ abi: VAULT_ABI, functionName: "revokeSigned", args: [signature] }),
});

/** The owner may send it at any time; anyone after the end or a revocation. */
export const withdrawCall = (vault: Address): Call => ({
  to: vault,
  data: encodeFunctionData({ abi: VAULT_ABI, functionName: "withdraw" }),
});
