import type { Hex } from "viem";
import { privateKeyToAddress } from "viem/accounts";
import { type Address, toAddress } from "@/lib/core/address";
import { addSeconds } from "@/lib/core/time";
import type { System } from "@/lib/platform/context";
import { typedSignature } from "@/lib/x402/signature";
import { settlementErrors } from "./errors";
import * as store from "./relayer-store";
import { type FailureCode, fitsGasBudget, meaningOf, stipendOf, transferCall } from "./rules";
import { assertUnused, type SignedAuthorization } from "./service";
import { aloneGas } from "./settler";

/** Why a proof that its payer signed is not taken. Nothing was claimed, and nothing is held. */
export type NotAdmitted =
  /** Another proof would be taken. */
  | { by: "us"; code: "AMOUNT_TOO_SMALL" | "PAYMENT_NOT_YET_VALID" | "PAYMENT_EXPIRED" }
  /** The token refuses it as things are. It may be presented again, and anybody can submit it until it runs out. */
  | { by: "token"; failureCode: FailureCode };

/**
 * Whether a proof would move its money now: asked of the chain, in the call and with the gas that it would travel with
 * alone. Null when it would. The caller has checked the signature. Throws PAYMENT_ALREADY_USED, PAYER_OVER_GAS_BUDGET and
 * ChainUnavailable.
 */
export async function admit(system: System, signed: SignedAuthorization): Promise<NotAdmitted | null> {
  const { network, authorization: a } = signed;
  const chain = system.chains[network];
  const [[code = "0x"]] = await Promise.all([chain.codes([a.from]), assertUnused(system, { network, ...a })]);
  const { minPayment, minContractPayment } = system.config;
  if (a.value < (code === "0x" ? minPayment : minContractPayment)) return { by: "us", code: "AMOUNT_TOO_SMALL" };
  if (code !== "0x") await assertGasBudget(system, signed);
  const { signature } = typedSignature(network, a, signed.signature);
  const call = transferCall({ ...a, network, signature, payer: a.from, payee: a.to, amount: a.value });
  const result = await chain.simulateAlone(relayerAddress(system), call, aloneGas(call, stipendOf(code)));
  return result.ok ? null : notAdmitted(system, signed, result.reason);
}

async function notAdmitted(system: System, signed: SignedAuthorization, reason: string): Promise<NotAdmitted> {
  const { network, authorization: a } = signed;
  const refusal = meaningOf(reason);
  if (refusal.next === "wait") return { by: "us", code: "PAYMENT_NOT_YET_VALID" };
  // The token looks at other things first, whether or not the authorization was used.
  const [isUsed] = await system.chains[network].authorizationStates([{ payer: a.from, nonce: a.nonce }]);
  if (isUsed || refusal.next === "look_up") {
    await assertUnused(system, { network, ...a });
    throw settlementErrors.PAYMENT_ALREADY_USED();
  }
  return refusal.code === "EXPIRED"
    ? { by: "us", code: "PAYMENT_EXPIRED" }
    : { by: "token", failureCode: refusal.code };
}

async function assertGasBudget(system: System, { network, authorization: { from } }: SignedAuthorization) {
  const since = addSeconds(system.now(), -store.GAS_WINDOW_SECONDS);
  const { spent } = await store.gasOf(system.db, network, from, since);
  if (fitsGasBudget(system.config.payerGasPerHour, { spent, underway: 0 })) return;
  throw settlementErrors.PAYER_OVER_GAS_BUDGET({ retryAfterSeconds: store.GAS_WINDOW_SECONDS });
}

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
