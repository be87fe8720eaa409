import type { Hex } from "viem";
import { agentErrors } from "@/lib/agents/errors";
import { linkFirst } from "@/lib/agents/linking";
import { agentById, listEverOwned } from "@/lib/agents/service";
import type { Address } from "@/lib/core/address";
import { type Usdc, ZERO } from "@/lib/core/money";
import { COUNTED_MAX, type Cursor } from "@/lib/core/page";
import type { Agent, Ctx, Owner } from "@/lib/platform/context";
import type { NetworkName } from "@/lib/x402/networks";
import { mandateErrors } from "./errors";
import * as listStore from "./list-store";
import { type MandateView, toMandateView } from "./responses";
import { MANDATE_GROUPS, type MandateGroup, proposesConfirmation } from "./rules";
import type { Mandate, Parties } from "./store";

/** Lists of mandates, one group after the other, so that a large number of requests cannot hide an active budget. */

export type { MandateGroup } from "./rules";

/** The next page begins after this mandate of this group. */
export type MandateCursor = Cursor & { group: MandateGroup };
export type MandatePage<Row> = { rows: Row[]; next: MandateCursor | null };
type PageRequest = { after?: MandateCursor | undefined; limit: number };

/** Reads one page; it continues with the next group when a group ends. */
async function paged<Row>(
  groups: readonly MandateGroup[],
  { after: startCursor, limit }: PageRequest,
  readRows: (group: MandateGroup, cursor: Cursor | undefined, limit: number) => Promise<Row[]>,
  mandateOf: (row: Row) => Mandate,
): Promise<MandatePage<Row>> {
  const entries: { row: Row; group: MandateGroup }[] = [];
  for (const group of groups.slice(startCursor ? groups.indexOf(startCursor.group) : 0)) {
    const from = group === startCursor?.group ? startCursor : undefined;
    const rows = await readRows(group, from, limit + 1 - entries.length);
    entries.push(...rows.map((row) => ({ row, group })));
    if (entries.length > limit) break;
  }
  const pageEntries = entries.slice(0, limit);
  const last = pageEntries.at(-1);
  const cursor = last && { group: last.group, time: mandateOf(last.row).createdAt, id: mandateOf(last.row).id };
  return { rows: pageEntries.map(({ row }) => row), next: entries.length > limit && cursor ? cursor : null };
}

/** Usable mandates first, then paused ones, unsigned ones and the rest; each group newest first. */
export const listForAgent = ({ db, actor, now }: Ctx<Agent>, page: PageRequest): Promise<MandatePage<Mandate>> => {
  const time = now();
  return paged(
    MANDATE_GROUPS,
    page,
    (group, cursor, limit) => listStore.listForAgent(db, actor.agentId, { group, now: time, after: cursor, limit }),
    (mandate) => mandate,
  );
};

/**
 * Throws agent_not_authorized, with the page that explains linking, while the agent has no owner. Clients of the live
 * service take this error of the list as "not linked", and any list as "linked".
 * Why: docs/decisions.md, 116.
 */
export async function assertLinked({ db, actor, config }: Ctx<Agent>): Promise<void> {
  if (actor.ownerId !== null) return;
  const agent = await agentById(db, actor.agentId);
  throw mandateErrors.agent_not_authorized({
    message: "No person has linked this agent yet. Create a mandate and have the user open its authorizationUrl",
    ...linkFirst(config.baseUrl, { agentId: actor.agentId, name: agent?.name }),
  });
}

/** The number of the agent's mandates, and of those that are active, paused or wait for a signature. */
export const countForAgent = ({ db, actor, now }: Ctx<Agent>) => listStore.countForAgent(db, actor.agentId, now());

export type OwnedMandate = MandateView & {
  agentName: string;
  ownerAddress: Address | null;
  walletAddress: Address | null;
  signature: Hex | null;
  /** What the signing page proposes for `confirmPayees`. */
  proposesConfirmation: boolean;
};

export const toOwnedMandate = (
  ctx: Ctx,
  { mandate, agentName, ownerAddress, walletAddress, vault }: Parties,
): OwnedMandate => ({
  ...toMandateView({ mandate, vault }, ctx.now(), ctx.config.baseUrl),
  agentName,
  ownerAddress,
  walletAddress,
  signature: mandate.signature,
  proposesConfirmation: proposesConfirmation(mandate),
});

