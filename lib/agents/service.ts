import type { Address } from "@/lib/core/address";
import { type AgentId, newAgentId, newId, type OwnerId } from "@/lib/core/ids";
import { looksLike } from "@/lib/core/lookalike";
import { type Cursor, type CursorPage, cutAfter } from "@/lib/core/page";
import { unixSeconds } from "@/lib/core/time";
import { limit } from "@/lib/http/limit";
import { batchedOn } from "@/lib/platform/batch";
import type { Agent, Owner, System } from "@/lib/platform/context";
import type { Db, Queryable, Tx } from "@/lib/platform/db";
import { listEvents, type PastEvent, record } from "@/lib/platform/events";
import type { ReadOld } from "@/lib/platform/replica";
import { allSpendingAddresses, ensureSpendingWallets, spendingAddresses } from "@/lib/wallets/service";
import { DEFAULT_NETWORK, mapNetworks, type NetworkName } from "@/lib/x402/networks";
import type { ActivityFilter } from "./contract";
import { agentErrors } from "./errors";
import { EVENT_KINDS, isFreeFor } from "./rules";
import * as store from "./store";
import { hashOf } from "./tokens";

export type { AgentRow } from "./store";

/** An agent of an owner, with the address that its UPL pays on Base. */
export type OwnedAgent = { agent: store.AgentRow; receiver: Address };
export type Receiver = { agentId: AgentId; address: Address; name: string; ownerId: OwnerId };
type OwnerSystem = System & { actor: Owner };

/** Creates an agent without an owner. Stores only the hash of its token. */
export async function createAgent(
  system: System,
  agent: { name: string; clientInfo: string; email: string | null },
): Promise<{ agentId: AgentId; token: string }> {
  const agentId = newAgentId();
  const token = newId("token");
  const time = system.now();
  await system.db.transaction(async (tx) => {
    await store.add(tx, { ...agent, id: agentId, tokenHash: hashOf(token), createdAt: time });
    await record(tx, time, { type: "agent.registered", subject: agentId, agentId });
  });
  return { agentId, token };
}

/**
 * Creates an agent of the owner. It is bound from the start: the owner created it themselves, so it cannot unlink itself, and
 * they can renew its token. Throws rate_limited.
 */
export async function createOwned(ctx: OwnerSystem, name: string): Promise<{ owned: OwnedAgent; token: string }> {
  const { ownerId } = ctx.actor;
  await limit(ctx, "agent_per_owner", ownerId, agentErrors.rate_limited);
  const id = newAgentId();
  const token = newId("token");
  const time = ctx.now();
  await ctx.db.transaction(async (tx) => {
    const row = { id, name, clientInfo: "dashboard", email: null, tokenHash: hashOf(token), createdAt: time };
    await store.add(tx, { ...row, ownerId, linkedAt: time, boundAt: time });
    await record(tx, time, { type: "agent.registered", subject: id, agentId: id, ownerId });
    await record(tx, time, { type: "agent.linked", subject: id, agentId: id, ownerId });
  });
  return { owned: await getOwned(ctx, id), token };
}

/** The agent of a login JWT issued at `issuedAt`; null when the agent was deleted or its logins were revoked after that. */
export async function agentForAuth(db: Db, agentId: AgentId, issuedAt?: Date): Promise<Agent | null> {
  const row = await findStanding(db, agentId);
  // JWT times are whole seconds, so `loginsFrom` is later than the revocation.
  if (issuedAt && row?.loginsFrom && unixSeconds(issuedAt) < unixSeconds(row.loginsFrom)) return null;
  return row && { type: "agent", agentId, ownerId: row.ownerId, paymentScan: row.paymentScan };
}

/** These run for every request of an agent and for every price of a UPL or link: concurrent lookups share one query. */
const findStanding = batchedOn(store.authFinder);
const walletFinder = (network: NetworkName) =>
  batchedOn((db) => store.walletFinder(db, spendingAddresses(db, network), `agent_wallets_${network}`));
