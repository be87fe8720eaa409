import { newId } from "@/lib/core/ids";
import { limit } from "@/lib/http/limit";
import type { Agent, Ctx } from "@/lib/platform/context";
import { type Answer, askOnce } from "./ask";
import { payeeErrors } from "./errors";
import { recordConfirmed, recordRequested } from "./events";
import { type Payee, type PayeeState, pairOf, payeeUrl, stateOf, type Wanted, wasJustAsked } from "./rules";
import * as store from "./store";

/** `isNew`: this call asked the host, which takes time. */
export type Confirmation = { payee: Payee; state: Exclude<PayeeState, "refused">; isNew: boolean };

/**
 * Checks that the host of `payment` is paid at this address: by an earlier decision, or else by the host's own 402. If neither
 * confirms the address, the payee waits for the owner. Call it outside a transaction. Throws payee_refused, rate_limited.
 */
export async function confirm(ctx: Ctx<Agent>, payment: Wanted): Promise<Confirmation> {
  const payee = await store.find(ctx.db, pairOf(payment));
  if (payee && (stateOf(payee) !== "waiting" || wasJustAsked(payee, payment, ctx.now())))
    return toConfirmation(ctx, payee, false);
  const response = await askOnce(ctx, payment);
  if (!payee && response.why !== null) {
    await limit(ctx, "approval_per_agent", ctx.actor.agentId);
  }
  return toConfirmation(ctx, await write(ctx, payment, response), true);
}

function toConfirmation({ config }: Ctx, payee: Payee, isNew: boolean): Confirmation {
  const state = stateOf(payee);
  if (state !== "refused") return { payee, state, isNew };
  const { id, payee: payTo, origin } = payee;
  throw payeeErrors.payee_refused({ host: origin, payTo, approvalUrl: payeeUrl(id, config.baseUrl) });
}

/** Stores the host's answer, unless the payee was confirmed or refused meanwhile. */
const write = (ctx: Ctx<Agent>, payment: Wanted, response: Answer): Promise<Payee> =>
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
    else if (!existingPayee) await recordRequested(tx, time, payee);
    return payee;
  });
