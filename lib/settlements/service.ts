import type { Address } from "@/lib/core/address";
import { AppError } from "@/lib/core/errors";
import { type AgentId, newId, type OwnerId, type SettlementId } from "@/lib/core/ids";
import { STRANGER_BELOW } from "@/lib/core/limits";
import { isSignedByAccount } from "@/lib/platform/account-signature";
import { announceSoon } from "@/lib/platform/announcements";
import { batchedBy, batchedOn, transactTogether } from "@/lib/platform/batch";
import type { System } from "@/lib/platform/context";
import type { Db, Tx } from "@/lib/platform/db";
import { failpoint } from "@/lib/platform/failpoint";
import { type Hub, notifySoon } from "@/lib/platform/queue";
import type { ClaimedProof, Transfer } from "@/lib/platform/subscriber";
import { isCanonical } from "@/lib/vaults/payments";
import { isVaultCode } from "@/lib/vaults/terms";
import { authorizationDigest } from "@/lib/x402/authorization";
import { NETWORKS, type NetworkName } from "@/lib/x402/networks";
import type { Requirement } from "@/lib/x402/requirement";
import { parseSignature, typedSignature } from "@/lib/x402/signature";
import { acceptsOnceDeployed, allowedDeployment } from "./deployment";
import { findEarlier } from "./earlier";
import { settlementErrors } from "./errors";
import { apply } from "./observer/observer";
import { type ReadBlocks, readBlocks } from "./observer/read-blocks";
import { pastTransfer } from "./observer/search";
import { BATCH_MAX, isOpen, publicStatus, type SignedAuthorization, stillValidUntil, visibleTxHash } from "./rules";
import type { Settlement } from "./store";
import * as store from "./store";
import type { SettlementPurpose } from "./tables";

export type { SignedAuthorization } from "./rules";
export { type Settlement, sumUnended } from "./store";

/** What is for sale, and who sells it. */
export type SaleOffer = {
  requirement: Requirement;
  /** Recorded instead of the requirement's resource, when receipts must not show all of it. */
  recordedResource?: string;
  purpose: SettlementPurpose;
  subject: string;
  /** The selling agent; absent when the service sells. */
  agentId?: AgentId;
  /** The owner of `agentId`, who is paid at `requirement.payTo`; or the owner who receives the purchase. */
  ownerId?: OwnerId;
  /** Why the offer cannot be bought now; null or absent when it can. */
  closed?: AppError | null;
};

/** A verified proof and what it pays for. */
export type Claim = SignedAuthorization & {
  purpose: SettlementPurpose;
  /** See SettlementPurpose. */
  subject: string;
  agentId?: AgentId | undefined;
  /** The owner who is paid, or whose wallet pays. */
  ownerId?: OwnerId | undefined;
  resource: string;
  description: string;
  /** The observer's cursor when the proof was admitted: a use in a later block counts as this payment. */
  readTo?: bigint | undefined;
  /** The transfer that used the authorization before the claim, if known. */
  past?: Transfer | undefined;
  /** Runs inside the claim's transaction. Those of claims that share one run in the order of `turn`. */
  alongside?: ((tx: Tx, id: SettlementId) => Promise<void>) | undefined;
  /** What `alongside` locks, so that two transactions that lock the same do it in the same order. */
  turn?: string | undefined;
};

/**
 * Whether the payer signed: with the account's key, or with a signature that the account's contract accepts (EIP-1271), also one that a
 * listed factory would deploy (ERC-6492). A vault's signature counts only in its canonical encoding.
 */
export async function isSignedByPayer(system: System, signed: SignedAuthorization): Promise<boolean> {
  const { network, authorization } = signed;
  const outer = parseSignature(signed.signature);
  if (outer.kind === "erc6492" && outer.signature === null) return false;
  const { signature, deployment } = typedSignature(network, authorization, signed.signature);
  const digest = authorizationDigest(network, authorization);
  const account = authorization.from;
  const [isSigned, [code = "0x"]] = await Promise.all([
    isSignedByAccount(system, { network, account, digest, signature }),
    // A vault's signature is longer than an account's.
    parseSignature(signature).kind === "ecdsa" && !deployment ? [] : system.chains[network].codes([account]),
  ]);
  const allowed = allowedDeployment(system.config, deployment);
  const isVault = isVaultCode(code, NETWORKS[network].usdc);
  // Whatever `code` is: the node that was asked for it can be ahead of the one that was asked for the signature.
  if (!isSigned && allowed && !isVault) {
    return acceptsOnceDeployed(system.chains[network], { account, digest, signature, deployment: allowed });
  }
  return isSigned && (!isVault || isCanonical(code, signature));
}

