import { agentErrors } from "@/lib/agents/errors";
import { listEverOwned } from "@/lib/agents/service";
import type { Address } from "@/lib/core/address";
import type { PaymentId } from "@/lib/core/ids";
import type { Usdc } from "@/lib/core/money";
import { cutPage, type Page } from "@/lib/core/page";
import { addSeconds } from "@/lib/core/time";
import { scanX402 } from "@/lib/firewall/service";
import { getForOwner } from "@/lib/mandates/service";
import type { Ctx, Owner } from "@/lib/platform/context";
import * as wallets from "@/lib/wallets/service";
import type { NetworkName } from "@/lib/x402/networks";
import { paymentErrors } from "./errors";
import { asRequirement } from "./rules";
import * as store from "./store";

export type { AgentPayment, HistorySlice, MadeFilter, Spent } from "./store";

/** Payments of the owner's agents, newest first. */
export async function listAgentPayments(
  ctx: Ctx<Owner>,
  slice: store.MadeFilter & store.HistorySlice,
): Promise<Page<store.AgentPayment>> {
  const rows = await store.listAgentPayments(ctx.db, ctx.actor.ownerId, { ...slice, limit: slice.limit + 1 });
  return cutPage(rows, slice.limit, (row) => row.payment.createdAt);
}

const PAGE_ROWS = 500;

/**
 * All pages of `listAgentPayments`, without payments made in the meantime. Holds no connection between pages. Throws
 * agent_not_found, mandate_not_found if the filter names another owner's agent or mandate.
 */
export async function* allAgentPayments(
  ctx: Ctx<Owner>,
  filter: store.MadeFilter,
): AsyncGenerator<store.AgentPayment[]> {
  if (filter.agentId && !(await listEverOwned(ctx)).some(({ id }) => id === filter.agentId))
    throw agentErrors.agent_not_found();
  if (filter.mandateId) await getForOwner(ctx, filter.mandateId);
  const { ownerId } = ctx.actor;
  let page: store.AgentPayment[];
  let cursor: store.HistorySlice["after"];
  do {
    const slice = { ...filter, after: cursor, limit: PAGE_ROWS };
    page = await ctx.readOld((db) => store.listAgentPayments(db, ownerId, slice));
    yield page;
    const last = page.at(-1);
    cursor = last && store.cursorOf(last.payment);
  } while (page.length === PAGE_ROWS);
}

/** One payment of the owner's agents. Throws payment_not_found. */
export async function getAgentPayment({ db, actor }: Ctx<Owner>, id: PaymentId): Promise<store.AgentPayment> {
  const payment = await store.findAgentPayment(db, actor.ownerId, id);
  if (!payment) throw paymentErrors.payment_not_found();
  return payment;
}

/** Scans a payment with the firewall's current rules. */
export const scanAgain = ({ config }: Pick<Ctx<Owner>, "config">, { payment: p }: store.AgentPayment) =>
  scanX402({
    paymentRequired: asRequirement(
      {
        scheme: "exact",
        network: p.network,
        amount: p.amount,
        resource: p.resource,
        description: p.description,
        payTo: p.payee,
        assetAddress: p.asset,
        validityWindowSeconds: 0,
      },
      config.baseUrl,
    ),
  });

type SettledKind = "deposit" | "withdrawal" | "refund" | "payout" | "credits" | "received";

export type Movement =
  | { kind: SettledKind; occurredAt: Date; settlement: store.SettlementRow }
  /** `isFromVault`: the payer is a vault of the owner or its pocket. */
  | { kind: "payment"; occurredAt: Date; row: store.AgentPayment; isFromVault: boolean };

/** A refund or payout from a wallet that is not in `walletAddresses` counts as received. */
function movementOf({ purpose, payer }: store.SettlementRow, walletAddresses: readonly Address[]): SettledKind {
  if (purpose === "deposit" || purpose === "withdrawal" || purpose === "credits") return purpose;
  const isSent = purpose === "refund" || purpose === "payout";
  return isSent && walletAddresses.includes(payer) ? purpose : "received";
}

const MOVING = ["open", "committed"] as const;

/** All transfers that have moved or can still move money of the owner's spending wallets and vaults, newest first. */
export async function walletHistory(
  ctx: Ctx<Owner>,
  { before: cutoff, limit }: { before?: Date | undefined; limit: number },
): Promise<Page<Movement>> {
  const { ownerId } = ctx.actor;
  const walletAddresses = Object.values(await wallets.ensureSpendingWallets(ctx, ownerId)).map(
    (wallet) => wallet.address,
  );
  const ofVaults = await store.listVaultAccounts(ctx.db, ownerId);
  const slice = { before: cutoff, limit: limit + 1 };
  const [settlements, agentPayments] = await Promise.all([
    // Refunds of a vault's payments go back to the vault.
    store.listWalletSettlements(ctx.db, [...walletAddresses, ...ofVaults], slice),
    store.listAgentPayments(ctx.db, ownerId, { ...slice, states: MOVING }),
  ]);
  const rows: Movement[] = [
    ...settlements.map((settlement) => ({
      kind: movementOf(settlement, walletAddresses),
      occurredAt: settlement.createdAt,
      settlement,
    })),
    ...agentPayments.map((row) => {
      const { createdAt: time, payer } = row.payment;
      return { kind: "payment" as const, occurredAt: time, row, isFromVault: !walletAddresses.includes(payer) };
    }),
  ];
  rows.sort((a, b) => b.occurredAt.getTime() - a.occurredAt.getTime());
  return cutPage(rows, limit, (row) => row.occurredAt);
}

const DAY_SECONDS = 86_400;
const MONTH_DAYS = 30;

/** What the owner's agents spent in USDC in the last 24 hours and 30 days, for each network with such payments. */
export function spent(ctx: Ctx<Owner>): Promise<store.Spent[]> {
  const now = ctx.now();
  const since = { day: addSeconds(now, -DAY_SECONDS), month: addSeconds(now, -DAY_SECONDS * MONTH_DAYS) };
  return store.sumSpent(ctx.db, ctx.actor.ownerId, since);
}

/** The sum of the owner's agents' payments on `network` that can still move, with and without a mandate. */
export const pendingOn = (ctx: Ctx<Owner>, network: NetworkName): Promise<Usdc> =>
  store.sumOpen(ctx.db, ctx.actor.ownerId, network);

/** `pendingOn` without payments that have an open settlement. */
export const unpresentedOn = (ctx: Ctx<Owner>, network: NetworkName): Promise<Usdc> =>
  store.sumUnpresented(ctx.db, ctx.actor.ownerId, network);
