"use client";

import { useCallback } from "react";
import { getTypesForEIP712Domain } from "viem";
import { useConfig } from "wagmi";
import { getConnection } from "wagmi/actions";
import { shorten } from "@/components/ui/shorten";
import { chainName, type Eip1193, ensureChain, explain, isRejection, providerOf } from "./eip1193";
import { isOfUndeployed, UNDEPLOYED } from "./undeployed";

/** An EIP-712 payload as our API sends it. */
export type TypedDataPayload = {
  domain: { name?: string; version?: string; chainId?: number | string; verifyingContract?: string; salt?: string };
  types: Record<string, readonly { name: string; type: string }[]>;
  primaryType: string;
  message: Record<string, unknown>;
};
export type TypedDataRequest = {
  /** The address that must sign. */
  owner: string;
  chainId: number;
  typedData: TypedDataPayload;
};
export type TypedDataResult =
  | { outcome: "signed"; signature: `0x${string}` }
  | { outcome: "rejected" }
  | { outcome: "failed"; reason: string };

/** Signs a server's payload unchanged, with the required account on the required chain. Never throws. */
export function useTypedData(): (request: TypedDataRequest) => Promise<TypedDataResult> {
  const config = useConfig();
  return useCallback(
    async (request) => {
      const { connector } = getConnection(config);
      if (!connector) return failed("Connect your wallet first.");
      try {
        return await sign(await providerOf(connector), request);
      } catch (error) {
        return isRejection(error) ? { outcome: "rejected" } : failed(explain(error));
      }
    },
    [config],
  );
}

async function sign(wallet: Eip1193, { owner, chainId, typedData }: TypedDataRequest): Promise<TypedDataResult> {
  // Read from the wallet, not from our copy of its state: accounts change while a page is open.
  const accounts = (await wallet.request({ method: "eth_accounts" })) as readonly string[];
  if (!accounts.some((account) => account.toLowerCase() === owner.toLowerCase())) {
    return failed(`This needs a signature by ${shorten(owner)}. Choose that account in your wallet and try again.`);
  }
  if (!(await ensureChain(wallet, chainId)))
    return failed(`Switch your wallet to ${chainName(chainId)} and try again.`);
  const signature = await wallet.request({
    method: "eth_signTypedData_v4",
    params: [owner, JSON.stringify(withDomainType(typedData), writeBigInt)],
  });
  if (isOfUndeployed(signature)) return failed(UNDEPLOYED);
  return isHex(signature) ? { outcome: "signed", signature } : failed("Your wallet sent no signature. Try again.");
}

/** Wallets refuse a payload without the EIP712Domain type; adding it does not change the digest. */
const withDomainType = (typedData: TypedDataPayload) => ({
  ...typedData,
  types: {
    EIP712Domain: getTypesForEIP712Domain({
      domain: typedData.domain as Parameters<typeof getTypesForEIP712Domain>[0]["domain"],
    }),
    ...typedData.types,
  },
});

const writeBigInt = (_: string, value: unknown) => (typeof value === "bigint" ? value.toString() : value);

const isHex = (value: unknown): value is `0x${string}` => typeof value === "string" && /^0x[0-9a-fA-F]+$/.test(value);

const failed = (reason: string): TypedDataResult => ({ outcome: "failed", reason });
