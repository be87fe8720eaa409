"use client";

import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { WalletMode } from "./connection";
import { Wagmi } from "./wagmi";
import { Wallets } from "./wallets";

export type ProvidersProps = { mode: WalletMode; children: ReactNode };

/** Providers for the wallet part of a checkout, which is loaded when a buyer pays with a wallet. */
export function Providers({ mode, children }: ProvidersProps) {
  const [queries] = useState(() => new QueryClient());
  return (
    <Wallets mode={mode}>
      <Wagmi>
        <QueryClientProvider client={queries}>{children}</QueryClientProvider>
      </Wagmi>
    </Wallets>
  );
}
