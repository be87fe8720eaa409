import { signOut } from "next-auth/react";
import type { Config } from "wagmi";
import { disconnect } from "wagmi/actions";
import { unsubscribe } from "@/components/settings/this-browser";

/** Ends the session, the notices in this browser and the connection to the wallet. */
export async function leaveSession(config: Config): Promise<void> {
  await signOut({ redirect: false });
  // The service sends nothing to a browser whose session was ended, so a browser that fails here is told nothing either.
  await unsubscribe().catch(() => undefined);
  await disconnect(config).catch(() => undefined);
}
