import { setTimeout as sleep } from "node:timers/promises";
import type { Hex } from "viem";
import { privateKeyToAddress } from "viem/accounts";
import { type Address, toAddress } from "@/lib/core/address";
import { unixSeconds } from "@/lib/core/time";
import { limit } from "@/lib/http/limit";
import { batchedOn } from "@/lib/platform/batch";
import { ChainUnavailable } from "@/lib/platform/chain";
import type { System } from "@/lib/platform/context";
import type { Transfer } from "@/lib/platform/subscriber";
import { assertSettleable, reportUnderWay } from "@/lib/screening/service";
import { networkNamed } from "@/lib/x402/networks";
import { mismatch, type Proof, type ProofMismatch } from "@/lib/x402/proof";
import type { Requirement } from "@/lib/x402/requirement";
import { parseSignature, typedSignature } from "@/lib/x402/signature";
import { allowedDeployment, type DeploymentRefusal, refusalOf, sendingOf, simulated, trySending } from "./deployment";
import { findEarlier } from "./earlier";
import { settlementErrors } from "./errors";
import { pastTransfer } from "./observer/search";
import { gasRefusal } from "./relayer/payer-gas";
import { type FailureCode, isForeignCode, meaningOf, payerKind, transferCall } from "./rules";
import { isSignedByPayer, type SignedAuthorization } from "./service";
import { cursorFinder, cursor as readCursor, type Settlement } from "./store";
import { ADMISSION_BLOCKS_MAX } from "./tables";

/** A presented proof and the requirement to check it against. */
export type PresentedProof<W extends string> = {
  proof: Proof;
  /** Null when nothing is for sale: no node then sees the proof. */
  requirement: Requirement | null;
  /** Why the endpoint refuses a proof that matches the requirement. */
  why?: W | null;
  /** The key of rate limits: an IP address or an API key; null for a signed-in owner. */
  sender: string | null;
  /** Runs before a new, correctly signed proof is sent to a node. Throws when a limit or rule of the endpoint forbids that. */
  beforeChain?: () => Promise<void>;
  /** The observer's cursor when the endpoint sent this same proof to a node earlier; null if it did not. */
  shownTo?: () => Promise<bigint | null>;
};

/** Why we refuse a proof that was not claimed before. A different proof would be accepted. */
export type RefusalOfUs = ProofMismatch | "AMOUNT_TOO_SMALL" | "PAYMENT_SIGNATURE_INVALID" | DeploymentRefusal;

/** The class of a proof. Only `new` may be claimed; the others reserve nothing. */
export type Admission<W extends string = never> =
  /**
   * The proof would settle now; or it was used after the endpoint read the chain, in `past` or in a block after `readTo`, and
   * that use is this payment.
   */
  | { type: "new"; readTo: bigint; signed: SignedAuthorization; past?: Transfer }
  /** Exactly this authorization and signature was claimed before. `mismatch`: why it does not fit the requirement. */
  | { type: "same"; settlement: Settlement; mismatch: ProofMismatch | null }
  /**
   * Another authorization with this nonce, or another signature of this one, was claimed. That settlement never pays for this
   * purchase.
   */
  | { type: "conflicting"; settlement: Settlement }
  /** Used or cancelled on the chain, without a settlement here. `isFinal`: no concurrent request can still claim it. */
  | { type: "spent_elsewhere"; isFinal: boolean }
  /** Correctly signed and not claimed before, but nothing is for sale. */
  | { type: "unsold" }
  | { type: "refused"; refusedBy: "us"; code: RefusalOfUs | W }
  /** The token refuses the proof now. It may be presented again, and anyone can submit it until it expires. */
  | { type: "refused"; refusedBy: "token"; failureCode: FailureCode; signed: SignedAuthorization };

/** An admission of a proof whose nonce a settlement has claimed. */
export type Claimed = Extract<Admission, { type: "same" | "conflicting" }>;

export const isClaimed = (admission: Admission<string>): admission is Claimed =>
  admission.type === "same" || admission.type === "conflicting";

/**
 * Classifies a proof for a requirement. Every endpoint that accepts proofs uses this function. Throws what `beforeChain` throws,
 * PAYMENT_NOT_OVER_YET, PAYER_OVER_GAS_BUDGET, TOO_MANY_CONTRACT_PAYMENTS, payee_denied, payer_denied and ChainUnavailable.
 * Why: docs/decisions.md, 383.
 */
