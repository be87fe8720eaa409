"use client";

import { type ReactNode, useEffect } from "react";
import { WagmiContext } from "wagmi";
import { walletConfig } from "./config";
import { useOpenWallets } from "./connection";

/** Around what uses wagmi's hooks. Rendered in browsers only. */
export function Wagmi({ children }: { children: ReactNode }) {
  const open = useOpenWallets();
  useEffect(() => {
    // What is signed opens them again, and says so if that fails.
    open().catch(() => undefined);
  }, [open]);
  return <WagmiContext value={walletConfig()}>{children}</WagmiContext>;
}
