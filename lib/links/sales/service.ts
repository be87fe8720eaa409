import { agentErrors } from "@/lib/agents/errors";
import { type KnownAgent, listEverOwned } from "@/lib/agents/service";
import type { LinkId, SettlementId } from "@/lib/core/ids";
import { toUsdc, type Usdc, ZERO } from "@/lib/core/money";
import { COUNTED_MAX } from "@/lib/core/page";
import type { Ctx, Owner } from "@/lib/platform/context";
import { DEFAULT_NETWORK, NETWORK_NAMES, type NetworkName } from "@/lib/x402/networks";
import { linkErrors } from "../errors";
import { type SalesPeriod, type TimeSpan, windowOf } from "./periods";
import * as store from "./store";

// An owner's sales through their agents, at all links and addresses. Sales stay with the owner who was paid, even after the
// agent changes owners.

export type { Sale, SaleFilter, SaleWithContent } from "./store";

/** Sales in a time span. Volume, payers and average count only settled payments. */
export type SalesSummary = {
  volume: Usdc;
  settled: number;
  failed: number;
  pending: number;
  payers: number;
  /** Average settled payment, rounded down to an atomic unit; null when there was none. */
  average: Usdc | null;
};
export type SalesStep = TimeSpan & { volume: Usdc; payments: number };
export type Overview = {
  network: NetworkName;
  /** Networks with sales in either span. Each has its own overview, because test money must not be added to real money. */
  networks: NetworkName[];
  current: SalesSummary;
  previous: SalesSummary;
  span: TimeSpan;
  steps: SalesStep[];
  /** Whether anything was ever sold, on any network. */
  hasSold: boolean;
};

/** Sales in `period` and in the previous one, on `network` or on the first network with sales. */
export async function overview(
  ctx: Ctx<Owner>,
  { period, network: requested }: { period: SalesPeriod; network?: NetworkName | undefined },
): Promise<Overview> {
  const window = windowOf(period, ctx.now());
  const { ownerId } = ctx.actor;
  const totals = await ctx.readOld((db) => store.totals(db, ownerId, window));
  const networks = NETWORK_NAMES.filter((name) => totals.some((row) => row.network === name));
  const network = requested ?? networks[0] ?? DEFAULT_NETWORK;
  const [days, hasEverSold] = await Promise.all([
    ctx.readOld((db) => store.days(db, ownerId, network, window.current)),
    networks.length > 0 || list(ctx, { filter: {}, limit: 1 }).then(({ rows }) => rows.length > 0),
  ]);
  const networkTotals = totals.filter((row) => row.network === network);
  return {
    network,
    networks,
    current: figuresOf(networkTotals.find(({ isCurrent }) => isCurrent)),
    previous: figuresOf(networkTotals.find(({ isCurrent }) => !isCurrent)),
    span: window.current,
    steps: window.steps.map((step) => stepOf(step, days)),
    hasSold: hasEverSold,
  };
}

function figuresOf(totals: store.SalesTotals | undefined): SalesSummary {
  if (!totals) return { volume: ZERO, settled: 0, failed: 0, pending: 0, payers: 0, average: null };
  const { volume, settled, failed, pending, payers } = totals;
  return {
    volume,
    settled,
    failed,
    pending,
    payers,
    average: settled === 0 ? null : toUsdc(volume / BigInt(settled)),
  };
}

function stepOf({ from, to }: TimeSpan, days: readonly store.SalesDay[]): SalesStep {
  const stepDays = days.filter(({ startsAt: time }) => from <= time && time < to);
  return {
    from,
    to,
    volume: toUsdc(stepDays.reduce((sum, day) => sum + day.volume, 0n)),
    payments: stepDays.reduce((sum, day) => sum + day.payments, 0),
  };
}

/** The revenue of one link. `steps`: the days of `span`, the last 30 in UTC. */
export type LinkSales = { volume: Usdc; payments: number; span: TimeSpan; steps: SalesStep[] };

/** Settled sales of a link for the caller; sales for another owner of its agent are not counted. */
export async function salesOfLink(ctx: Ctx<Owner>, linkId: LinkId): Promise<LinkSales> {
  const { current, steps } = windowOf("30d", ctx.now());
  const { ownerId } = ctx.actor;
  const [totals, days] = await Promise.all([
    ctx.readOld((db) => store.totalsOfLink(db, ownerId, linkId)),
    ctx.readOld((db) => store.daysOfLink(db, ownerId, linkId, current)),
  ]);
  return { ...totals, span: current, steps: steps.map((step) => stepOf(step, days)) };
}

export type SaleList = { rows: store.Sale[]; next: number | null };

/** Newest first. `next`: the `before` of the next page. */
export async function list(
  { readOld, actor }: Ctx<Owner>,
  { filter, before: cursor, limit }: { filter: store.SaleFilter; before?: number | undefined; limit: number },
): Promise<SaleList> {
  const rows = await readOld((db) => store.listSales(db, actor.ownerId, filter, { before: cursor, limit: limit + 1 }));
  const pageRows = rows.slice(0, limit);
  return { rows: pageRows, next: rows.length > limit ? (pageRows.at(-1)?.received.id ?? null) : null };
}

/** The number of the owner's sales, counted up to COUNTED_MAX. */
export const countAll = ({ readOld, actor }: Ctx<Owner>): Promise<number> =>
  readOld((db) => store.countSales(db, actor.ownerId, COUNTED_MAX));

/**
 * All pages of `list`, without sales made in the meantime. Holds no database connection between pages, so a slow reader does
 * not block others. Throws agent_not_found, LINK_NOT_FOUND when the filter names another owner's agent or link.
 */
export async function* listAll(ctx: Ctx<Owner>, filter: store.SaleFilter): AsyncGenerator<store.Sale[]> {
  const { agentId } = filter;
  if (agentId !== undefined && !(await sellers(ctx)).some(({ id }) => id === agentId))
    throw agentErrors.agent_not_found();
  if (filter.linkId && !(await store.isLinkOf(ctx.db, ctx.actor.ownerId, filter.linkId)))
    throw linkErrors.LINK_NOT_FOUND();
  let cursor: number | undefined;
  do {
    const page = await list(ctx, { filter, before: cursor, limit: SALES_PER_PAGE });
    yield page.rows;
    cursor = page.next ?? undefined;
  } while (cursor !== undefined);
}

const SALES_PER_PAGE = 500;

/** The owner's agents, including deleted ones, then former agents through which the owner was paid. */
export async function sellers(ctx: Ctx<Owner>): Promise<KnownAgent[]> {
  const [ownedAgents, former] = await Promise.all([listEverOwned(ctx), store.listFormer(ctx.db, ctx.actor.ownerId)]);
  return [...ownedAgents, ...former];
}

/** Throws PAYMENT_NOT_FOUND. */
export async function get({ db, actor }: Ctx<Owner>, id: number): Promise<store.SaleWithContent> {
  const sale = await store.findSale(db, actor.ownerId, id);
  if (!sale) throw linkErrors.PAYMENT_NOT_FOUND();
  return sale;
}

/** The owner's sale that a settlement paid, or null. */
export const findBySettlement = ({ db, actor }: Ctx<Owner>, settlementId: SettlementId): Promise<store.Sale | null> =>
  store.findBySettlement(db, actor.ownerId, settlementId);