const findWallet = mapNetworks(walletFinder);

export const agentById = (db: Queryable, agentId: AgentId): Promise<store.AgentRow | null> => store.find(db, agentId);

/** Links the agent to the owner; idempotent. Throws agent_linked_elsewhere when it has another owner or was deleted. */
export async function linkAgent(tx: Tx, agentId: AgentId, ownerId: OwnerId, time: Date): Promise<void> {
  const agent = await store.lock(tx, agentId);
  if (!agent || !isFreeFor(agent, ownerId)) throw agentErrors.agent_linked_elsewhere();
  if (agent.ownerId === ownerId) return;
  await store.link(tx, agentId, ownerId, time);
  await record(tx, time, { type: "agent.linked", subject: agentId, agentId, ownerId });
}

/**
 * Unlinks the agent if its owner has signed nothing for it and nobody has paid it. Idempotent. Otherwise, after a sale, a holder of the
 * agent's token could redirect later buyers' payments to another owner.
 */
export async function unlink(
  tx: Tx,
  agentId: AgentId,
  ownerId: OwnerId,
  time: Date,
  requester: "agent" | "owner",
): Promise<"unlinked" | "bound"> {
  const agent = await store.lock(tx, agentId);
  if (!agent || agent.ownerId !== ownerId) return "unlinked";
  if (agent.boundAt !== null || agent.soldAt !== null) return "bound";
  await store.unlink(tx, agentId);
  await record(tx, time, { type: "agent.unlinked", subject: agentId, agentId, ownerId, meta: { by: requester } });
  return "unlinked";
}

/**
 * Binds the agent to its owner: afterwards it cannot unlink itself. Call it when an owner signs, approves or entrusts something. False
 * when the agent does not, or no longer, belong to this owner.
 */
export const bind = (tx: Tx, agentId: AgentId, ownerId: OwnerId, time: Date): Promise<boolean> =>
  store.bind(tx, agentId, ownerId, time);

/** Records the agent's first sale. Call it when a sale starts. `ownerId` is the owner who is paid. */
export const markSold = (tx: Tx, agentId: AgentId, ownerId: OwnerId, time: Date): Promise<void> =>
  store.markSold(tx, agentId, ownerId, time);

/** The account address of the agent's owner, or null. */
export const ownerAddressOf = (db: Queryable, agentId: AgentId): Promise<Address | null> =>
  store.ownerAddress(db, agentId);

/** The address that an agent is paid at on `network`: the one its owner set, or the owner's spending wallet. */
export async function receiverOf(
  system: System,
  agentId: AgentId,
  network: NetworkName,
): Promise<Receiver | "missing" | "no_wallet"> {
  const row = await findWallet[network](system.db, agentId);
  if (!row) return "missing";
  const { name, ownerId, receivingAddress, walletAddress } = row;
  if (!ownerId) return "no_wallet";
  const address = receivingAddress ?? walletAddress ?? (await ensureSpendingWallets(system, ownerId))[network].address;
  return { agentId, address, name, ownerId };
}

/** The receiving addresses of all agents, for joins in other domains' queries. */
export const receivers = (db: Queryable) => store.receivers(db, allSpendingAddresses(db));

/** The owner's agents, oldest first. */
export async function listOwned(ctx: OwnerSystem): Promise<OwnedAgent[]> {
  const { ownerId } = ctx.actor;
  const [agents, wallets] = await Promise.all([store.listOwned(ctx.db, ownerId), ensureSpendingWallets(ctx, ownerId)]);
  return agents.map((agent) => ({ agent, receiver: agent.receivingAddress ?? wallets[DEFAULT_NETWORK].address }));
}

/** The name of another of the owner's agents that is easily confused with `name`, or null. */
export async function lookalikeOf({ db, actor }: OwnerSystem, agentId: AgentId, name: string): Promise<string | null> {
  const ownedAgents = await store.listOwned(db, actor.ownerId);
  return ownedAgents.find((agent) => agent.id !== agentId && looksLike(agent.name, name))?.name ?? null;
}

