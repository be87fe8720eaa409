import { type Address, ZERO_ADDRESS } from "@/lib/core/address";
import type { OwnerId } from "@/lib/core/ids";
import { NETWORK_NAMES, NETWORKS } from "@/lib/x402/networks";

const LOST = new Set<Address>([ZERO_ADDRESS, ...NETWORK_NAMES.map((name) => NETWORKS[name].usdc)]);

/** Whether USDC sent to `address` would be lost for everybody. */
export const isLost = (address: Address): boolean => LOST.has(address);

/** Whether the agent can be linked to `ownerId`: it has no owner, or this one already. */
export const isFreeFor = (agent: { ownerId: OwnerId | null }, ownerId: OwnerId): boolean =>
  agent.ownerId === null || agent.ownerId === ownerId;

/** The first segments of the event types of each kind. */
export const EVENT_KINDS = {
  mandate: ["mandate", "vault", "payee"],
  money: ["payment", "payout", "settlement", "credits", "wallet"],
  link: ["payment_link", "refund"],
  credential: ["VC_ISSUED"],
  agent: ["agent"],
  webhook: ["webhook"],
  facilitator: ["facilitator_key"],
  owner: ["owner"],
} as const satisfies Record<string, readonly string[]>;

export type EventKind = keyof typeof EVENT_KINDS;

export const isOfKind = (type: string, kind: EventKind): boolean =>
  EVENT_KINDS[kind].some((prefix) => prefix === type.split(".")[0]);
