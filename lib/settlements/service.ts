import type { Address } from "@/lib/core/address";
import { BrandedError, hasBrand } from "@/lib/core/brand";
import { AppError } from "@/lib/core/errors";
import { type AgentId, newId, type OwnerId, type SettlementId } from "@/lib/core/ids";
import type { System } from "@/lib/platform/context";
import type { Tx } from "@/lib/platform/db";
import { failpoint } from "@/lib/platform/failpoint";
import { notify } from "@/lib/platform/queue";
import type { Transfer } from "@/lib/platform/subscriber";
import { type Authorization, type AuthorizationKey, authorizationDigest } from "@/lib/x402/authorization";
import { NETWORKS, type NetworkName } from "@/lib/x402/networks";
import type { Requirement } from "@/lib/x402/requirement";
import { parseSignature, recoverPayer, typedSignature } from "@/lib/x402/signature";
import { settlementErrors } from "./errors";
import { apply, pastTransfer } from "./observer/observer";
import { BATCH_MAX, isOpen, publicStatus, stillValidUntil, visibleTxHash } from "./rules";
import type { Settlement } from "./store";
import * as store from "./store";
import type { SettlementPurpose } from "./tables";

export type { Settlement } from "./store";

/** What is sold, and whose sale it is. */
export type Offer = {
  requirement: Requirement;
  purpose: SettlementPurpose;
  subject: string;
  /** The agent that sells it; absent when the service does. */
  agentId?: AgentId;
  /** The owner of `agentId` who is paid at `requirement.payTo`, or who gets what is sold. */
  ownerId?: OwnerId;
  /** Why it cannot be bought now. */
  closed?: AppError | null;
};

/** An authorization as its payer signed it. */
export type SignedAuthorization = { network: NetworkName; authorization: Authorization; signature: `0x${string}` };

/** A verified proof and what it pays for. */
export type Claim = SignedAuthorization & {
  purpose: SettlementPurpose;
  /** What it is about: see SettlementPurpose. */
  subject: string;
  agentId?: AgentId | undefined;
  /** The owner who is paid, or out of whose wallet it is. */
  ownerId?: OwnerId | undefined;
  resource: string;
  description: string;
  /** How far the chain had been read when the proof was admitted: a use in a later block is this payment. */
  readTo?: bigint | undefined;
  /** The transfer that has used the authorization already, when the claim is of one that was forgotten. */
  past?: Transfer | undefined;
  /** Written in the transaction of the claim. */
  alongside?: ((tx: Tx, id: SettlementId) => Promise<void>) | undefined;
};

/** Whether the signature is the payer's: an account's key made it, or the account's contract accepts it (EIP-1271). */
export async function isSignedByPayer(system: System, signed: SignedAuthorization): Promise<boolean> {
  const { network, authorization, signature } = signed;
  if (recoverPayer(network, authorization, signature) === authorization.from) return true;
  if (parseSignature(signature).kind === "erc6492") return false;
  const digest = authorizationDigest(network, authorization);
  return system.chains[network].acceptsSignature(authorization.from, digest, signature);
}

/**
 * Claims a proof and waits up to `waitSeconds` for its end. The settlement that comes back may still be under way: the
 * relayer goes on without us, and nothing is lost by not waiting. Throws PAYMENT_ALREADY_USED, with the settlement it
 * was used in, when the authorization was claimed before.
 */
export async function settle(system: System, claim: Claim, waitSeconds: number): Promise<Settlement> {
  const claimed = await claimProof(system, claim);
  await failpoint("settlement.claimed");
  try {
    return await waitForEnd(system, claimed.id, waitSeconds);
  } catch (err) {
    // The claim stands whatever became of the waiting: anything but "pending" would have it paid a second time.
    system.log.warn({ settlementId: claimed.id, err }, "settlement.unwatched");
    return claimed;
  }
}

/**
 * Claims all of `claims` (1..100, one network) in one transaction of the database, to be moved in one transaction of the
 * chain or not at all. `alongside` is written with them. Throws PAYMENT_ALREADY_USED, SETTLEMENT_UNKNOWN like settle().
 * Returns the settlements in the order of the claims; nobody waits.
 */
