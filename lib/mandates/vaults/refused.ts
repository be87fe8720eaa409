import type { MandateId, PaymentId } from "@/lib/core/ids";
import type { System } from "@/lib/platform/context";
import { record } from "@/lib/platform/events";
import { aloneGas } from "@/lib/settlements/relayer/settler";
import type { Authorization } from "@/lib/x402/authorization";
import type { NetworkName } from "@/lib/x402/networks";
import { submission } from "@/lib/x402/submission";
import * as mandates from "../store";
import { signedByVault } from "./keys";
import * as pockets from "./pocket-store";
import { signedVault } from "./terms";

/** More gas than a vault's transfer takes, even with a list of a thousand payees. */
const TRANSFER_GAS = 250_000n;

export type RefusedPayment = {
  mandateId: MandateId;
  paymentId: PaymentId;
  seller: { network: NetworkName; host: string };
  authorization: Authorization;
  /** Whether we presented the payment to the seller ourselves, instead of an agent reporting it. */
  isWitnessed: boolean;
};

/**
 * Whether a seller refused a payment only because a vault made it: the transfer would succeed on the chain now. Remembers the
 * seller for this agent, or for all of the owner's agents if we saw the refusal. Not for terms with an agent key, whose signature
 * we do not have. Throws ChainUnavailable.
 */
export async function isRefusalOfContract(
  system: System,
  { mandateId, paymentId, seller, authorization, isWitnessed }: RefusedPayment,
  reason: string,
): Promise<boolean> {
  const parties = await mandates.findWithParties(system.db, mandateId);
  const { mandate, vault: row } = parties ?? {};
  if (!mandate?.ownerId || mandate.mode !== "vault" || !row || row.address !== authorization.from) return false;
  const vault = signedVault(row);
  if (vault.terms.agent !== null) return false;
  const call = submission(seller.network, authorization, signedByVault(system, vault, authorization));
  const gas = aloneGas(call, TRANSFER_GAS);
  const result = await system.chains[seller.network].simulateAlone(vault.terms.owner, call, gas);
  if (!result.ok) return false;
  const { ownerId, agentId } = mandate;
  const time = system.now();
  await system.db.transaction(async (tx) => {
    await pockets.remember(tx, { ownerId, agentId, ...seller }, { reason, seenAt: time, isWitnessed });
    const meta = { ...seller, paymentRecordId: paymentId, reason };
    await record(tx, time, { type: "vault.payer_refused", subject: mandateId, ownerId, agentId, meta });
  });
  return true;
}
