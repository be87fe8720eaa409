"use client";

import { type ReactNode, useEffect } from "react";
import { WagmiContext } from "wagmi";
import { walletConfig } from "./config";
import { useOpenWallets } from "./connection";

/** Provides wagmi to components that use its hooks. Browsers only. */
export function Wagmi({ children }: { children: ReactNode }) {
  const open = useOpenWallets();
  useEffect(() => {
    // Errors are ignored here: signing loads the code again and reports them.
    open().catch(() => undefined);
  }, [open]);
  return <WagmiContext value={walletConfig()}>{children}</WagmiContext>;
}