export async function claimTogether(
  system: System,
  claims: readonly [Claim, ...Claim[]],
  alongside: (tx: Tx, ids: readonly SettlementId[]) => Promise<void>,
): Promise<Settlement[]> {
  const claimed = await claimAll(system, claims, alongside);
  await failpoint("settlement.claimed");
  return claimed;
}

async function claimProof(system: System, claim: Claim): Promise<Settlement> {
  const [claimed] = await claimAll(system, [claim], async () => {});
  // One claim was asked for, and claimAll answers for each or throws.
  return claimed as Settlement;
}

type NewClaim = { id: SettlementId; claim: Claim };
type Alongside = (tx: Tx, ids: readonly SettlementId[]) => Promise<void>;

async function claimAll(system: System, claims: readonly [Claim, ...Claim[]], alongside: Alongside) {
  const { network } = claims[0];
  if (claims.length > BATCH_MAX || claims.some((claim) => claim.network !== network)) {
    throw new Error(`a group has at most ${BATCH_MAX} claims, all on one network`);
  }
  // Sorted, so that the order of the ids is that of the claims, also where legs are read back by id.
  const ids = claims.map(() => newId("settlement")).sort();
  // As many as there are claims.
  const legs = claims.map((claim, at) => ({ claim, id: ids[at] as SettlementId }));
  const claimed = await insertClaims(system, network, legs, alongside).catch((thrown: unknown) => {
    if (Taken.is(thrown)) return thrown;
    if (AppError.is(thrown)) throw thrown;
    // Lost in mid-commit, perhaps: the id is how its payer finds out.
    throw settlementErrors.SETTLEMENT_UNKNOWN({ settlementId: ids[0] }, thrown);
  });
  if (!Taken.is(claimed)) return claimed;
  const { from, nonce } = claimed.claim.authorization;
  throw alreadyUsed(await findUse(system, { network, from, nonce }));
}

/** Rolls the claim back: one of its authorizations was claimed before. */
class Taken extends BrandedError {
  static is = (thrown: unknown): thrown is Taken => hasBrand(thrown, "Taken");

  constructor(readonly claim: Claim) {
    super("Taken", "claimed before");
  }
}

function insertClaims(system: System, network: NetworkName, legs: NewClaim[], alongside: Alongside) {
  const at = system.now();
  const groupId = legs.length > 1 ? legs[0]?.id : null;
  // In one order, whoever claims them: two claims that share authorizations wait for each other and never in a circle.
  const inOrder = legs.toSorted((a, b) => (authorizationName(a) < authorizationName(b) ? -1 : 1));
  return system.db.transaction(async (tx) => {
    const rows = inOrder.map(({ id, claim }) => ({ ...rowOf(id, claim), groupId, createdAt: at }));
    const claimed = new Map((await store.claim(tx, rows)).map((row) => [row.id, row]));
    const taken = legs.find(({ id }) => !claimed.has(id));
    if (taken) throw new Taken(taken.claim);
    for (const { id, claim } of legs) {
      const { purpose, subject, agentId = null, ownerId = null } = claim;
      const { from, nonce } = claim.authorization;
      const proof = { network, from, nonce, settlementId: id, purpose, subject, agentId, ownerId };
      for (const subscriber of system.subscribers) {
        await subscriber.claimed(tx, proof, at);
      }
      await claim.alongside?.(tx, id);
    }
    await alongside(
      tx,
      legs.map(({ id }) => id),
    );
    await applyPast(tx, system, network, legs);
    await notify(tx, "settlement_claimed", network);
    // None is missing: none was taken.
    return legs.map(({ id }) => claimed.get(id) as Settlement);
  });
}

/** What is in blocks that the observer has read is applied here; the others it will come to. */
async function applyPast(tx: Tx, system: System, network: NetworkName, legs: readonly NewClaim[]): Promise<void> {
  const past = legs.flatMap(({ claim }) => claim.past ?? []);
  const cursor = past.length > 0 ? await store.cursor(tx, network) : null;
  const transfers = past.filter(({ block }) => cursor && block.number <= cursor.blockNumber);
  if (transfers.length > 0) await apply(tx, system, { transfers, cancellations: [] });
}

