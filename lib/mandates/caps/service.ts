import type { Hex } from "viem";
import * as agents from "@/lib/agents/service";
import { type Action, confirmed, type Use, unsigned } from "@/lib/confirmations/service";
import type { AgentId, OwnerId } from "@/lib/core/ids";
import type { Usdc } from "@/lib/core/money";
import type { Ctx, Owner } from "@/lib/platform/context";
import type { Tx } from "@/lib/platform/db";
import { record, recordOnce } from "@/lib/platform/events";
import type { ExceededCap } from "@/lib/platform/summary";
import * as wallets from "@/lib/wallets/service";
import type { NetworkName } from "@/lib/x402/networks";
import { findExceededCap, withApproved } from "./charge";
import {
  advanced,
  type CapTerms,
  counted,
  DAYS,
  hasCap,
  hourOf,
  isNearlyUsed,
  NO_CAPS,
  nameOfWindow,
  noCounters,
  type SpendingCap,
  WINDOWS,
  type WindowUse,
  widens,
  windowUse,
} from "./rules";
import * as store from "./store";

/** A cap and the network that it counts. */
export type NetworkCap = { row: SpendingCap; network: NetworkName };

export const listOwned = ({ db, actor }: Ctx<Owner>): Promise<NetworkCap[]> => store.listOf(db, actor.ownerId);

/** The cap that what an agent asks the owner for exceeds; null: none. */
export const exceededBy = (
  ctx: Ctx<Owner>,
  spent: { agentId: AgentId; network: NetworkName; amount: Usdc },
): Promise<ExceededCap | null> => findExceededCap(ctx, ctx.db, { ...spent, ownerId: ctx.actor.ownerId }, ctx.now());

/** `listOwned`, as the caps are once what the owner has approved is signed. */
export async function listWithApproved(ctx: Ctx<Owner>): Promise<NetworkCap[]> {
  const owned = await listOwned(ctx);
  const { ownerId } = ctx.actor;
  const left: NetworkCap[] = [];
  for (const walletId of new Set(owned.map(({ row }) => row.walletId))) {
    const ofWallet = owned.filter(({ row }) => row.walletId === walletId);
    const caps = ofWallet.map(({ row }) => row);
    const rows = await withApproved(ctx, ctx.db, { ownerId, walletId, caps }, ctx.now());
    left.push(...ofWallet.map(({ row, network }, index) => ({ row: rows[index] ?? row, network })));
  }
  return left;
}

export type NearlyUsed = store.OwnedCap & { use: WindowUse; name: string };

/** The windows of these owners of which 80 % is used. Records an event about each, once. */
export async function noteNearlyUsed(tx: Tx, ownerIds: readonly OwnerId[], now: Date): Promise<NearlyUsed[]> {
  const caps = ownerIds.length > 0 ? await store.listOfOwners(tx, ownerIds) : [];
  const nearlyUsed = caps.flatMap((cap) =>
    WINDOWS.flatMap((window) => {
      const use = windowUse(cap.row, window, now);
      return use !== null && isNearlyUsed(use) ? [{ ...cap, use, name: nameOfWindow(cap.row.id, window, now) }] : [];
    }),
  );
  await recordOnce(
    tx,
    now,
    ...nearlyUsed.map(({ row: { walletId: subject, agentId }, ownerId, network, use, name }) => {
      const meta = { network, window: use.window, cap: use.cap.toString(), usedAmount: use.usedAmount.toString() };
      return { key: name, type: "wallet.limit_nearly_used", subject, ownerId, agentId, meta };
    }),
  );
  return nearlyUsed;
}

export type CapRequest = CapTerms & { network: NetworkName; agentId: AgentId | null; signature?: Hex | undefined };

/**
 * Sets the owner's cap on everything, or on one agent; without any amount there is none afterwards. What was spent before counts. What
 * allows more than before needs a signature, the rest does not. Throws agent_not_found, signature_required.
 */
export async function setCap(
  ctx: Ctx<Owner>,
  { signature, network, agentId, ...terms }: CapRequest,
): Promise<NetworkCap | null> {
  const agent = agentId === null ? null : await agents.getOwned(ctx, agentId);
  const wallet = await wallets.spendingWallet(ctx, ctx.actor.ownerId, network);
  const outcome = await write(ctx, wallet, { agentId, terms, use: unsigned });
  if (outcome !== "needs_signature") return outcome && { row: outcome, network };
  const action: Action = {
    type: "SpendingCap",
    agent: agent?.agent.name ?? "",
    agentId: agentId ?? "",
    network,
    per24Hours: terms.maxAmountPer24Hours,
    per30Days: terms.maxAmountPer30Days,
    waitingMax: terms.waitingMax,
  };
  const row = await confirmed(ctx, action, signature, (use) => write(ctx, wallet, { agentId, terms, use }));
  if (row === "needs_signature") throw new Error("a signed cap was refused");
  return row && { row, network };
}

type CapChange = { agentId: AgentId | null; terms: CapTerms; use: Use };

const write = (
  ctx: Ctx<Owner>,
  { id: walletId }: wallets.Wallet,
  { agentId, terms, use }: CapChange,
): Promise<SpendingCap | null | "needs_signature"> =>
  ctx.db.transaction(async (tx) => {
    const time = ctx.now();
    const spender = { walletId, agentId };
    // Lock order: mandates, wallets, caps. What is charged meanwhile is counted below, or is decided again under the new cap.
    await store.lockMandates(tx, walletId, agentId);
    await wallets.lockWallet(tx, walletId);
    const rows = await store.lockOf(tx, [walletId]);
    const current = rows.find((row) => row.agentId === agentId) ?? null;
    if (use === unsigned && widens(current ?? NO_CAPS, terms)) return "needs_signature";
    await use(tx);
    const meta = {
      agentId,
      maxAmountPer24Hours: terms.maxAmountPer24Hours?.toString() ?? null,
      maxAmountPer30Days: terms.maxAmountPer30Days?.toString() ?? null,
      waitingMax: terms.waitingMax,
    };
    const { ownerId } = ctx.actor;
    await record(tx, time, { type: "owner.spending_cap_changed", subject: ownerId, ownerId, agentId, meta });
    if ((current !== null) !== hasCap(terms)) {
      await wallets.raiseCapsRevision(tx, walletId);
      await store.raiseRevisions(tx, walletId, agentId);
    }
    if (!hasCap(terms)) {
      await store.remove(tx, spender);
      return null;
    }
    const now = hourOf(time);
    const spent = await store.spentByHour(tx, spender, now - DAYS * 24);
    // Another process may have counted in a later hour.
    const newest = Math.max(now, ...rows.map((row) => row.hour), ...spent.map(({ hour }) => hour));
    const counters = spent.reduce(
      (sums, { hour, amount }) => counted(sums, hour, amount),
      advanced(noCounters(newest), newest),
    );
    return store.put(tx, { ...spender, ...terms, ...counters });
  });
