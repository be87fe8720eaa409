import { setTimeout as sleep } from "node:timers/promises";
import type { Hex } from "viem";
import { privateKeyToAddress } from "viem/accounts";
import { type Address, toAddress } from "@/lib/core/address";
import { addSeconds, unixSeconds } from "@/lib/core/time";
import type { System } from "@/lib/platform/context";
import { takeTurn } from "@/lib/platform/limiter";
import { typedSignature } from "@/lib/x402/signature";
import { settlementErrors } from "./errors";
import { aloneGas } from "./relayer/settler";
import * as store from "./relayer/store";
import { type FailureCode, fitsGasBudget, meaningOf, stipendOf, transferCall } from "./rules";
import { assertUnused, type SignedAuthorization } from "./service";
import { cursor as readCursor } from "./store";

/** A proof that would move its money. A use of it in a block after `readTo` is this payment: no use was known before. */
export type Admitted = { by: null; readTo: bigint };
/** Why a proof that its payer signed is not taken. Nothing was claimed, and nothing is held. */
export type NotAdmitted =
  /** Another proof would be taken. */
  | { by: "us"; code: "AMOUNT_TOO_SMALL" | "PAYMENT_NOT_YET_VALID" | "PAYMENT_EXPIRED" }
  /** The token refuses it as things are. It may be presented again, and anybody can submit it until it runs out. */
  | { by: "token"; failureCode: FailureCode };

/**
 * Whether a proof would move its money now: asked of the chain, in the call and with the gas that it would travel with
 * alone. The caller has checked the signature; `sender` is the address that presents the proof, null for a signed-in owner.
 * Throws PAYMENT_ALREADY_USED, PAYER_OVER_GAS_BUDGET, TOO_MANY_CONTRACT_PAYMENTS and ChainUnavailable.
 */
export async function admit(
  system: System,
  signed: SignedAuthorization,
  sender: string | null,
): Promise<Admitted | NotAdmitted> {
  const { network, authorization: a } = signed;
  const chain = system.chains[network];
  const [cursor, [code = "0x"]] = await Promise.all([
    // Before a node is shown the proof: from then on it can submit it.
    readCursor(system.db, network),
    chain.codes([a.from]),
    assertUnused(system, { network, ...a }),
  ]);
  const { minPayment, minContractPayment } = system.config;
  if (a.value < (code === "0x" ? minPayment : minContractPayment)) return { by: "us", code: "AMOUNT_TOO_SMALL" };
  if (code !== "0x") {
    await assertGasBudget(system, signed);
    if (sender !== null) await limitContractPayments(system, sender);
  }
  const { signature } = typedSignature(network, a, signed.signature);
  const call = transferCall({ ...a, network, signature, payer: a.from, payee: a.to, amount: a.value });
  const result = await chain.simulateAlone(relayerAddress(system), call, aloneGas(call, stipendOf(code)));
  return result.ok ? { by: null, readTo: cursor?.blockNumber ?? 0n } : notAdmitted(system, signed, result.reason);
}

async function notAdmitted(system: System, signed: SignedAuthorization, reason: string): Promise<NotAdmitted> {
  const { network, authorization: a } = signed;
  const refusal = meaningOf(reason);
  if (refusal.next === "wait") return { by: "us", code: "PAYMENT_NOT_YET_VALID" };
  // The token looks at other things first, whether or not the authorization was used.
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
 * Makes sure that an authorization which our clock calls expired is unused and expired on the chain too, before its payer is
 * asked for another one. Waits some seconds for the chain's clock. Throws PAYMENT_ALREADY_USED, PAYMENT_NOT_OVER_YET, ChainUnavailable.
 */
export async function assertOver(
  system: System,
  { network, authorization: a }: Pick<SignedAuthorization, "network" | "authorization">,
): Promise<void> {
  const key = { network, ...a };
  await assertUnused(system, key);
  const chain = system.chains[network];
  const deadline = performance.now() + Math.min(NEXT_BLOCK_MS, system.config.settleWaitSeconds * 1000);
  // A block is some seconds old when the next one comes.
  while (BigInt(unixSeconds((await chain.head()).time)) < a.validBefore) {
    if (performance.now() > deadline) throw settlementErrors.PAYMENT_NOT_OVER_YET();
    await sleep(LOOK_AGAIN_MS);
  }
  // After the head: a use that comes between the two is seen.
  const [isUsed] = await chain.authorizationStates([{ payer: a.from, nonce: a.nonce }]);
  if (isUsed) {
    await assertUnused(system, key);
    throw settlementErrors.PAYMENT_ALREADY_USED(NOT_OURS);
  }
}

async function assertGasBudget(system: System, { network, authorization: { from } }: SignedAuthorization) {
  const since = addSeconds(system.now(), -store.GAS_WINDOW_SECONDS);
  const { spent } = await store.gasOf(system.db, network, from, since);
  if (fitsGasBudget(system.config.payerGasPerHour, { spent, underway: 0 })) return;
  throw settlementErrors.PAYER_OVER_GAS_BUDGET({ retryAfterSeconds: store.GAS_WINDOW_SECONDS });
}

async function limitContractPayments(system: System, sender: string) {
  const retryAfterSeconds = await takeTurn(system, "contract_payment_per_address", sender);
  if (retryAfterSeconds !== null) throw settlementErrors.TOO_MANY_CONTRACT_PAYMENTS({ retryAfterSeconds });
}

const LOOK_AGAIN_MS = 1_000;
/** A live chain's next block comes within this. */
const NEXT_BLOCK_MS = 5_000;

const NOT_OURS = {
  message:
    "The chain shows that this proof was used or cancelled, and no settlement here is of it. Do not sign again before you have read the payer's transfers: it may have paid",
};

const addresses = new Map<Hex, Address>();

/** From whom it would be sent. Which of our keys that will be makes no difference to the token. */
function relayerAddress({ config: { relayerKeys } }: System): Address {
  const [key] = relayerKeys;
  const known = addresses.get(key);
  if (known) return known;
  const address = toAddress(privateKeyToAddress(key));
  addresses.set(key, address);
  return address;
}