const authorizationName = ({ claim }: NewClaim) => `${claim.authorization.from} ${claim.authorization.nonce}`;

function rowOf(id: SettlementId, claim: Claim) {
  const { authorization: a, network, signature, purpose, subject, agentId, ownerId, resource, description } = claim;
  const readTo = claim.past ? claim.past.block.number - 1n : claim.readTo;
  return {
    id,
    network,
    ...typedSignature(network, a, signature),
    purpose,
    subject,
    agentId,
    ownerId,
    resource,
    description,
    asset: NETWORKS[network].usdc,
    payer: a.from,
    nonce: a.nonce,
    payee: a.to,
    amount: a.value,
    validAfter: a.validAfter,
    validBefore: a.validBefore,
    ...(readTo !== undefined && { readTo }),
  };
}

/**
 * The transfer that each of some authorizations of our own wallets has made already, in their order; null for those that are
 * unused. Throws ChainUnavailable.
 */
export async function pastTransfers(
  { chains }: System,
  network: NetworkName,
  keys: readonly { payer: Address; nonce: `0x${string}` }[],
): Promise<(Transfer | "none" | null)[]> {
  const isUsed = await chains[network].authorizationStates([...keys]);
  return Promise.all(keys.map((key, at) => (isUsed[at] ? pastTransfer(chains[network], key) : null)));
}

/** Throws PAYMENT_ALREADY_USED, with the settlement it was used in, when the authorization was claimed before. */
export async function assertUnused(system: System, key: AuthorizationKey): Promise<void> {
  const used = await findUse(system, key);
  if (used) throw alreadyUsed(used);
}

const findUse = (system: System, { network, from, nonce }: AuthorizationKey) =>
  store.findByAuthorization(system.db, { network, asset: NETWORKS[network].usdc, payer: from, nonce });

const alreadyUsed = (used: Settlement | null) =>
  settlementErrors.PAYMENT_ALREADY_USED({
    settlementId: used?.id,
    settlementStatus: used && publicStatus(used.state),
    txHash: used && visibleTxHash(used),
    ...stillValid(used),
  });

/** For the details of an error about a declined settlement. */
export function stillValid(settlement: Settlement | null): { stillValidUntil?: string } {
  const until = settlement && stillValidUntil(settlement);
  return until ? { stillValidUntil: until.toISOString() } : {};
}

const LOOK_AGAIN_MS = 1000;

/** The settlement once we no longer work on it, or its state after `waitSeconds`. */
export async function waitForEnd(system: System, id: SettlementId, waitSeconds: number): Promise<Settlement> {
  const deadline = Date.now() + waitSeconds * 1000;
  for (;;) {
    const ended = whenEnded(system, id, Math.min(LOOK_AGAIN_MS, Math.max(0, deadline - Date.now())));
    const row = await get(system, id);
    if (!isOpen(row) || Date.now() >= deadline) {
      ended.cancel();
      return row;
    }
    await ended.promise;
  }
}

/** Resolves when the hub says so, or after `ms` in case the message was lost with a connection. */
function whenEnded(system: System, id: SettlementId, ms: number) {
  let cancel = () => {};
  const promise = new Promise<void>((resolve) => {
    const timer = setTimeout(finish, ms);
    const off = system.hub.on("settlement_ended", (ended) => ended === id && finish());
    function finish() {
      clearTimeout(timer);
      off();
      resolve();
    }
    cancel = finish;
  });
  return { promise, cancel };
}

/** Throws SETTLEMENT_NOT_FOUND. */
export async function get(system: System, id: SettlementId): Promise<Settlement> {
  const row = await store.find(system.db, id);
  if (!row) throw settlementErrors.SETTLEMENT_NOT_FOUND();
  return row;
}

/**
 * Whether the observer has read CONFIRMATIONS blocks from its transfer's on. Reorganisations are taken to be shorter, so that none
 * takes it back.
 */
export async function isFinal({ db, config }: System, settlement: Settlement): Promise<boolean> {
  const { state, network, blockNumber } = settlement;
  const cursor = await store.cursor(db, network);
  if (state !== "settled" || blockNumber === null || !cursor) return false;
  return cursor.blockNumber - blockNumber + 1n >= BigInt(config.confirmations);
}