/**
 * Claims a proof and waits up to `waitSeconds` for the settlement to end. The returned settlement may still be open: the
 * relayer continues in the background. Throws PAYMENT_ALREADY_USED, with the id of the earlier settlement, when the
 * authorization was claimed before, and SETTLEMENT_UNKNOWN when the commit may have been lost.
 */
export async function settle(system: System, claim: Claim, waitSeconds: number): Promise<Settlement> {
  const settlement = claim.past ? await claimPast(system, claim) : await claimOne(system, claim);
  try {
    return await waitForEnd(system, settlement.id, waitSeconds);
  } catch (err) {
    // The claim is committed even if waiting failed: any answer but "pending" could make the buyer pay twice.
    system.log.warn({ settlementId: settlement.id, err }, "settlement.watch_failed");
    return settlement;
  }
}

async function claimPast(system: System, claim: Claim): Promise<Settlement> {
  const [settlement] = await claimTogether(system, [claim], async () => {});
  // One settlement per claim.
  return settlement as Settlement;
}

type NewClaim = { id: SettlementId; claim: Claim };
type Alongside = (tx: Tx, ids: readonly SettlementId[]) => Promise<void>;

/**
 * Claims all of `claims` (1 to 100, on one network) in one database transaction, to be settled in one chain transaction or
 * not at all. `alongside` runs inside the database transaction. Returns the settlements in the order of the claims, without
 * waiting for their end. Throws PAYMENT_ALREADY_USED and SETTLEMENT_UNKNOWN like settle().
 * Why: docs/decisions.md, 84.
 */
export async function claimTogether(
  system: System,
  claims: readonly [Claim, ...Claim[]],
  alongside: Alongside,
): Promise<Settlement[]> {
  const { network } = claims[0];
  if (claims.length > BATCH_MAX || claims.some((claim) => claim.network !== network)) {
    throw new Error(`a group has at most ${BATCH_MAX} claims, all on one network`);
  }
  // Sorted, so that legs read back in id order are in the order of the claims.
  const ids = claims.map(() => newId("settlement")).sort();
  // `ids` has one entry per claim.
  const legs = claims.map((claim, index) => ({ claim, id: ids[index] as SettlementId }));
  const past = await readPast(system, network, claims);
  const settlements = await insertGroup(system, legs, past, alongside).catch(async (error: unknown) => {
    throw await claimError(system, ids[0], error);
  });
  await announceClaims(system, legs);
  return settlements;
}

/** What the caller is told when a claim failed. The commit may have succeeded: the payer can look the settlement up by its id. */
async function claimError(system: System, settlementId: SettlementId | undefined, error: unknown): Promise<unknown> {
  if (error instanceof Taken) return alreadyUsed((await findEarlier(system, error.claim))?.settlement ?? null);
  return error instanceof AppError ? error : settlementErrors.SETTLEMENT_UNKNOWN({ settlementId }, error);
}

async function announceClaims(system: System, legs: readonly NewClaim[]): Promise<void> {
  for (const network of new Set(legs.map(({ claim }) => claim.network)))
    notifySoon(system, "settlement_claimed", network);
  for (const { claim } of legs) if (claim.ownerId) announceSoon(system, claim.ownerId, "settlement.claimed");
  await failpoint("settlement.claimed");
}

type SharedClaim = NewClaim & { system: System };
type SharedOutcome = { type: "claimed"; settlement: Settlement } | { type: "failed"; error: unknown };

const CLAIMS_AT_ONCE_MAX = 50;

/** Claims of one moment for the same thing share a transaction: they lock the same rows, and each statement costs once. */
const claimShared = batchedBy<SharedClaim, SharedOutcome>(
  ({ claim: { network, purpose, subject } }) => `${network} ${purpose} ${subject}`,
  (db) => (claims) => transactTogether(db, claims, insertShared, (error): SharedOutcome => ({ type: "failed", error })),
  CLAIMS_AT_ONCE_MAX,
);

async function claimOne(system: System, claim: Claim): Promise<Settlement> {
  const leg = { id: newId("settlement"), claim };
  const outcome = await claimShared(system.db, { ...leg, system });
  if (outcome.type === "failed") throw await claimError(system, leg.id, outcome.error);
  await announceClaims(system, [leg]);
  return outcome.settlement;
}

async function insertShared(tx: Tx, claims: readonly SharedClaim[]): Promise<SharedOutcome[]> {
  // All of one process, whose parts are the same.
  const { system } = claims[0] as SharedClaim;
  const time = system.now();
  const claimed = await insertRows(tx, system, claims, null, time);
  const fresh = claims.filter(({ id }) => claimed.has(id));
  if (fresh.length > 0) await runHandlers(tx, system, fresh, time);
  return claims.map(({ id, claim }) => {
    const settlement = claimed.get(id);
    if (!settlement) return { type: "failed", error: new Taken(claim) };
    return { type: "claimed", settlement };
  });
}

