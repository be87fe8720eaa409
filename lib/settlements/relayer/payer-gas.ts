import type { Address } from "@/lib/core/address";
import { addSeconds } from "@/lib/core/time";
import type { System } from "@/lib/platform/context";
import type { Tx } from "@/lib/platform/db";
import type { NetworkName } from "@/lib/x402/networks";
import * as store from "./store";

/**
 * A transaction that calls the code of a payer's account: the code can accept a signature in the simulation and burn all gas in
 * the transaction. Each is counted with its whole gas limit when it is stored, and no longer once it has worked.
 */
type Spending = { network: NetworkName; payer: Address; gas: bigint };

const windowStart = ({ now }: System) => addSeconds(now(), -store.GAS_WINDOW_SECONDS);

/** Whether the payer's budget of this hour covers it. The first one always fits. */
export async function coversGas(system: System, { network, payer, gas }: Spending): Promise<boolean> {
  const { spent } = await store.gasOf(system.db, network, payer, windowStart(system));
  return spent === 0n || spent + gas <= system.config.payerGasPerHour;
}

export const chargeGas = (
  tx: Tx,
  system: System,
  spending: Spending,
  { signer, nonce: relayerNonce }: Pick<store.NonceKey, "signer" | "nonce">,
): Promise<void> =>
  store.chargeGas(tx, [{ ...spending, signer, relayerNonce, createdAt: system.now() }], windowStart(system));

export { forgiveGas } from "./store";
