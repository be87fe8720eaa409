"use client";

import type { ReactNode } from "react";
import { useLoaded } from "@/components/ui/use-loaded";
import { ModeContext, useTestWalletWanted, type WalletMode } from "./connection";

export type WalletsProps = { mode: WalletMode; children: ReactNode };

/** The context for components that may need a wallet. On a devnet, the test wallet is loaded with the first of them. */
export function Wallets({ mode, children }: WalletsProps) {
  return (
    <ModeContext value={mode}>
      {children}
      {mode === "devnet" && <TestWalletWhenWanted />}
    </ModeContext>
  );
}

function TestWalletWhenWanted() {
  const { isWanted, announced } = useTestWalletWanted();
  const TestWallet = useLoaded(loadTestWallet, isWanted);
  if (TestWallet === null) announced();
  return TestWallet && <TestWallet onReady={announced} />;
}

// Loaded only where it is rendered, so production never downloads it.
const loadTestWallet = () => import("./test-wallet-dialog").then((module) => module.TestWallet);
