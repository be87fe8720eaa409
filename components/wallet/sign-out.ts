import { signOut } from "next-auth/react";
import { unsubscribe } from "@/components/settings/this-browser";
import type { Opened } from "./connection";
import { wasConnected } from "./was-connected";

/** Ends the session, the notices in this browser and the connection to the wallet. */
export async function leaveSession(openWallets: () => Promise<Opened>): Promise<void> {
  await signOut({ redirect: false });
  // A failure here is harmless: the service sends no notices to a browser whose session has ended.
  await unsubscribe().catch(() => undefined);
  if (!wasConnected()) return;
  const walletModule = await openWallets().catch(() => null);
  await walletModule?.disconnectWallet().catch(() => undefined);
}