/** Throws agent_not_found. */
export async function getOwned(ctx: OwnerSystem, agentId: AgentId): Promise<OwnedAgent> {
  const { ownerId } = ctx.actor;
  const agent = await store.findOwned(ctx.db, ownerId, agentId);
  if (!agent) throw agentErrors.agent_not_found();
  const wallets = await ensureSpendingWallets(ctx, ownerId);
  return { agent, receiver: agent.receivingAddress ?? wallets[DEFAULT_NETWORK].address };
}

/** Deletes an agent: its UPL returns 404 and its login JWTs are refused. Its history stays on record. Throws agent_not_found. */
export async function deleteOwned({ actor, ...system }: OwnerSystem, agentId: AgentId): Promise<void> {
  const { ownerId } = actor;
  const time = system.now();
  await system.db.transaction(async (tx) => {
    if (!(await store.change(tx, ownerId, agentId, { deletedAt: time }))) throw agentErrors.agent_not_found();
    await record(tx, time, { type: "agent.deleted", subject: agentId, agentId, ownerId });
  });
}

export type { KnownAgent } from "./store";

/** Every agent that the owner ever had, oldest first, so that deleted ones can still be named. */
export const listEverOwned = ({ db, actor }: OwnerSystem): Promise<store.KnownAgent[]> =>
  store.listEverOwned(db, actor.ownerId);

export type { PastEvent } from "@/lib/platform/events";

/** An event with the current name of its agent. */
export type NamedEvent = PastEvent & { agentName: string | null };

/** Events of the owner and their agents, newest first. */
export async function activity(
  { db, readOld, actor }: OwnerSystem,
  { filter, after: cursor, limit }: { filter: ActivityFilter; after?: Cursor | undefined; limit: number },
): Promise<CursorPage<NamedEvent>> {
  const agents = await store.listEverOwned(db, actor.ownerId);
  return activityPage(readOld, actor, agents, filter, cursor, limit);
}

/**
 * All events of `activity`, page by page, up to the time of the call. Holds no connection between pages, so a slow reader
 * does not affect others. Throws agent_not_found.
 */
export async function* wholeActivity(
  { db, readOld, actor }: OwnerSystem,
  filter: ActivityFilter,
): AsyncGenerator<NamedEvent[]> {
  const agents = await store.listEverOwned(db, actor.ownerId);
  const isOwned = filter.agent === undefined || agents.some((agent) => agent.id === filter.agent);
  if (!isOwned) throw agentErrors.agent_not_found();
  let cursor: Cursor | undefined;
  do {
    const page = await activityPage(readOld, actor, agents, filter, cursor, EVENTS_AT_ONCE);
    yield page.rows;
    cursor = page.next ?? undefined;
  } while (cursor);
}

// A hostile text can make an event several kilobytes large.
const EVENTS_AT_ONCE = 100;

async function activityPage(
  readOld: ReadOld,
  { ownerId }: Owner,
  agents: readonly store.KnownAgent[],
  { agent: agentId, kind, type }: ActivityFilter,
  cursor: Cursor | undefined,
  limit: number,
): Promise<CursorPage<NamedEvent>> {
  const names = new Map<string, string>(agents.map((agent) => [agent.id, agent.name]));
  const query = {
    ownerId,
    agentIds: agents.map((agent) => agent.id),
    agentId,
    kinds: kind && EVENT_KINDS[kind],
    type,
    after: cursor,
    limit: limit + 1,
  };
  const rows = await readOld((db) => listEvents(db, query));
  const named = rows.map((event) => ({
    ...event,
    agentName: (event.agentId !== null && names.get(event.agentId)) || null,
  }));
  return cutAfter(named, limit, (event) => ({ time: event.createdAt, id: event.id }));
}
