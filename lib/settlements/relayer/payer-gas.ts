import type { Address } from "@/lib/core/address";
import type { AppError } from "@/lib/core/errors";
import { addSeconds } from "@/lib/core/time";
import { batchedOn } from "@/lib/platform/batch";
import type { System } from "@/lib/platform/context";
import type { Tx } from "@/lib/platform/db";
import type { NetworkName } from "@/lib/x402/networks";
import { settlementErrors } from "../errors";
import { fitsGasBudget, type PayerKind } from "../rules";
import type { Settlement } from "../store";
import * as store from "./gas-store";
import type { RelayerJob } from "./job";
import type { NonceKey } from "./store";

/**
 * A transaction that calls a payer's code, which can accept a signature in the simulation and burn all gas on the chain. Charged
 * with its whole gas limit when it is stored; the charge is removed once it has worked.
 */
type Spending = { network: NetworkName; payer: Address; gas: bigint };

const windowStart = ({ now }: System) => addSeconds(now(), -store.GAS_WINDOW_SECONDS);

/** Gas charged in the last hour, by payer. */
export const spentGas = (
  system: System,
  network: NetworkName,
  payers: readonly Address[],
): Promise<Map<Address, bigint>> => store.spentGas(system.db, network, payers, windowStart(system));

/** A payer and the factory that can deploy it. */
type Payer = Pick<Settlement, "payer" | "factory">;

/** Who pays for a transfer, and from which hourly budget: the payer, and the factory of one that is to be deployed. */
function budgetsOf({ config }: System, { payer, factory }: Payer, kind: PayerKind) {
  const ofPayer = { account: payer, budget: config.payerGasPerHour };
  const isDeployed = kind !== "undeployed" || factory === null;
  return isDeployed ? [ofPayer] : [ofPayer, { account: factory, budget: config.walletFactoryGasPerHour }];
}

/** Whether one more transfer fits this hour's budgets, and how many are under way. Why: docs/decisions.md, 389. */
export async function gasBudget({ system, network }: RelayerJob, payer: Payer, kind: PayerKind) {
  let underway = 0;
  let fits = true;
  for (const { account, budget } of budgetsOf(system, payer, kind)) {
    const used = await store.gasOf(system.db, network, account, windowStart(system));
    underway += used.underway;
    fits &&= fitsGasBudget(budget, used, kind);
  }
  return { underway, fits };
}

/**
 * For admissions. Leaves out transfers under way, which the relayer counts. Why a transfer does not fit: PAYER_OVER_GAS_BUDGET, or
 * TOO_MANY_CONTRACT_PAYMENTS for the budget of a factory; null if it fits.
 */
export async function gasRefusal(
  system: System,
  network: NetworkName,
  payer: Payer,
  kind: PayerKind,
): Promise<AppError | null> {
  for (const { account, budget } of budgetsOf(system, payer, kind)) {
    const spent = await spentByPayer(system.db, { network, payer: account, since: windowStart(system) });
    if (fitsGasBudget(budget, { spent, underway: 0 }, kind)) continue;
    const retryAfterSeconds = store.GAS_WINDOW_SECONDS;
    return account === payer.payer
      ? settlementErrors.PAYER_OVER_GAS_BUDGET({ retryAfterSeconds })
      : settlementErrors.TOO_MANY_CONTRACT_PAYMENTS({ retryAfterSeconds, message: FACTORY_OVER_GAS_BUDGET });
  }
  return null;
}

const FACTORY_OVER_GAS_BUDGET =
  "This wallet is not deployed, and too many wallets of its factory were deployed within the hour. No payment was taken: deploy the wallet, or present the proof again later";

const spentByPayer = batchedOn(store.spentGasFinder);

/** Whether the payer's hourly budget covers the transaction. The first one always fits. */
export async function coversGas(system: System, { network, payer, gas }: Spending): Promise<boolean> {
  const { spent } = await store.gasOf(system.db, network, payer, windowStart(system));
  return spent === 0n || spent + gas <= system.config.payerGasPerHour;
}

export const chargeGas = (
  tx: Tx,
  system: System,
  spending: Spending,
  { signer, nonce: relayerNonce }: Pick<NonceKey, "signer" | "nonce">,
): Promise<void> =>
  store.chargeGas(tx, [{ ...spending, signer, relayerNonce, createdAt: system.now() }], windowStart(system));

export { forgiveGas } from "./gas-store";
