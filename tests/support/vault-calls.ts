import { encodeFunctionData } from "viem";
import type { Address } from "@/lib/core/address";
import type { Call, Funding } from "@/lib/vaults/calls";
import { FACTORY_ABI, VAULT_ABI, VAULT_CONTRACTS } from "@/lib/vaults/contracts";
import { type Terms, toArgument } from "@/lib/vaults/terms";

/** Calls that the contracts accept from strangers or the owner, and that the service itself never sends. */

export const openCall = (terms: Terms): Call => ({
  to: VAULT_CONTRACTS[terms.contractVersion].factory.address,
  data: encodeFunctionData({ abi: FACTORY_ABI, functionName: "open", args: [toArgument(terms)] }),
});

export const fundCall = (vault: Address, f: Funding): Call => ({
  to: vault,
  data: encodeFunctionData({
    abi: VAULT_ABI,
    functionName: "fund",
    args: [f.value, f.validAfter, f.validBefore, f.nonce, f.signature],
  }),
});

/** Only the owner may send it. */
export const revokeCall = (vault: Address): Call => ({
  to: vault,
  data: encodeFunctionData({ abi: VAULT_ABI, functionName: "revoke" }),
});
