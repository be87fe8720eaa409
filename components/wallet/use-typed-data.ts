"use client";

import { useCallback } from "react";
import { useGivenWallet } from "@/components/texts/context";
import { usePageWords } from "@/components/texts/page-words";
import { useOpenWallets } from "./connection";
import type { TypedDataRequest, TypedDataResult } from "./typed-data";

/** Signs a server's payload unchanged, with the required account on the required chain. Never throws. */
export function useTypedData(): (request: TypedDataRequest) => Promise<TypedDataResult> {
  const open = useOpenWallets();
  const translation = useGivenWallet();
  const { walletNotReached } = usePageWords().texts;
  return useCallback(
    async (request) => {
      const walletModule = await open().catch(() => null);
      return walletModule
        ? walletModule.signTypedData(request, translation)
        : { type: "failed", reason: walletNotReached };
    },
    [open, translation, walletNotReached],
  );
}
