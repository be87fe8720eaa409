import { setTimeout as sleep } from "node:timers/promises";
import type { Hex } from "viem";
import { privateKeyToAddress } from "viem/accounts";
import { type Address, toAddress } from "@/lib/core/address";
import { unixSeconds } from "@/lib/core/time";
import { batchedOn } from "@/lib/platform/batch";
import type { System } from "@/lib/platform/context";
import { takeTurn } from "@/lib/platform/limiter";
import type { AuthorizationKey } from "@/lib/x402/authorization";
import { typedSignature } from "@/lib/x402/signature";
import { settlementErrors } from "./errors";
import { assertGasBudget } from "./relayer/payer-gas";
import { aloneGas } from "./relayer/settler";
import { type FailureCode, meaningOf, payerKind, stipendOf, transferCall } from "./rules";
import { assertUnused, type SignedAuthorization } from "./service";
import { cursorFinder, cursor as readCursor } from "./store";
import { ADMISSION_BLOCKS_MAX } from "./tables";

/** A proof that would settle now. A use of it in a block after `readTo` is this payment: no earlier use was known. */
export type Admitted = { by: null; readTo: bigint };
/** Why a correctly signed proof is not accepted. Nothing was claimed, and nothing is reserved. */
export type NotAdmitted =
  /** We reject it; a different proof would be accepted. */
  | { by: "us"; code: "AMOUNT_TOO_SMALL" | "PAYMENT_NOT_YET_VALID" | "PAYMENT_EXPIRED" }
  /** The token rejects it at present. It may be presented again, and anyone can submit it until it expires. */
  | { by: "token"; failureCode: FailureCode };

/**
 * Simulates a proof on the chain, with the call and gas of a transaction of its own. The caller has verified the signature.
 * `sender`: the IP address that presents the proof, null for a signed-in owner. Throws PAYMENT_ALREADY_USED,
 * PAYER_OVER_GAS_BUDGET, TOO_MANY_CONTRACT_PAYMENTS and ChainUnavailable.
 */
export async function admit(
  system: System,
  signed: SignedAuthorization,
  sender: string | null,
): Promise<Admitted | NotAdmitted> {
  const { network, authorization: a } = signed;
  const chain = system.chains[network];
  const [cursor, [code = "0x"]] = await Promise.all([
    // Read before any node sees the proof: a node that has seen it can submit it.
    cursorAtAdmission(system.db, network),
    chain.codes([a.from]),
    assertUnused(system, { network, ...a }),
  ]);
  const { minPayment, minContractPayment } = system.config;
  const kind = payerKind(network, code, a.to);
  if (a.value < (kind === "code" ? minContractPayment : minPayment)) return { by: "us", code: "AMOUNT_TOO_SMALL" };
  await assertGasBudget(system, network, a.from, kind);
  if (kind === "code" && sender !== null) await limitContractPayments(system, sender);
  const { signature } = typedSignature(network, a, signed.signature);
  const call = transferCall({ ...a, network, signature, payer: a.from, payee: a.to, amount: a.value });
  const result = await chain.simulateAlone(relayerAddress(system), call, aloneGas(call, stipendOf(kind)));
  return result.ok ? { by: null, readTo: cursor?.blockNumber ?? 0n } : notAdmitted(system, signed, result.reason);
}

async function notAdmitted(system: System, signed: SignedAuthorization, reason: string): Promise<NotAdmitted> {
  const { network, authorization: a } = signed;
  const refusal = meaningOf(reason);
  if (refusal.next === "wait") return { by: "us", code: "PAYMENT_NOT_YET_VALID" };
  // The token checks other conditions before it checks whether the authorization was used.
  const [isUsed] = await system.chains[network].authorizationStates([{ payer: a.from, nonce: a.nonce }]);
  if (isUsed || refusal.next === "look_up") {
    await assertUnused(system, { network, ...a });
    throw settlementErrors.PAYMENT_ALREADY_USED(NOT_OURS);
  }
  return refusal.code === "EXPIRED"
    ? { by: "us", code: "PAYMENT_EXPIRED" }
    : { by: "token", failureCode: refusal.code };
}

/**
 * Asserts that an authorization that is expired by our clock is also expired and unused on the chain, before the payer is
 * requested to sign a new one. Waits a few seconds for the chain's clock. Throws PAYMENT_ALREADY_USED, PAYMENT_NOT_OVER_YET,
 * ChainUnavailable.
 */
export async function assertOver(
  system: System,
  { network, authorization: a }: Pick<SignedAuthorization, "network" | "authorization">,
): Promise<void> {
  const key = { network, ...a };
  await assertUnused(system, key);
  const chain = system.chains[network];
  const deadline = performance.now() + Math.min(NEXT_BLOCK_MS, system.config.settleWaitSeconds * 1000);
  // The head's timestamp lags by up to one block interval.
  while (BigInt(unixSeconds((await chain.head()).time)) < a.validBefore) {
    if (performance.now() > deadline) throw settlementErrors.PAYMENT_NOT_OVER_YET();
    await sleep(RECHECK_MS);
  }
  // Read after the head, so that a use in between is not missed.
  const [isUsed] = await chain.authorizationStates([{ payer: a.from, nonce: a.nonce }]);
  if (isUsed) {
    await assertUnused(system, key);
    throw settlementErrors.PAYMENT_ALREADY_USED(NOT_OURS);
  }
}

/**
 * Whether an authorization was used so long ago that no claim can take the use for its payment, not even one whose admission
 * began before the use. Read before the settlements: one that is not there then will not be paid by this use.
 */
export async function isUsedBeforeClaims(
  { db, chains }: System,
  { network, from, nonce }: AuthorizationKey,
): Promise<boolean> {
  const cursor = await readCursor(db, network);
  // A claim reads the cursor before it is committed, so it is given the same time again.
  const block = (cursor?.blockNumber ?? 0n) - BigInt(2 * ADMISSION_BLOCKS_MAX);
  return block > 0n && (await chains[network].wasUsed({ payer: from, nonce }, block)) === true;
}

async function limitContractPayments(system: System, sender: string) {
  const retryAfterSeconds = await takeTurn(system, "contract_payment_per_address", sender);
  if (retryAfterSeconds !== null) throw settlementErrors.TOO_MANY_CONTRACT_PAYMENTS({ retryAfterSeconds });
}

const cursorAtAdmission = batchedOn("settlements.cursor", cursorFinder);

const RECHECK_MS = 1_000;
/** A live chain produces its next block within this time. */
const NEXT_BLOCK_MS = 5_000;

const NOT_OURS = {
  message:
    "The chain shows that this proof was used or cancelled, and it has no settlement here. Do not sign again before you have checked the payer's transfers: it may have paid",
};

const addresses = new Map<Hex, Address>();

/** The simulated sender. The token treats all of our relayer keys alike. */
function relayerAddress({ config: { relayerKeys } }: System): Address {
  const [key] = relayerKeys;
  const known = addresses.get(key);
  if (known) return known;
  const address = toAddress(privateKeyToAddress(key));
  addresses.set(key, address);
  return address;
}
