import type { AppError } from "@/lib/core/errors";
import type { AgentId, OwnerId } from "@/lib/core/ids";
import type { Usdc } from "@/lib/core/money";
import { batchedOn } from "@/lib/platform/batch";
import type { System } from "@/lib/platform/context";
import { isDatabaseError, type Queryable, type Tx } from "@/lib/platform/db";
import type { ApprovedBy } from "@/lib/platform/subscriber";
import type { ExceededCap } from "@/lib/platform/summary";
import * as wallets from "@/lib/wallets/service";
import type { NetworkName } from "@/lib/x402/networks";
import { mandateErrors } from "../errors";
import {
  advanced,
  counted,
  exceededCapOf,
  explainLack,
  hourOf,
  lackingCap,
  type SpendingCap,
  waitingMaxOf,
} from "./rules";
import * as store from "./store";

export { type SpendingCap, waitingMaxOf } from "./rules";
export { type CapRoom, underCaps } from "./store";

/** Runs for every payment of an owner with caps: concurrent lookups share one query. */
const findCaps = batchedOn(store.capsFinder);

type Payer = Pick<wallets.Wallet, "id" | "capsRevision">;

/** The caps that hold for what `agentId` spends from the wallet's owner on its network. Reads nothing if there never was one. */
export const capsOf = async (
  { db }: Pick<System, "db">,
  { id: walletId, capsRevision }: Payer,
  agentId: store.Spender["agentId"],
): Promise<readonly SpendingCap[]> => (capsRevision === 0 ? [] : findCaps(db, { walletId, agentId }));

type Spending = { amount: Usdc; time: Date; isApproved: boolean };

/**
 * The reason why a cap does not cover `amount`, and whether it may wait for a person; null if all cover it. `isApproved`: a person
 * approves it, so that it may exceed caps that let payments wait for one.
 */
export function aboveCaps(
  caps: readonly SpendingCap[],
  { amount, time, isApproved }: Spending,
): { refusal: AppError; canAsk: boolean } | null {
  const strict = isApproved ? caps.filter(({ waitingMax }) => waitingMax === 0) : caps;
  const lack = lackingCap(strict, amount, time);
  if (!lack) return null;
  const canAsk = waitingMaxOf(caps, amount, time) > 0;
  return { refusal: mandateErrors.owner_limit_reached({ ...explainLack(lack, amount, time), canAsk }), canAsk };
}

/** `aboveCaps` for a payment under a mandate. Reads the caps in full only if their room does not cover the amount. */
export async function aboveRoom(
  system: Pick<System, "db">,
  caps: readonly store.CapRoom[],
  payer: { wallet: Payer; agentId: AgentId },
  spending: Omit<Spending, "isApproved">,
): Promise<ReturnType<typeof aboveCaps>> {
  if (caps.every(({ room }) => spending.amount <= room)) return null;
  return aboveCaps(await capsOf(system, payer.wallet, payer.agentId), { ...spending, isApproved: false });
}

/** Throws owner_limit_reached if a cap does not cover what is spent. */
export function assertWithin(caps: readonly SpendingCap[], spending: Spending): void {
  const above = aboveCaps(caps, spending);
  if (above) throw above.refusal;
}

/**
 * For the owner, and for the agent whose payment waits for them: what is approved already counts. In the caller's transaction, if there is
 * one.
 */
export async function findExceededCap(
  system: Pick<System, "subscribers">,
  db: Queryable,
  { ownerId, agentId, network, amount }: { ownerId: OwnerId; agentId: AgentId; network: NetworkName; amount: Usdc },
  now: Date,
): Promise<ExceededCap | null> {
  const wallet = (await wallets.spendingOf(db, ownerId)).find((each) => each.network === network);
  if (!wallet || wallet.capsRevision === 0) return null;
  const [caps = []] = await store.capsFinder(db)([{ walletId: wallet.id, agentId }]);
  return exceededCapOf(await withApproved(system, db, { ownerId, walletId: wallet.id, caps }, now), amount, now);
}

/** The caps as they are once what a person has approved is signed. */
export async function withApproved(
  { subscribers }: Pick<System, "subscribers">,
  db: Queryable,
  { caps, ...payer }: ApprovedBy & { caps: readonly SpendingCap[] },
  now: Date,
): Promise<SpendingCap[]> {
  const approved: { agentId: AgentId; amount: Usdc }[] = [];
  for (const domain of subscribers) approved.push(...((await domain.approved?.(db, payer, now)) ?? []));
  return caps.map((row) => {
    const hour = Math.max(row.hour, hourOf(now));
    return approved
      .filter(({ agentId }) => store.holdsFor(row, { walletId: payer.walletId, agentId }))
      .reduce((counters, { amount }) => counted(counters, hour, amount), advanced(row, hour));
  });
}

/** Whether the statement of `underCaps` failed because a cap does not hold any more: it has written nothing. */
export const isAboveCap = (error: unknown): boolean => isDatabaseError(error, store.ABOVE_A_CAP);

/**
 * Counts `amount` in the caller's transaction and returns its hour. Locks the wallet and its caps until the transaction ends. Throws
 * owner_limit_reached, unless the chain has paid it already (`isPast`).
 */
export async function chargeCaps(
  tx: Tx,
  spender: store.Spender,
  { isPast = false, ...spending }: Spending & { isPast?: boolean | undefined },
): Promise<number> {
  const { amount, time } = spending;
  const { capsRevision } = await wallets.lockWallet(tx, spender.walletId);
  const caps = capsRevision === 0 ? [] : await store.lockFor(tx, spender);
  if (!isPast) assertWithin(caps, spending);
  const hour = Math.max(hourOf(time), ...caps.map((row) => row.hour));
  await store.writeCounters(
    tx,
    caps.map((row) => counted(advanced(row, hour), hour, amount)),
  );
  return hour;
}

export type CapChange = {
  walletId: store.Spender["walletId"];
  agentId: store.Spender["agentId"];
  hour: number;
  change: bigint;
};

/** Counts what the chain has shown: a released reservation no longer, one that it opened again as before, also above a cap. */
export async function recountCaps(tx: Tx, changes: readonly CapChange[]): Promise<void> {
  if (changes.length === 0) return;
  const locked = await wallets.lockWallets(tx, [...new Set(changes.map(({ walletId }) => walletId))]);
  const capped = locked.filter(({ capsRevision }) => capsRevision > 0).map(({ id }) => id);
  if (capped.length === 0) return;
  const caps = await store.lockOf(tx, capped);
  await store.writeCounters(
    tx,
    caps.map((row) =>
      changes
        .filter((change) => store.holdsFor(row, change))
        .reduce((counters, { hour, change }) => counted(counters, hour, change), row),
    ),
  );
}