export async function admit<W extends string = never>(
  system: System,
  presented: PresentedProof<W>,
): Promise<Admission<W>> {
  const { proof, requirement, why: reason = null, sender } = presented;
  const unfit = requirement && mismatch(proof, requirement, system.now());
  const network = networkNamed(proof.network)?.name;
  // Unknown network: the proof cannot be verified, and no settlement has this network.
  if (!network) return requirement ? refusedByUs(unfit ?? "PAYMENT_NETWORK_MISMATCH") : { type: "unsold" };
  const signed = { network, authorization: proof.authorization, signature: proof.signature };
  const [earlier, cursor] = await Promise.all([
    findEarlier(system, signed),
    // Read before any node sees the proof: a node that has seen it can submit it.
    cursorAtAdmission(system.db, network),
  ]);
  const { isSame, settlement } = earlier ?? {};
  // The signature was verified at the claim.
  if (settlement && isSame) {
    reportUnderWay(system, settlement);
    return { type: "same", settlement, mismatch: unfit };
  }
  if (!(await isSignedByPayer(system, signed))) {
    return refusedByUs(unfit ?? reason ?? (await whyUnsigned(system, signed)));
  }
  if (settlement) return { type: "conflicting", settlement };
  if (!requirement) return { type: "unsold" };
  const simulating = { signed, sender, readTo: cursor?.blockNumber ?? 0n, shownTo: presented.shownTo };
  if (unfit === "PAYMENT_EXPIRED") return admitExpired(system, simulating);
  const refusal = unfit ?? reason;
  if (refusal) return refusedByUs(refusal);
  await assertSettleable(system, { payer: proof.authorization.from, payee: proof.authorization.to });
  await presented.beforeChain?.();
  return admitSimulated(system, simulating);
}

/** Why the signature of a proof that `isSignedByPayer` denies is refused. */
async function whyUnsigned(system: System, { network, authorization: a, signature }: SignedAuthorization) {
  const parsed = parseSignature(signature);
  if (parsed.kind !== "erc6492") return "PAYMENT_SIGNATURE_INVALID";
  const [code = "0x"] = await system.chains[network].codes([a.from]);
  if (code !== "0x" && parsed.signature !== null) return "PAYMENT_SIGNATURE_INVALID";
  return (parsed.deployment && refusalOf(system.config, parsed.deployment)) ?? "NOT_DEPLOYED";
}

const refusedByUs = <C extends string>(code: C) => ({ type: "refused" as const, refusedBy: "us" as const, code });

/** A concurrent request may have claimed the authorization. Its transfer then looks like a refusal (used, or balance too low). */
async function findConcurrentClaim(system: System, signed: SignedAuthorization) {
  const earlier = await findEarlier(system, signed);
  if (!earlier) return null;
  const { isSame, settlement } = earlier;
  return isSame ? { type: "same" as const, settlement, mismatch: null } : { type: "conflicting" as const, settlement };
}

type Simulated = Exclude<Admission, { type: "unsold" }>;
type Simulating = {
  signed: SignedAuthorization;
  sender: string | null;
  readTo: bigint;
  shownTo: PresentedProof<never>["shownTo"];
};

/** Simulates the call on the chain, with the gas limit of a transaction that carries only this proof. */
async function admitSimulated(system: System, simulating: Simulating): Promise<Simulated> {
  const { signed, sender, readTo } = simulating;
  const { network, authorization: a } = signed;
  const chain = system.chains[network];
  const [[code = "0x"], [isUsed]] = await Promise.all([
    chain.codes([a.from]),
    chain.authorizationStates([{ payer: a.from, nonce: a.nonce }]),
  ]);
  if (isUsed) return (await findConcurrentClaim(system, signed)) ?? admitUsed(system, simulating);
  const { minPayment, minContractPayment } = system.config;
  const { signature, ...typed } = typedSignature(network, a, signed.signature);
  const deployment = allowedDeployment(system.config, typed.deployment);
  const kind = payerKind(network, code, a.to, deployment);
  if (a.value < (isForeignCode(kind) ? minContractPayment : minPayment)) return refusedByUs("AMOUNT_TOO_SMALL");
  const budgeted = { payer: a.from, factory: deployment?.factory ?? null };
  if (isForeignCode(kind) && sender !== null) {
    await limit(system, "contract_payment_per_address", sender, settlementErrors.TOO_MANY_CONTRACT_PAYMENTS);
  }
  const transfer = transferCall({ ...a, network, signature, payer: a.from, payee: a.to, amount: a.value });
  const outcome = await trySending(sendingOf(kind, transfer, deployment), async (sending) => {
    const over = await gasRefusal(system, network, budgeted, sending.kind);
    if (over) return { type: "over_budget", over };
    return simulated(chain, relayerAddress(system), sending);
  });
  if (outcome.type === "accepted") return { type: "new", readTo, signed };
  if (outcome.type === "over_budget") throw outcome.over;
  const rejected = await admitRejected(system, simulating, outcome.reason);
  return (await findConcurrentClaim(system, signed)) ?? rejected;
}

