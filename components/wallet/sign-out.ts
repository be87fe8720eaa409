import { signOut } from "next-auth/react";
import { unsubscribe } from "@/components/settings/this-browser";
import { type Opened, wasConnected } from "./connection";

/** Ends the session, the notices in this browser and the connection to the wallet. */
export async function leaveSession(openWallets: () => Promise<Opened>): Promise<void> {
  await signOut({ redirect: false });
  // The service sends nothing to a browser whose session was ended, so a browser that fails here is told nothing either.
  await unsubscribe().catch(() => undefined);
  if (!wasConnected()) return;
  const walletModule = await openWallets().catch(() => null);
  await walletModule?.disconnectWallet().catch(() => undefined);
}
