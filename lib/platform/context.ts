import type { Address } from "@/lib/core/address";
import type { AgentId, OwnerId, SessionId } from "@/lib/core/ids";
import type { PaymentScan } from "@/lib/core/scans";
import type { NetworkName } from "@/lib/x402/networks";
import type { Chain } from "./chain";
import type { Config } from "./config";
import type { Db } from "./db";
import type { Log } from "./log";
import type { Hub } from "./queue";
import type { Subscriber } from "./subscriber";
import type { Vault } from "./vault";

/** The outside world, as services and jobs are handed it. */
export type System = {
  config: Config;
  db: Db;
  chains: Record<NetworkName, Chain>;
  vault: Vault;
  hub: Hub;
  log: Log;
  now: () => Date;
  /** Domains that are told, in the same transaction, what the chain did. */
  subscribers: readonly Subscriber[];
};

export type Agent = { type: "agent"; agentId: AgentId; ownerId: OwnerId | null; paymentScan: PaymentScan };
export type Owner = {
  type: "owner";
  ownerId: OwnerId;
  address: Address;
  /** The session that the request came with. */
  sessionId?: SessionId;
};
export type Nobody = { type: "nobody" };
export type Actor = Agent | Owner | Nobody;

/** One request: the world and who asks. */
export type Ctx<A extends Actor = Actor> = System & { requestId: string; actor: A };