/**
 * A used proof is public: anyone can copy it from the transaction. Only a use after the endpoint sent the proof to a node is the
 * presenter's payment.
 * Why: docs/decisions.md, 437.
 */
async function admitUsed(system: System, { signed, shownTo }: Simulating): Promise<Simulated> {
  const readTo = (await shownTo?.()) ?? null;
  // Before the observer's first run, a new use cannot be told from an older one.
  if (readTo === null || readTo === 0n) return spentElsewhere(system, signed);
  const chain = system.chains[signed.network];
  const key = { payer: signed.authorization.from, nonce: signed.authorization.nonce };
  const past = await pastTransfer(chain, key, readTo + 1n).catch(async (error: unknown) => {
    // The node lagged at verification, or a block was replaced: the use is older, and a retry cannot find it.
    if (error instanceof ChainUnavailable && (await chain.wasUsed(key, readTo)) === true) return "none" as const;
    throw error;
  });
  return past === "none" ? spentElsewhere(system, signed) : { type: "new", readTo, signed, past };
}

async function admitRejected(system: System, { signed, readTo }: Simulating, reason: string): Promise<Simulated> {
  const { network, authorization: a } = signed;
  const refusal = meaningOf(reason);
  if (refusal.next === "wait") return refusedByUs("PAYMENT_NOT_YET_VALID");
  // The token checks other conditions before it checks whether the authorization was used.
  const [isUsed] = await system.chains[network].authorizationStates([{ payer: a.from, nonce: a.nonce }]);
  if (isUsed || refusal.next === "look_up") {
    // A node can submit a proof that it is shown. A use after `readTo` paid this amount to this payee, and can be claimed only once.
    // Before the observer's first run, a new use cannot be told from an older one.
    const wasUsed = readTo === 0n || (await system.chains[network].wasUsed({ payer: a.from, nonce: a.nonce }, readTo));
    if (wasUsed === null) throw new ChainUnavailable("no node shows when the authorization was used");
    return wasUsed ? spentElsewhere(system, signed) : { type: "new", readTo, signed };
  }
  return refusal.code === "EXPIRED"
    ? refusedByUs("PAYMENT_EXPIRED")
    : { type: "refused", refusedBy: "token", failureCode: refusal.code, signed };
}

/**
 * `isFinal`: the authorization was used so long ago that no claim can count that use as its payment, not even one whose admission
 * began before the use. The caller reads settlements after this: one that is missing then is never paid by this use.
 */
async function spentElsewhere({ db, chains }: System, { network, authorization: a }: SignedAuthorization) {
  const cursor = await readCursor(db, network);
  // Doubled, because a claim reads the cursor some time before it commits.
  const block = (cursor?.blockNumber ?? 0n) - BigInt(2 * ADMISSION_BLOCKS_MAX);
  const isFinal = block > 0n && (await chains[network].wasUsed({ payer: a.from, nonce: a.nonce }, block)) === true;
  return { type: "spent_elsewhere" as const, isFinal };
}

/**
 * Refuses an authorization that is expired by our clock only once it is also expired and unused on the chain, because the payer
 * is then asked for a new signature. Waits a few seconds for the chain's clock.
 */
async function admitExpired(system: System, simulating: Simulating): Promise<Simulated> {
  const { signed } = simulating;
  const { network, authorization: a } = signed;
  const chain = system.chains[network];
  const deadline = performance.now() + Math.min(NEXT_BLOCK_MS, system.config.settleWaitSeconds * 1000);
  // The head's timestamp lags by up to one block interval.
  while (BigInt(unixSeconds((await chain.head()).time)) < a.validBefore) {
    if (performance.now() > deadline) throw settlementErrors.PAYMENT_NOT_OVER_YET();
    await sleep(RECHECK_MS);
  }
  // Read after the head, so that a use in between is not missed.
  const [isUsed] = await chain.authorizationStates([{ payer: a.from, nonce: a.nonce }]);
  const outcome = isUsed ? await admitUsed(system, simulating) : refusedByUs("PAYMENT_EXPIRED" as const);
  return (await findConcurrentClaim(system, signed)) ?? outcome;
}

const cursorAtAdmission = batchedOn(cursorFinder);

const RECHECK_MS = 1_000;
/** A live chain produces its next block within this time. */
const NEXT_BLOCK_MS = 5_000;

const addresses = new Map<Hex, Address>();

/** The simulated sender. The token treats all of our relayer keys alike. */
function relayerAddress({ config: { relayerKeys } }: System): Address {
  const [key] = relayerKeys;
  const cachedAddress = addresses.get(key);
  if (cachedAddress) return cachedAddress;
  const address = toAddress(privateKeyToAddress(key));
  addresses.set(key, address);
  return address;
}
