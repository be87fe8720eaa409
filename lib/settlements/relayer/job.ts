import type { Hex } from "viem";
import type { Address } from "@/lib/core/address";
import type { Chain } from "@/lib/platform/chain";
import type { System } from "@/lib/platform/context";
import type { Lease } from "@/lib/platform/lease";
import type { NetworkName } from "@/lib/x402/networks";

/**
 * One relayer key on one network, and the lease of the loop that sends with it: the loop of the key itself, or the one of its
 * network that sends what other domains need.
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

/**
 * Sends what other domains need until `isOver`: "more" if something is left then. An error in one item must not delay the others.
 */
export type Sender = (job: RelayerJob, isOver: () => boolean) => Promise<Pace>;
