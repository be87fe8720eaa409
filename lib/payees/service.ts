import type { Hex } from "viem";
import { agentById } from "@/lib/agents/service";
import { confirmed, type Use, unsigned } from "@/lib/confirmations/service";
import type { Address } from "@/lib/core/address";
import { hostMatches, originOfResource } from "@/lib/core/host";
import { newId, type PayeeId } from "@/lib/core/ids";
import { limit } from "@/lib/http/limit";
import { findExceededCap } from "@/lib/mandates/caps/charge";
import * as mandates from "@/lib/mandates/service";
import type { Agent, Ctx, Owner, System } from "@/lib/platform/context";
import type { Queryable, Tx } from "@/lib/platform/db";
import { type Event, record } from "@/lib/platform/events";
import type { Subscriber } from "@/lib/platform/subscriber";
import { type ApprovalSummary, summarize, toSummaryJson } from "@/lib/platform/summary";
import type { NetworkName } from "@/lib/x402/networks";
import { REASONS } from "./answers";
import { askOnce, type HostAnswer } from "./ask";
import { payeeErrors } from "./errors";
import {
  askedWords,
  type Payee,
  type PayeePayment,
  type PayeeState,
  pairOf,
  payeeUrl,
  stateOf,
  wasJustAsked,
} from "./rules";
import type { PayeeWithAgent } from "./store";
import * as store from "./store";

export type { Payee, PayeePayment } from "./rules";
export { isConfirmed, type PayeeWithAgent } from "./store";

export const subscriber: Subscriber = {
  knownPayee: async (db, { ownerId, network, address: payee, resource }) => {
    const origin = resource === null ? null : originOfResource(resource);
    return origin === null ? {} : { confirmedBy: await store.confirmedBy(db, { ownerId, network, payee, origin }) };
  },
};

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
      await record(tx, time, eventOf("payee.refused", await store.change(tx, id, { refusedAt: time })));
  });
  return get(ctx, id);
}

export const WAITING_MAX = 20;

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
  const listed = rows.filter(({ origin }) => {
    const { host, protocol } = new URL(origin);
    const defaultPort = protocol === "https:" ? "443" : "80";
    return hostAllowlist.length === 0 || hostAllowlist.some((entry) => hostMatches(entry, host, defaultPort));
  });
  return listed.slice(0, SHOWN_MAX);
}

function eventOf(type: string, payee: Payee): Event {
  const { id: subject, ownerId, agentId, mandateId, origin, network, payee: payTo } = payee;
  const { previousPayee: previousPayTo, confirmedBy, why: reason } = payee;
  return {
    type,
    subject,
    ownerId,
    agentId,
    meta: { mandateId, origin, network, payTo, previousPayTo, by: confirmedBy, why: reason },
  };
}

/** Also records `payee.changed` if another address was confirmed for the host before. */
function recordConfirmed(tx: Tx, time: Date, payee: Payee): Promise<void> {
  const isChange = payee.previousPayee !== null;
  return record(tx, time, eventOf("payee.confirmed", payee), ...(isChange ? [eventOf("payee.changed", payee)] : []));
}

/** `isNew`: this call asked the host, which takes time. */
export type PayeeConfirmation = { payee: Payee; state: Exclude<PayeeState, "refused">; isNew: boolean };

/**
 * Checks that the host of `payment` is paid at this address: by an earlier decision, or else by the host's own 402. If neither
 * confirms the address, the payee waits for the owner. Call it outside a transaction. Throws payee_refused, rate_limited.
 */
export async function confirm(ctx: Ctx<Agent>, payment: PayeePayment): Promise<PayeeConfirmation> {
  const payee = await store.find(ctx.db, pairOf(payment));
  if (payee && (stateOf(payee) !== "waiting" || wasJustAsked(payee, payment, ctx.now())))
    return toConfirmation(ctx, payee, false);
  const response = await askOnce(ctx, payment);
  if (!payee && response.why !== null) {
    await limit(ctx, "approval_per_agent", ctx.actor.agentId);
  }
  return toConfirmation(ctx, await storeAnswer(ctx, payment, response), true);
}

function toConfirmation({ config }: Ctx, payee: Payee, isNew: boolean): PayeeConfirmation {
  const state = stateOf(payee);
  if (state !== "refused") return { payee, state, isNew };
  const { id, payee: payTo, origin } = payee;
  throw payeeErrors.payee_refused({ host: origin, payTo, approvalUrl: payeeUrl(id, config.baseUrl) });
}

/** Stores the host's answer, unless the payee was confirmed or refused meanwhile. */
const storeAnswer = (ctx: Ctx<Agent>, payment: PayeePayment, response: HostAnswer): Promise<Payee> =>
  ctx.db.transaction(async (tx) => {
    const pair = pairOf(payment);
    await store.lockHost(tx, pair);
    const time = ctx.now();
    const existingPayee = await store.find(tx, pair);
    if (existingPayee && stateOf(existingPayee) !== "waiting") return existingPayee;
    const { mandateId, resource, method, amount } = payment;
    const set = {
      agentId: ctx.actor.agentId,
      mandateId,
      resource,
      method,
      amount,
      askedAt: time,
      ...response,
      previousPayee: await store.previousOf(tx, pair),
      ...(response.why === null && { confirmedBy: "host" as const, confirmedAt: time }),
    };
    const payee = existingPayee
      ? await store.change(tx, existingPayee.id, set)
      : await store.insert(tx, { ...pair, ...set, id: newId("payee"), createdAt: time });
    if (response.why === null) await recordConfirmed(tx, time, payee);
    else if (!existingPayee) {
      const { meta, ...event } = eventOf("payee.requested", payee);
      const summary = toSummaryJson(await summaryIn(ctx, tx, payee));
      await record(tx, time, { ...event, meta: { ...meta, summary } });
    }
    return payee;
  });

/** What the owner is asked: to confirm the address of the payment that its agent wants to make. */
export const summaryOf = (ctx: Ctx<Agent>, payee: Payee): Promise<ApprovalSummary> => summaryIn(ctx, ctx.db, payee);

async function summaryIn(system: System, db: Queryable, payee: Payee): Promise<ApprovalSummary> {
  const { ownerId, agentId, mandateId, network, amount, resource, why } = payee;
  const [agent, mandate] = [await agentById(db, agentId), await mandates.leftOf(db, mandateId)];
  return summarize(system, db, {
    kind: "payee",
    words: askedWords,
    agentName: agent?.name ?? "",
    ownerId,
    network,
    amount,
    payees: [payee.payee],
    host: new URL(payee.origin).host,
    resource,
    reason: `The host did not confirm the address: ${REASONS[why ?? "other_terms"]}`,
    mandate,
    exceededCap: await findExceededCap(system, db, { ownerId, agentId, network, amount }, system.now()),
    expiresAt: null,
  });
}
