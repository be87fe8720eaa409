import { type Hex, hashTypedData } from "viem";
import type { SettlementId } from "@/lib/core/ids";
import { addSeconds } from "@/lib/core/time";
import type { System } from "@/lib/platform/context";
import { LeaseLost } from "@/lib/platform/lease";
import { notify } from "@/lib/platform/queue";
import { cancellationCall, cancellationTypedData, ownSignature } from "@/lib/x402/cancellation";
import { cancellationErrors } from "../errors";
import type { RelayerJob } from "../relayer/job";
import { chargeGas, coversGas, forgiveGas } from "../relayer/payer-gas";
import { aloneGas } from "../relayer/settler";
import { sendCall } from "../relayer/transactions";
import { publicStatus, stipendOf } from "../rules";
import { get } from "../service";
import type { Settlement } from "../store";
import * as store from "./store";

/** A settlement whose payer can still cancel it. Throws SETTLEMENT_NOT_FOUND, PAYMENT_NOT_CANCELLABLE. */
export async function cancellable(system: System, id: SettlementId): Promise<Settlement> {
  const settlement = await get(system, id);
  if (settlement.state === "declined") return settlement;
  // An open settlement may settle at any moment: a cancellation would race it.
  throw cancellationErrors.PAYMENT_NOT_CANCELLABLE({
    settlementId: id,
    settlementStatus: publicStatus(settlement.state),
  });
}

/**
 * Stores the payer's signed cancellation for the relayer to submit. Idempotent. Returns the settlement, which stays declined
 * until the chain shows that it is void. Throws SETTLEMENT_NOT_FOUND, PAYMENT_NOT_CANCELLABLE,
 * CANCELLATION_SIGNATURE_INVALID, ChainUnavailable.
 */
export async function cancel(system: System, id: SettlementId, signature: Hex): Promise<Settlement> {
  const settlement = await get(system, id);
  if (settlement.state === "void") return settlement;
  const { network, payer, nonce } = await cancellable(system, id);
  const digest = hashTypedData(cancellationTypedData(network, payer, nonce));
  const keySignature = await ownSignature(digest, payer, signature);
  if (!keySignature && !(await system.chains[network].acceptsSignature(payer, digest, signature))) {
    throw cancellationErrors.CANCELLATION_SIGNATURE_INVALID();
  }
  await system.db.transaction(async (tx) => {
    const row = { settlementId: id, network, signature: keySignature ?? signature, createdAt: system.now() };
    await store.request(tx, row);
    await notify(tx, "settlement_claimed", network);
  });
  return settlement;
}

const AT_ONCE = 20;
const ATTEMPTS_MAX = 3;
const RETRY_SECONDS = 2;
const OVER_BUDGET_SECONDS = 60;

/** Closes mined cancellations and submits waiting ones, one transaction each. */
export async function sendCancellations(job: RelayerJob): Promise<void> {
  const { system, network, signer } = job;
  for (const mined of await store.listMined(system.db, network, signer)) await close(job, mined);
  for (const { cancellation, settlement } of await store.pick(system.db, network, signer, system.now(), AT_ONCE)) {
    const { settlementId } = cancellation;
    await submit(job, cancellation, settlement).catch(async (err: unknown) => {
      if (err instanceof LeaseLost) throw err;
      // One cancellation must not delay the others or the settlements.
      system.log.warn({ settlementId, err }, "cancellation.delayed");
      await store.change(system.db, settlementId, { retryAt: addSeconds(system.now(), RETRY_SECONDS) });
    });
  }
}

/** False once the chain shows that the authorization is spent. */
const isPending = ({ state, blockNumber }: Settlement) => state === "declined" && blockNumber === null;

async function close({ system }: RelayerJob, { cancellation, settlement }: store.WithSettlement): Promise<void> {
  const { settlementId, network, signer, relayerNonce } = cancellation;
  if (!isPending(settlement)) {
    // A cancellation that worked is not charged to the payer's gas budget.
    if (signer !== null && relayerNonce !== null)
      await forgiveGas(system.db, { network, payer: settlement.payer, signer, relayerNonce });
    return store.change(system.db, settlementId, { state: "done" });
  }
  const attempts = cancellation.attempts + 1;
  const state = attempts < ATTEMPTS_MAX ? "waiting" : "failed";
  await store.change(system.db, settlementId, { state, attempts, signer: null, relayerNonce: null });
}

async function submit(job: RelayerJob, { settlementId, signature }: store.SignedCancellation, row: Settlement) {
  const { system, chain, network, signer } = job;
  if (!isPending(row)) return store.change(system.db, settlementId, { state: "done" });
  const call = cancellationCall(network, row.payer, row.nonce, signature);
  const [code = "0x"] = await chain.codes([row.payer]);
  const gas = aloneGas(call, stipendOf(code === "0x" ? "account" : "code"));
  const spending = { network, payer: row.payer, gas };
  // The payment's own attempts count too, so the cancellation may have to wait for the next hour's budget.
  if (!(await coversGas(system, spending)))
    return store.change(system.db, settlementId, { retryAt: addSeconds(system.now(), OVER_BUDGET_SECONDS) });
  const simulated = await chain.simulateAlone(signer, call, gas);
  if (!simulated.ok) {
    const [isUsed] = await chain.authorizationStates([row]);
    system.log.warn({ settlementId, reason: simulated.reason }, "cancellation.refused");
    return store.change(system.db, settlementId, { state: isUsed ? "done" : "failed" });
  }
  await sendCall(
    job,
    { call, gas },
    {
      holds: (tx) => store.lockWaiting(tx, settlementId, signer),
      onStored: async (tx, key) => {
        await chargeGas(tx, system, spending, key);
        await store.change(tx, settlementId, { state: "sent", relayerNonce: key.nonce });
      },
    },
  );
}
