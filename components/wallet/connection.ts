"use client";

import { createContext, useCallback, useContext, useEffect, useState, useSyncExternalStore } from "react";
import { shared } from "@/components/ui/shared";
import { wasConnected } from "./was-connected";

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

/** `isWanted`: the test wallet's component must be mounted. Call `announced` once it has announced its wallet, or if it fails to load. */
export const useTestWalletWanted = () => ({
  isWanted: useSyncExternalStore(isWanted.subscribe, isWanted.get, () => false),
  announced,
});

let opening: Promise<Opened> | undefined;

/** Returns a function that loads the wallet code once per page and reconnects the wallet of an earlier visit. */
export function useOpenWallets(): () => Promise<Opened> {
  const mode = useWalletMode();
  return useCallback(() => {
    opening ??= load(mode).catch((error: unknown) => {
      // After a failure, the next press loads again.
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
 * The connected wallet's account. Loads the wallet code at once if a wallet was connected before. Otherwise `find` loads it and waits for
 * the reconnection. Show the pressed button as busy while `isFinding`, so that a second press does nothing.
 */
export function useConnected(): Connected {
  const open = useOpenWallets();
  useEffect(() => {
    // Errors are ignored here: the action that needs the wallet reports them.
    if (wasConnected()) open().catch(() => undefined);
  }, [open]);
  const [isFinding, setFinding] = useState(false);
  const find = useCallback(async () => {
    setFinding(true);
    // Errors are ignored here: the action that needs the wallet reports them.
    await open().catch(() => undefined);
    setFinding(false);
    return connected.get();
  }, [open]);
  return { address: useSyncExternalStore(connected.subscribe, connected.get, () => undefined), find, isFinding };
}

type Connected = { address: string | undefined; find: () => Promise<string | undefined>; isFinding: boolean };
