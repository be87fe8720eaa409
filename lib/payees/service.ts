import type { Hex } from "viem";
import { confirmed, type Use, unsigned } from "@/lib/confirmations/service";
import type { Address } from "@/lib/core/address";
import { hostMatches, originOfResource } from "@/lib/core/host";
import type { PayeeId } from "@/lib/core/ids";
import type { Ctx, Owner } from "@/lib/platform/context";
import type { NetworkName } from "@/lib/x402/networks";
import { payeeErrors } from "./errors";
import { recordConfirmed, recordRefused } from "./events";
import { type Payee, stateOf } from "./rules";
import type { PayeeWithAgent } from "./store";
import * as store from "./store";

export { type Confirmation, confirm } from "./confirm";
export type { Payee, Wanted } from "./rules";
export { isConfirmed, type PayeeWithAgent } from "./store";

/** A payee of the owner. Throws payee_not_found. */
export async function get(ctx: Ctx<Owner>, id: PayeeId): Promise<PayeeWithAgent> {
  const row = await store.findForOwner(ctx.db, ctx.actor.ownerId, id);
  if (!row) throw payeeErrors.payee_not_found();
  return row;
}

/**
 * Confirms a payee with the owner's signature, also one that was refused. All mandates of the owner may then pay it.
 * Idempotent. Throws payee_not_found, signature_required.
 */
export async function confirmOwned(ctx: Ctx<Owner>, id: PayeeId, signature: Hex | undefined): Promise<PayeeWithAgent> {
  const row = await get(ctx, id);
  if (stateOf(row.payee) === "confirmed") return row;
  const { origin: host, network, payee: payTo } = row.payee;
  const action = { type: "PayeeConfirmation" as const, host, network, payTo };
  return confirmed(ctx, action, signature, (use) => decide(ctx, id, "confirm", use));
}

/** Refuses a payee, also one that was confirmed: it is no longer paid. Idempotent. Throws payee_not_found. */
export const refuse = (ctx: Ctx<Owner>, id: PayeeId): Promise<PayeeWithAgent> => decide(ctx, id, "refuse", unsigned);

async function decide(ctx: Ctx<Owner>, id: PayeeId, decision: "confirm" | "refuse", use: Use): Promise<PayeeWithAgent> {
  const { payee } = await get(ctx, id);
  await ctx.db.transaction(async (tx) => {
    await store.lockHost(tx, payee);
    const currentPayee = await store.find(tx, payee);
    if (!currentPayee) throw payeeErrors.payee_not_found();
    const time = ctx.now();
    const state = stateOf(currentPayee);
    if (decision === "confirm" && state !== "confirmed") {
      await use(tx);
      const previousPayee = await store.previousOf(tx, currentPayee);
      const set = { confirmedBy: "owner" as const, confirmedAt: time, refusedAt: null, previousPayee };
      await recordConfirmed(tx, time, await store.change(tx, id, set));
    }
    if (decision === "refuse" && state !== "refused")
      await recordRefused(tx, time, await store.change(tx, id, { refusedAt: time }));
  });
  return get(ctx, id);
}

const WAITING_MAX = 20;

/** Payees that wait for the owner's decision, newest first. */
export const listWaiting = (ctx: Ctx<Owner>): Promise<PayeeWithAgent[]> =>
  store.listWaiting(ctx.db, ctx.actor.ownerId, WAITING_MAX);

const READ_MAX = 500;
const SHOWN_MAX = 50;

/** The owner's payee for this address and the host of `resource`; null if there is none. */
export async function ofResource(
  { db, actor }: Ctx<Owner>,
  { network, resource, payee }: { network: NetworkName; resource: string; payee: Address },
): Promise<Payee | null> {
  const origin = originOfResource(resource);
  return origin === null ? null : store.find(db, { ownerId: actor.ownerId, origin, network, payee });
}

/** Payees of hosts that a mandate may pay, newest first. */
export async function listForMandate(
  ctx: Ctx<Owner>,
  { network, hostAllowlist }: { network: NetworkName; hostAllowlist: readonly string[] },
): Promise<Payee[]> {
  const rows = await store.listForOwner(ctx.db, { ownerId: ctx.actor.ownerId, network }, READ_MAX);
  const isListed = ({ origin }: Payee) => {
    const { host, protocol } = new URL(origin);
    const defaultPort = protocol === "https:" ? "443" : "80";
    return hostAllowlist.length === 0 || hostAllowlist.some((entry) => hostMatches(entry, host, defaultPort));
  };
  return rows.filter(isListed).slice(0, SHOWN_MAX);
}
