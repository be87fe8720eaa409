import type { Hex } from "viem";
import type { Address } from "@/lib/core/address";
import type { Chain } from "@/lib/platform/chain";
import type { System } from "@/lib/platform/context";
import type { Queryable } from "@/lib/platform/db";
import type { Lease } from "@/lib/platform/lease";
import type { NetworkName } from "@/lib/x402/networks";

/**
 * One relayer key on one network, and the lease of the loop that sends with it: the key's own loop or the network's operations
 * loop.
 */
export type RelayerJob = {
  system: System;
  chain: Chain;
  network: NetworkName;
  key: Hex;
  signer: Address;
  lease: Lease;
};

/** How soon to run again. */
export type Pace = "more" | "underway" | "idle";

/** Another domain's transactions. */
export type Sender = {
  /** Whether some are to be sent or followed. Asked all the time, so one cheap statement. */
  hasWork: (db: Queryable, network: NetworkName) => Promise<boolean>;
  /** Sends them until `isOver`. Returns "more" if some are left then. An error in one must not delay the others. */
  send: (job: RelayerJob, isOver: () => boolean) => Promise<Pace>;
};
