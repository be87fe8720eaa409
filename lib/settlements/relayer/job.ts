import type { Hex } from "viem";
import type { Address } from "@/lib/core/address";
import type { Chain } from "@/lib/platform/chain";
import type { System } from "@/lib/platform/context";
import type { Lease } from "@/lib/platform/lease";
import type { NetworkName } from "@/lib/x402/networks";

/** One relayer key on one network. The lease makes this process its only user. */
export type RelayerJob = {
  system: System;
  chain: Chain;
  network: NetworkName;
  key: Hex;
  signer: Address;
  lease: Lease;
  /** Work of other domains that this key sends too. */
  senders?: readonly Sender[];
};

/** Sends what waits. Returns whether something waits or is under way. An error in one item must not delay the others. */
export type Sender = (job: RelayerJob) => Promise<boolean>;
