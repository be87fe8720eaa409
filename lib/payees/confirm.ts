import { newId } from "@/lib/core/ids";
import { limit } from "@/lib/http/limit";
import type { Agent, Ctx } from "@/lib/platform/context";
import { type Answer, askOnce } from "./ask";
import { payeeErrors } from "./errors";
import { recordConfirmed, recordRequested } from "./events";
import { type Payee, type PayeeState, pairOf, payeeUrl, stateOf, type Wanted, wasJustAsked } from "./rules";
import * as store from "./store";

/** `isNew`: the host was asked, which took time. */
export type Confirmation = { payee: Payee; state: Exclude<PayeeState, "refused">; isNew: boolean };

/**
 * Confirms that the host of `wanted` is paid at this address: known from before, or by the host itself, or else by the owner,
 * for whom the payee then waits. Called outside of any transaction. Throws payee_refused, rate_limited.
 */
export async function confirm(ctx: Ctx<Agent>, wanted: Wanted): Promise<Confirmation> {
  const found = await store.find(ctx.db, pairOf(wanted));
  if (found && (stateOf(found) !== "waiting" || wasJustAsked(found, wanted, ctx.now())))
    return known(ctx, found, false);
  const answer = await askOnce(ctx, wanted);
  if (!found && answer.why !== null) {
    await limit(ctx, "approval_per_agent", ctx.actor.agentId);
  }
  return known(ctx, await write(ctx, wanted, answer), true);
}

function known({ config }: Ctx, payee: Payee, isNew: boolean): Confirmation {
  const state = stateOf(payee);
  if (state !== "refused") return { payee, state, isNew };
  const { id, payee: payTo, origin } = payee;
  throw payeeErrors.payee_refused({ host: origin, payTo, approvalUrl: payeeUrl(id, config.baseUrl) });
}

/** Writes what the host answered, unless the payee was decided meanwhile. */
const write = (ctx: Ctx<Agent>, wanted: Wanted, answer: Answer): Promise<Payee> =>
  ctx.db.transaction(async (tx) => {
    const pair = pairOf(wanted);
    await store.lockHost(tx, pair);
    const at = ctx.now();
    const found = await store.find(tx, pair);
    if (found && stateOf(found) !== "waiting") return found;
    const { mandateId, resource, method, amount } = wanted;
    const set = {
      agentId: ctx.actor.agentId,
      mandateId,
      resource,
      method,
      amount,
      askedAt: at,
      ...answer,
      previousPayee: await store.previousOf(tx, pair),
      ...(answer.why === null && { confirmedBy: "host" as const, confirmedAt: at }),
    };
    const payee = found
      ? await store.change(tx, found.id, set)
      : await store.insert(tx, { ...pair, ...set, id: newId("payee"), createdAt: at });
    if (answer.why === null) await recordConfirmed(tx, at, payee);
    else if (!found) await recordRequested(tx, at, payee);
    return payee;
  });
