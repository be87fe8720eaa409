"use client";

import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { createContext, type ReactNode, useCallback, useContext, useState } from "react";
import { WagmiProvider } from "wagmi";
import { reconnect } from "wagmi/actions";
import { createWalletConfig } from "./config";

export type WalletMode = "devnet" | "production";
export type ProvidersProps = { mode: WalletMode; children: ReactNode };

/** The client root: wallets, and on a devnet the test wallet. */
export function Providers({ mode, children }: ProvidersProps) {
  const [config] = useState(createWalletConfig);
  const [queries] = useState(() => new QueryClient());
  // The test wallet loads after the first paint; reconnecting waits for it.
  // Deferred by a turn: rendered together with this component, it announces itself before wagmi has read its storage.
  const onTestWallet = useCallback(() => void setTimeout(() => reconnect(config)), [config]);
  return (
    <ModeContext value={mode}>
      <WagmiProvider config={config} reconnectOnMount={mode === "production"}>
        <QueryClientProvider client={queries}>
          {children}
          {mode === "devnet" && <TestWallet onReady={onTestWallet} />}
        </QueryClientProvider>
      </WagmiProvider>
    </ModeContext>
  );
}

export const useWalletMode = (): WalletMode => useContext(ModeContext);

const ModeContext = createContext<WalletMode>("production");

// Loaded only where it is rendered, so production never downloads it.
const TestWallet = dynamic(() => import("./test-wallet-dialog").then((module) => module.TestWallet), { ssr: false });
