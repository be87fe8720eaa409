"use client";

import { createContext, useCallback, useContext, useEffect, useState, useSyncExternalStore } from "react";
import { shared } from "@/components/ui/shared";

export type WalletMode = "devnet" | "production";
export type Opened = typeof import("./opened");

export const ModeContext = createContext<WalletMode>("production");

export const useWalletMode = (): WalletMode => useContext(ModeContext);

const connected = shared<string | undefined>(undefined);
const isWanted = shared(false);
let announced = () => {};
const testWallet = new Promise<void>((resolve) => {
  announced = resolve;
});

/** Whether the devnet's wallet is to be there, and what to call when it is, or cannot be. */
export const useTestWalletWanted = () => ({
  isWanted: useSyncExternalStore(isWanted.subscribe, isWanted.get, () => false),
  announced,
});

let opening: Promise<Opened> | undefined;

/** Loads the code of the wallets, once for the page, and connects again to the wallet of an earlier visit. */
export function useOpenWallets(): () => Promise<Opened> {
  const mode = useWalletMode();
  return useCallback(() => {
    opening ??= load(mode).catch((error: unknown) => {
      // Without a network, the next press loads it again.
      opening = undefined;
      throw error;
    });
    return opening;
  }, [mode]);
}

async function load(mode: WalletMode): Promise<Opened> {
  isWanted.set(true);
  const [walletModule] = await Promise.all([import("./opened"), mode === "devnet" && testWallet]);
  await walletModule.restore(connected.set);
  return walletModule;
}

/**
 * The account of the connected wallet. Loads the code of the wallets at once if one was connected before, otherwise with `find`,
 * which waits until it is connected again. What was pressed is busy meanwhile, so that a second press does nothing.
 */
export function useConnected(): Connected {
  const open = useOpenWallets();
  useEffect(() => {
    // What needs the wallet says so if it cannot be loaded.
    if (wasConnected()) open().catch(() => undefined);
  }, [open]);
  const [isFinding, setFinding] = useState(false);
  const find = useCallback(async () => {
    setFinding(true);
    // What needs the wallet says so if it cannot be loaded.
    await open().catch(() => undefined);
    setFinding(false);
    return connected.get();
  }, [open]);
  return { address: useSyncExternalStore(connected.subscribe, connected.get, () => undefined), find, isFinding };
}

type Connected = { address: string | undefined; find: () => Promise<string | undefined>; isFinding: boolean };

/** Reads wagmi's stored connection, without loading wagmi. */
export function wasConnected(): boolean {
  try {
    return /"current":"/.test(localStorage.getItem("tessera.wallet.store") ?? "");
  } catch {
    return false;
  }
}
