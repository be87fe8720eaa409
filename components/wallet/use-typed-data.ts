"use client";

import { useCallback } from "react";
import { useOpenWallets } from "./connection";
import type { TypedDataRequest, TypedDataResult } from "./typed-data";

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
