import type { Address } from "@/lib/core/address";
import type { AgentId, FacilitatorKeyId, OwnerId, SessionId } from "@/lib/core/ids";
import type { PaymentScan } from "@/lib/core/scans";
import type { NetworkName } from "@/lib/x402/networks";
import type { Chain } from "./chain";
import type { Config } from "./config";
import type { Db } from "./db";
import type { Log } from "./log";
import type { Hub } from "./queue";
import type { ReadOld } from "./replica";
import type { Subscriber } from "./subscriber";
import type { SecretVault } from "./vault";

/** Everything outside the process that services and jobs use. */
export type System = {
  config: Config;
  db: Db;
  readOld: ReadOld;
  chains: Record<NetworkName, Chain>;
  vault: SecretVault;
  hub: Hub;
  log: Log;
  now: () => Date;
  /** Domains that receive facts from the chain within the transaction that records them. */
  subscribers: readonly Subscriber[];
};

export type Agent = { type: "agent"; agentId: AgentId; ownerId: OwnerId | null; paymentScan: PaymentScan };
export type Owner = {
  type: "owner";
  ownerId: OwnerId;
  address: Address;
  /** The session of the request. */
  sessionId?: SessionId;
};
/** The holder of an API key of the facilitator. `ownerId`: the owner who created the key. */
export type Seller = {
  type: "seller";
  keyId: FacilitatorKeyId;
  ownerId: OwnerId;
  requestsPerMinute: number;
  settlementsPerDay: number;
};
export type Anonymous = { type: "anonymous" };
export type Actor = Agent | Owner | Seller | Anonymous;

/** `caller` of every client without a valid address. */
export const UNKNOWN_CALLER = "unknown";

/** The context of one request: the system and the caller. */
export type Ctx<A extends Actor = Actor> = System & {
  requestId: string;
  actor: A;
  /** The client's address, as requests are counted. Undefined outside of requests. */
  caller?: string;
};
