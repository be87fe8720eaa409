"use client";

import { useCallback } from "react";
import { useOpenWallets } from "./connection";

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
  const open = useOpenWallets();
  return useCallback(
    async (request) => {
      const opened = await open().catch(() => null);
      return opened ? opened.signTypedData(request) : { outcome: "failed", reason: NOT_LOADED };
    },
    [open],
  );
}

const NOT_LOADED = "We could not be reached, so nothing was requested from your wallet. Try again.";