export type OwnersFilter = Omit<listStore.Scope, "ownerId"> & { group?: MandateGroup | undefined };

/** The owner's mandates that match, in the order of `listForAgent`. */
export async function listForOwner(
  ctx: Ctx<Owner>,
  { group: requestedGroup, ...filter }: OwnersFilter,
  page: PageRequest,
): Promise<MandatePage<OwnedMandate>> {
  const now = ctx.now();
  const scope = { ...filter, ownerId: ctx.actor.ownerId };
  const { rows, next } = await paged(
    requestedGroup ? [requestedGroup] : MANDATE_GROUPS,
    page,
    (group, cursor, limit) => listStore.listForOwner(ctx.db, scope, { group, now, after: cursor, limit }),
    ({ mandate }) => mandate,
  );
  return { rows: rows.map((row) => toOwnedMandate(ctx, row)), next };
}

const PAGE_ROWS = 200;

/** The owner's mandates that match `filter`, page by page. Throws agent_not_found if the agent was never the owner's. */
export async function* allForOwner(ctx: Ctx<Owner>, filter: OwnersFilter): AsyncGenerator<OwnedMandate[]> {
  if (filter.agentId && !(await listEverOwned(ctx)).some(({ id }) => id === filter.agentId))
    throw agentErrors.agent_not_found();
  let cursor: MandateCursor | undefined;
  do {
    const { rows, next } = await listForOwner(ctx, filter, { after: cursor, limit: PAGE_ROWS });
    yield rows;
    cursor = next ?? undefined;
  } while (cursor);
}

/** The number of mandates in each group, each counted up to COUNTED_MAX. */
export async function countForOwner(
  ctx: Ctx<Owner>,
  filter: Omit<listStore.Scope, "ownerId"> = {},
): Promise<Record<MandateGroup, number>> {
  const now = ctx.now();
  const scope = { ...filter, ownerId: ctx.actor.ownerId };
  const count = (group: MandateGroup) => listStore.countForOwner(ctx.db, scope, { group, now, max: COUNTED_MAX });
  const [active, paused, waiting, ended] = await Promise.all([
    count("active"),
    count("paused"),
    count("waiting"),
    count("ended"),
  ]);
  return { active, paused, waiting, ended };
}

/** The number of mandates that wait for the owner's signature, counted up to `max`. */
export const countWaiting = (ctx: Ctx<Owner>, max: number): Promise<number> =>
  listStore.countForOwner(ctx.db, { ownerId: ctx.actor.ownerId }, { group: "waiting", now: ctx.now(), max });

/** Mandates that need the owner's attention: those that expire or run out soon, and those that wait for a signature. */
export async function listWatched(
  ctx: Ctx<Owner>,
  limit: number,
): Promise<{ waiting: OwnedMandate[]; ending: OwnedMandate[] }> {
  const now = ctx.now();
  const { ownerId } = ctx.actor;
  const [waiting, ending] = await Promise.all([
    listStore.listWaiting(ctx.db, ownerId, now, limit),
    listStore.listEnding(ctx.db, ownerId, now, limit),
  ]);
  const toView = (row: Parties) => toOwnedMandate(ctx, row);
  return { waiting: waiting.map(toView), ending: ending.map(toView) };
}

/** Whether the owner has ever signed a mandate. */
export const hasSigned = ({ db, actor }: Ctx<Owner>): Promise<boolean> => listStore.hasSigned(db, actor.ownerId);

/** For each agent: the number of its mandates, and of those that it can pay with now. */
export const countByAgent = ({ db, actor, now }: Ctx<Owner>) => listStore.countByAgent(db, actor.ownerId, now());

/** What the owner's agents can still spend under active mandates, for each network that has some. */
export const leftToSpend = ({ db, actor, now }: Ctx<Owner>) => listStore.sumLeft(db, actor.ownerId, now());

/** The sum that payments and payouts under the owner's mandates on `network` have reserved and not spent. */
export const pendingOn = async ({ db, actor }: Ctx<Owner>, network: NetworkName): Promise<Usdc> =>
  (await listStore.sumPending(db, actor.ownerId, network)) ?? ZERO;