/** Thrown to roll the claim back: one of its authorizations was claimed before. */
class Taken extends Error {
  override readonly name = "Taken";

  constructor(readonly claim: Claim) {
    super("claimed before");
  }
}

function insertGroup(
  system: System,
  legs: readonly NewClaim[],
  past: Past | null,
  alongside: Alongside,
): Promise<Settlement[]> {
  const time = system.now();
  const groupId = legs.length > 1 ? (legs[0]?.id ?? null) : null;
  return system.db.transaction(async (tx) => {
    // Before any other lock: the observer holds this one while it reverts the effects of replaced blocks.
    await past?.read.assertKept(tx);
    const claimed = await insertRows(tx, system, legs, groupId, time);
    const takenLeg = legs.find(({ id }) => !claimed.has(id));
    if (takenLeg) throw new Taken(takenLeg.claim);
    await runHandlers(tx, system, legs, time);
    await alongside(
      tx,
      legs.map(({ id }) => id),
    );
    if (past) await apply(tx, system, { transfers: past.transfers, cancellations: [] });
    // Every leg is in the map: otherwise Taken was thrown.
    return legs.map(({ id }) => claimed.get(id) as Settlement);
  });
}

/** Inserts the settlements of proofs that were not claimed before, and returns them by id. */
async function insertRows(
  tx: Tx,
  system: System,
  legs: readonly NewClaim[],
  groupId: SettlementId | null,
  time: Date,
): Promise<Map<SettlementId, Settlement>> {
  // A fixed lock order: two transactions that share authorizations wait for each other without a deadlock.
  const inOrder = legs.toSorted((a, b) => (authorizationName(a) < authorizationName(b) ? -1 : 1));
  const rows = inOrder.map((leg) => ({ ...rowOf(system, leg), groupId, createdAt: time }));
  return new Map((await store.claim(tx, rows)).map((row) => [row.id, row]));
}

async function runHandlers(tx: Tx, { subscribers }: System, legs: readonly NewClaim[], time: Date): Promise<void> {
  const proofs = legs.map(({ id, claim }): ClaimedProof => {
    const { network, purpose, subject, agentId = null, ownerId = null } = claim;
    const { from, nonce } = claim.authorization;
    return { network, from, nonce, settlementId: id, purpose, subject, agentId, ownerId };
  });
  for (const subscriber of subscribers) await subscriber.claimed?.(tx, proofs, time);
  for (const { id, claim } of inTurn(legs)) await claim.alongside?.(tx, id);
}

const inTurn = (legs: readonly NewClaim[]): NewClaim[] =>
  legs.toSorted((a, b) => ((a.claim.turn ?? "") < (b.claim.turn ?? "") ? -1 : 1));

type Past = { transfers: Transfer[]; read: ReadBlocks };

/** Past transfers in blocks that the observer has already read, to apply with the claim. The observer will read later blocks itself. */
async function readPast(system: System, network: NetworkName, claims: readonly Claim[]): Promise<Past | null> {
  const past = claims.flatMap((claim) => claim.past ?? []);
  if (past.length === 0) return null;
  const observedBlocks = await readBlocks(
    system,
    network,
    past.map(({ block }) => block),
  );
  return { transfers: past.filter(({ block }) => observedBlocks.has(block)), read: observedBlocks };
}

const authorizationName = ({ claim }: NewClaim) => `${claim.authorization.from} ${claim.authorization.nonce}`;

/** Without a deployment that the service does not run: its factory's transfers under way count against the factory. */
function storedSignature({ config }: System, { network, authorization, signature: presented }: Claim) {
  const { signatureKind, signature, deployment } = typedSignature(network, authorization, presented);
  return { signatureKind, signature, ...allowedDeployment(config, deployment) };
}

function rowOf(system: System, { id, claim }: NewClaim) {
  const { authorization: a, network, purpose, subject, agentId, ownerId, resource, description } = claim;
  const { past, readTo } = claim;
  return {
    id,
    network,
    ...storedSignature(system, claim),
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
    ...(past ? { pastTo: past.block.number - 1n } : readTo !== undefined && { readTo }),
  };
}

/**
 * For each authorization of our own wallets, in order: the transfer it already made, "none" when it was cancelled, null when
 * it is unused. Throws ChainUnavailable.
 */
export async function pastTransfers(
  { chains }: System,
  network: NetworkName,
  keys: readonly { payer: Address; nonce: `0x${string}` }[],
): Promise<(Transfer | "none" | null)[]> {
  const isUsed = await chains[network].authorizationStates([...keys]);
  return Promise.all(keys.map((key, index) => (isUsed[index] ? pastTransfer(chains[network], key) : null)));
}

