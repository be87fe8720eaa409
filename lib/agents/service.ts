import { hash } from "node:crypto";
import type { Hex } from "viem";
import { type Action, confirmed, type Use, unsigned } from "@/lib/confirmations/service";
import type { Address } from "@/lib/core/address";
import { type AgentId, newAgentId, newId, type OwnerId } from "@/lib/core/ids";
import { canonicalJson } from "@/lib/core/json";
import { looksLike } from "@/lib/core/lookalike";
import { type Cursor, type CursorPage, cutAfter } from "@/lib/core/page";
import { isWeakerScan, type PaymentScan } from "@/lib/core/scans";
import { unixSeconds } from "@/lib/core/time";
import { limit } from "@/lib/http/limit";
import { batchedOn } from "@/lib/platform/batch";
import type { Agent, Ctx, Owner, System } from "@/lib/platform/context";
import type { Db, Queryable, Tx } from "@/lib/platform/db";
import { listEvents, type PastEvent, record } from "@/lib/platform/events";
import type { ReadOld } from "@/lib/platform/replica";
import { allSpendingAddresses, ensureSpendingWallets, spendingAddresses } from "@/lib/wallets/service";
import { DEFAULT_NETWORK, mapNetworks, type NetworkName } from "@/lib/x402/networks";
import type { ActivityFilter } from "./contract";
import { agentErrors } from "./errors";
import { EVENT_KINDS, isFreeFor, isLost } from "./rules";
import * as store from "./store";

export { type AgentRow, bind, find as agentById, markSold, ownerAddressOf } from "./store";

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
    await store.add(tx, { ...agent, id: agentId, tokenHash: hash("sha256", token, "hex"), createdAt: time });
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
    await store.add(tx, {
      id,
      name,
      clientInfo: "dashboard",
      email: null,
      tokenHash: hash("sha256", token, "hex"),
      createdAt: time,
      ownerId,
      linkedAt: time,
      boundAt: time,
    });
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
const findWallet = mapNetworks((network) =>
  batchedOn((db) => store.walletFinder(db, spendingAddresses(db, network), `agent_wallets_${network}`)),
);

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

/** Where an owner is paid for an agent without an address of its own; also for one that is deleted. */
export const spendingAddressOf = async (system: System, ownerId: OwnerId, network: NetworkName): Promise<Address> =>
  (await ensureSpendingWallets(system, ownerId))[network].address;

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

export type AgentSettings = {
  name?: string | undefined;
  receivingAddress?: Address | null | undefined;
  paymentScan?: PaymentScan | undefined;
};

/**
 * Renames an agent, sets the address it is paid at (null: the owner's wallet), or sets whether its payments are scanned first. A
 * receiving address that is not the owner's own needs a signature, because the agent's income would go there; so does a weaker scan,
 * because the scan may keep the agent from paying a thief. Throws agent_not_found, receiving_address_refused, signature_required.
 */
export async function updateOwned(
  ctx: Ctx<Owner>,
  agentId: AgentId,
  { signature, ...change }: AgentSettings & { signature?: Hex | undefined },
): Promise<OwnedAgent> {
  const { name, receivingAddress, paymentScan } = change;
  if (receivingAddress && isLost(receivingAddress)) throw agentErrors.receiving_address_refused();
  const { ownerId } = ctx.actor;
  const owned = await getOwned(ctx, agentId);
  const set = {
    ...(name !== undefined && { name }),
    ...(receivingAddress !== undefined && { receivingAddress }),
    ...(paymentScan !== undefined && { paymentScan }),
  };
  if (Object.keys(set).length === 0) return owned;
  const write = (use: Use) =>
    ctx.db.transaction(async (tx) => {
      const locked = await store.lock(tx, agentId);
      const { agent } = owned;
      // The fields that decide on a signature may have changed since they were read.
      const isKept = locked?.paymentScan === agent.paymentScan && locked.receivingAddress === agent.receivingAddress;
      if (use === unsigned && locked && !isKept) return "changed";
      await use(tx);
      if (!(await store.change(tx, ownerId, agentId, set))) throw agentErrors.agent_not_found();
      await record(tx, ctx.now(), { type: "agent.updated", subject: agentId, agentId, ownerId, meta: set });
      return "written";
    });
  const action = await settingsAction(ctx, owned, set);
  if (action) await confirmed(ctx, action, signature, write);
  else if ((await write(unsigned)) === "changed") return updateOwned(ctx, agentId, { signature, ...change });
  return getOwned(ctx, agentId);
}

/** The action that the owner signs for `change`; null if it needs no signature. */
async function settingsAction(ctx: Ctx<Owner>, owned: OwnedAgent, change: AgentSettings): Promise<Action | null> {
  const { receivingAddress, paymentScan } = change;
  const { id: agentId, name: agent, paymentScan: currentScan, receivingAddress: currentAddress } = owned.agent;
  const contents = canonicalJson(change);
  const scan = paymentScan !== undefined && isWeakerScan(paymentScan, currentScan) ? paymentScan : null;
  const isKept = !receivingAddress || receivingAddress === currentAddress || receivingAddress === ctx.actor.address;
  const isOwn = isKept || receivingAddress === (await ensureSpendingWallets(ctx, ctx.actor.ownerId)).base.address;
  if (isOwn) return scan && { type: "PaymentScan", agent, agentId, paymentScan: scan, contents };
  if (scan) return { type: "AgentSettings", agent, agentId, receivingAddress, paymentScan: scan, contents };
  return { type: "ReceivingAddress", agent, agentId, receivingAddress, contents };
}
