import type { AppError } from "@/lib/core/errors";
import type { AgentId, MandateId } from "@/lib/core/ids";
import { toUsdc } from "@/lib/core/money";
import { batchedOn } from "@/lib/platform/batch";
import type { Agent, Ctx } from "@/lib/platform/context";
import type { Tx } from "@/lib/platform/db";
import type { Wallet } from "@/lib/wallets/service";
import type { Authorization } from "@/lib/x402/authorization";
import { tokens } from "../access";
import { type CapRoom, chargeCaps } from "../caps/charge";
import { mandateErrors } from "../errors";
import { explain, onlyOn } from "../responses";
import { type Charge, REFUSALS, refusal, remaining } from "../rules";
import * as mandates from "../store";
import { vaultErrors } from "../vaults/errors";
import { type SignedVault, signedVault } from "../vaults/terms";
import * as store from "./store";

export { type Charging, charging, type Guard, reserving } from "./store";

/** Runs for every payment: concurrent lookups share one query. */
const findFunded = batchedOn(store.fundedFinder);

type Chargeable = { mandate: mandates.Mandate; wallet: Wallet };

/**
 * The current mandate and the wallet that pays `charge` under it. Throws vault_wallet_only, and the mandate's refusal of the
 * charge.
 */
export async function chargeable(ctx: Ctx<Agent>, id: MandateId, charge: Charge): Promise<Chargeable> {
  const funding = await chargeableMandate(ctx, id, charge);
  if (funding.vault) throw vaultErrors.vault_wallet_only();
  return funding;
}

/** Like chargeable, also for a mandate with a vault: `wallet` then only identifies the owner. Throws vault_failed. */
export async function chargeableMandate(
  ctx: Ctx<Agent>,
  id: MandateId,
  charge: Charge,
): Promise<Chargeable & { vault: SignedVault | null; caps: readonly CapRoom[] }> {
  const funding = await findFunded(ctx.db, { agentId: ctx.actor.agentId, id });
  if (!funding) throw mandateErrors.mandate_not_found();
  const { mandate, wallet, vault, caps } = funding;
  // Before the mandate's state: the mandate is then revoked too, and this error says more.
  if (vault?.state === "failed") throw vaultErrors.vault_failed({ failure: vault.failure });
  await assertChargeable(ctx, mandate, charge);
  if (!wallet || mandate.ownerId !== ctx.actor.ownerId) throw mandateErrors.agent_not_authorized();
  return { mandate, wallet, vault: mandate.mode === "vault" && vault ? signedVault(vault) : null, caps };
}

async function assertChargeable(
  ctx: Ctx<Agent>,
  mandate: mandates.Mandate,
  charge: Charge,
  now = ctx.now(),
): Promise<void> {
  if (mandate.network !== charge.network) {
    throw mandateErrors.unsupported_network(onlyOn(mandate.network, charge.network));
  }
  const reason = refusal(mandate, charge, now);
  if (reason) throw mandateErrors[reason](explain(reason, mandate, charge, now, ctx.config.baseUrl, await tokens(ctx)));
}

/** Whether an error says that the mandate does not allow a charge now. */
export const isRefusal = (error: unknown): error is AppError => REFUSALS.some((code) => mandateErrors[code].is(error));

const WRITE_TRIES = 5;

/**
 * Repeats `attempt` until it returns a value. `attempt` reads the mandate, writes with the guard `charging`, and returns null
 * when the guard failed: the mandate was changed or charged in between. Throws mandate_changed after five attempts.
 */
export async function untilWritten<T>(attempt: () => Promise<T | null>): Promise<T> {
  for (let tries = 0; tries < WRITE_TRIES; tries++) {
    const written = await attempt();
    if (written !== null) return written;
  }
  throw mandateErrors.mandate_changed();
}

/** `isPast`: the chain has made the transfers already, so they count also above a cap. */
type Transfers = { authorizations: readonly Authorization[]; isPast?: boolean };

/**
 * Reserves the sum of `authorizations`, which `wallet` signed, in the caller's transaction. The mandate and the wallet stay locked
 * until the transaction ends, so call this as late as possible. Throws the mandate's refusal of `charge`, mandate_changed and
 * owner_limit_reached.
 */
export async function reserve(
  ctx: Ctx<Agent>,
  tx: Tx,
  id: MandateId,
  { charge, wallet, authorizations, isPast }: Transfers & { charge: Charge; wallet: Wallet },
): Promise<void> {
  const mandate = await mandates.lock(tx, id);
  if (!mandate) throw mandateErrors.mandate_not_found();
  const time = ctx.now();
  // What the chain has paid is no decision any more; but a mandate never counts more than its limit.
  if (!isPast || charge.amount > remaining(mandate)) await assertChargeable(ctx, mandate, charge, time);
  if (mandate.walletId !== wallet.id) throw mandateErrors.mandate_changed();
  const { amount } = charge;
  const spender = { walletId: wallet.id, agentId: mandate.agentId };
  const chargedHour = await chargeCaps(tx, spender, { amount, time, isApproved: false, isPast });
  const chargedOn = await store.chargeLocked(tx, mandate, { amount, time });
  await store.add(tx, { ...spender, mandateId: id, network: mandate.network, chargedOn, chargedHour }, authorizations);
}

/**
 * Reserves what a person approved without a mandate: the owner's caps count it. The wallet stays locked until the transaction ends.
 * Throws owner_limit_reached.
 */
export async function reserveApproved(
  tx: Tx,
  wallet: Wallet,
  { agentId, time, authorizations, isPast }: Transfers & { agentId: AgentId | null; time: Date },
): Promise<void> {
  const spender = { walletId: wallet.id, agentId };
  const amount = toUsdc(authorizations.reduce((sum, { value }) => sum + value, 0n));
  const chargedHour = await chargeCaps(tx, spender, { amount, time, isApproved: true, isPast });
  const { network } = wallet;
  await store.add(tx, { ...spender, mandateId: null, network, chargedOn: null, chargedHour }, authorizations);
}