/** The error for a proof whose nonce the settlement `used` has claimed, with the same signature or another. */
export const alreadyUsed = (used: Settlement | null) =>
  settlementErrors.PAYMENT_ALREADY_USED({
    settlementId: used?.id,
    settlementStatus: used && publicStatus(used.state),
    txHash: used && visibleTxHash(used),
    ...stillValid(used),
  });

/** The error for a proof that is used or cancelled on the chain and has no settlement here. */
export const spentElsewhere = () =>
  settlementErrors.PAYMENT_ALREADY_USED({
    message:
      "The chain shows that this proof was used or cancelled, and it has no settlement here. Do not sign again before you have checked the payer's transfers: it may have paid",
  });

/** Error details of a declined settlement. */
export function stillValid(settlement: Settlement | null): { stillValidUntil?: string } {
  const until = settlement && stillValidUntil(settlement);
  return until ? { stillValidUntil: until.toISOString() } : {};
}

/** Returns the settlement once it is no longer open, or after `waitSeconds`. Throws SETTLEMENT_NOT_FOUND. */
export async function waitForEnd(system: System, id: SettlementId, waitSeconds: number): Promise<Settlement> {
  const deadline = Date.now() + waitSeconds * 1000;
  for (;;) {
    const ended = whenEnded(system, id, Math.max(0, deadline - Date.now()));
    try {
      const row = await findTogether(system.db, id);
      if (!row) throw settlementErrors.SETTLEMENT_NOT_FOUND();
      if (!isOpen(row) || Date.now() >= deadline) return row;
      await ended.promise;
    } finally {
      ended.cancel();
    }
  }
}

/** Throws SETTLEMENT_NOT_FOUND. */
export async function get(system: System, id: SettlementId): Promise<Settlement> {
  const row = await store.find(system.db, id);
  if (!row) throw settlementErrors.SETTLEMENT_NOT_FOUND();
  return row;
}

/** Whether the owner has received a single sale of STRANGER_BELOW or more on a network with real money. */
export const hasEarned = (db: Db, ownerId: OwnerId): Promise<boolean> =>
  store.hasSettledFor(db, ownerId, STRANGER_BELOW);

/**
 * Whether the transfer is in a block at least CONFIRMATIONS deep, counting its own. We assume that no reorganisation is
 * deeper, so none can revert it.
 */
export async function isFinal({ db, config }: System, settlement: Settlement): Promise<boolean> {
  const { state, network, blockNumber } = settlement;
  const cursor = await store.cursor(db, network);
  if (state !== "settled" || blockNumber === null || !cursor) return false;
  return cursor.blockNumber - blockNumber + 1n >= BigInt(config.confirmations);
}

const RECHECK_MS = 1000;

type Wake = () => void;
/** Calls `wake` when the settlement may have ended. Returns the function that stops watching. */
type Watch = (id: SettlementId, wake: Wake) => () => void;

const watches = new WeakMap<Hub, Watch>();

/** Finds a settlement. Concurrent calls share one query. */
const findTogether = batchedOn(store.finder);

/** Resolves when the settlement may have ended, and after `ms` at the latest. */
function whenEnded(system: Pick<System, "hub" | "db">, id: SettlementId, ms: number) {
  const watch = watches.get(system.hub) ?? openWatch(system);
  watches.set(system.hub, watch);
  let cancel = () => {};
  const promise = new Promise<void>((resolve) => {
    cancel = () => {
      clearTimeout(timer);
      unwatch();
      resolve();
    };
    const timer = setTimeout(cancel, ms);
    const unwatch = watch(id, cancel);
  });
  return { promise, cancel };
}

/** One listener and one repeated query for all settlements that the requests of a process wait for. */
function openWatch({ hub, db }: Pick<System, "hub" | "db">): Watch {
  const waiting = new Map<SettlementId, Set<Wake>>();
  let timer: NodeJS.Timeout | null = null;

  const wakeAll = (id: SettlementId) => {
    for (const wake of [...(waiting.get(id) ?? [])]) wake();
  };
  // A lost connection may have dropped the message.
  const scheduleRecheck = () => {
    if (timer) return;
    timer = setTimeout(async () => {
      const ids = [...waiting.keys()];
      // If the query fails, wake every request: each one then reads its own settlement.
      const endedIds = await store.listEnded(db, ids).catch(() => ids);
      endedIds.forEach(wakeAll);
      timer = null;
      if (waiting.size > 0) scheduleRecheck();
    }, RECHECK_MS).unref();
  };

  // The payload is an id that this service wrote.
  hub.on("settlement_ended", (id) => wakeAll(id as SettlementId));
  return (id, wake) => {
    const wakes = waiting.get(id) ?? new Set();
    waiting.set(id, wakes.add(wake));
    scheduleRecheck();
    return () => {
      wakes.delete(wake);
      if (wakes.size === 0 && waiting.get(id) === wakes) waiting.delete(id);
    };
  };
}
