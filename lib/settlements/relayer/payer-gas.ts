import type { Address } from "@/lib/core/address";
import { addSeconds } from "@/lib/core/time";
import { batchedOn } from "@/lib/platform/batch";
import type { System } from "@/lib/platform/context";
import type { Tx } from "@/lib/platform/db";
import type { NetworkName } from "@/lib/x402/networks";
import { settlementErrors } from "../errors";
import { fitsGasBudget, type PayerKind } from "../rules";
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

/** What a payer has used of this hour's budget, and whether one more transfer fits. Why: docs/decisions.md, 389. */
export async function gasBudget({ system, network }: RelayerJob, payer: Address, kind: PayerKind) {
  const used = await store.gasOf(system.db, network, payer, windowStart(system));
  return { used, fits: fitsGasBudget(system.config.payerGasPerHour, used, kind) };
}

/** For admissions. Leaves out transfers under way, which the relayer counts. Throws PAYER_OVER_GAS_BUDGET. */
export async function assertGasBudget(
  system: System,
  network: NetworkName,
  payer: Address,
  kind: PayerKind,
): Promise<void> {
  const spent = await spentByPayer(system.db, { network, payer, since: windowStart(system) });
  if (fitsGasBudget(system.config.payerGasPerHour, { spent, underway: 0 }, kind)) return;
  throw settlementErrors.PAYER_OVER_GAS_BUDGET({ retryAfterSeconds: store.GAS_WINDOW_SECONDS });
}

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
