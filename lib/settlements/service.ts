import { AppError } from "@/lib/core/errors";
import { type AgentId, newId, type OwnerId, type SettlementId } from "@/lib/core/ids";
import type { System } from "@/lib/platform/context";
import type { Tx } from "@/lib/platform/db";
import { type Event, record } from "@/lib/platform/events";
import { failpoint } from "@/lib/platform/failpoint";
import { notify } from "@/lib/platform/queue";
import { type Authorization, type AuthorizationKey, authorizationDigest } from "@/lib/x402/authorization";
import { NETWORKS, type NetworkName } from "@/lib/x402/networks";
import type { Requirement } from "@/lib/x402/requirement";
import { recoverPayer } from "@/lib/x402/signature";
import { settlementErrors } from "./errors";
import { publicStatus } from "./rules";
import type { Settlement } from "./store";
import * as store from "./store";
import type { OwnersPurpose, SettlementPurpose } from "./tables";

export type { Settlement } from "./store";

/** What is sold, and whose sale it is. */
export type Offer = {
  requirement: Requirement;
  purpose: SettlementPurpose;
  subject: string;
  /** The agent that sells it; absent when the service does. */
  agentId?: AgentId;
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
  resource: string;
  description: string;
  /** Written in the transaction of the claim. */
  alongside?: ((tx: Tx, id: SettlementId) => Promise<void>) | undefined;
};

/** Whether the signature is the payer's: an account's key made it, or the account's contract accepts it (EIP-1271). */
export async function isSignedByPayer(system: System, signed: SignedAuthorization): Promise<boolean> {
  const { network, authorization, signature } = signed;
  if (recoverPayer(network, authorization, signature) === authorization.from) return true;
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
  failpoint("settlement.claimed");
  try {
    return await waitForEnd(system, claimed.id, waitSeconds);
  } catch (err) {
    // The claim stands whatever became of the waiting: anything but "pending" would have it paid a second time.
    system.log.warn({ settlementId: claimed.id, err }, "settlement.unwatched");
    return claimed;
  }
}

async function claimProof(system: System, claim: Claim): Promise<Settlement> {
  const id = newId("settlement");
  const head = await headNumber(system, claim.network);
  const claimed = await insertClaim(system, id, claim, head).catch((thrown: unknown) => {
    if (thrown instanceof AppError) throw thrown;
    // Lost in mid-commit, perhaps: the id is how its payer finds out.
    throw settlementErrors.SETTLEMENT_UNKNOWN({ settlementId: id }, thrown);
  });
  if (claimed) return claimed;
  const { from, nonce } = claim.authorization;
  throw alreadyUsed(await findUse(system, { network: claim.network, from, nonce }));
}

function insertClaim(system: System, id: SettlementId, claim: Claim, head: bigint): Promise<Settlement | null> {
  const { authorization: a, network, signature, purpose, subject, agentId, resource, description, alongside } = claim;
  const at = system.now();
  return system.db.transaction(async (tx) => {
    const row = {
      id,
      network,
      signature,
      purpose,
      subject,
      agentId,
      resource,
      description,
      asset: NETWORKS[network].usdc,
      payer: a.from,
      nonce: a.nonce,
      payee: a.to,
      amount: a.value,
      validAfter: a.validAfter,
      validBefore: a.validBefore,
      createdAt: at,
    };
    const claimed = await store.claim(tx, row, head);
    if (!claimed) return null;
    const proof = {
      network,
      from: a.from,
      nonce: a.nonce,
      settlementId: id,
      purpose,
      subject,
      agentId: agentId ?? null,
    };
    for (const subscriber of system.subscribers) {
      await subscriber.claimed(tx, proof, at);
    }
    await alongside?.(tx, id);
    await notify(tx, "settlement_claimed", network);
    return claimed;
  });
}

const HEAD_MS_MAX = 1000;

/** The chain's newest block, since our own reading may lag behind; 0 when the node does not say so soon. */
async function headNumber(system: System, network: NetworkName): Promise<bigint> {
  const head = system.chains[network].head().then(
    (block) => block.number,
    () => 0n,
  );
  return Promise.race([head, new Promise<bigint>((resolve) => setTimeout(resolve, HEAD_MS_MAX, 0n))]);
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
    txHash: used?.state === "failed" ? null : used?.txHash,
  });

const LOOK_AGAIN_MS = 1000;

/** The settlement once it has ended, or as it stands after `waitSeconds`. */
export async function waitForEnd(system: System, id: SettlementId, waitSeconds: number): Promise<Settlement> {
  const deadline = Date.now() + waitSeconds * 1000;
  for (;;) {
    const ended = whenEnded(system, id, Math.min(LOOK_AGAIN_MS, Math.max(0, deadline - Date.now())));
    const row = await get(system, id);
    if (publicStatus(row.state) !== "pending" || Date.now() >= deadline) {
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

/** What /readyz tells of settlement: the queue of each network and relayers that stand still. */
export async function health(system: System) {
  const relayers = await store.allRelayers(system.db);
  const networks = Object.keys(system.chains) as NetworkName[];
  const queues = await Promise.all(
    networks.map(async (network) => {
      const [queue, cursor] = await Promise.all([store.backlog(system.db, network), store.cursor(system.db, network)]);
      return {
        network,
        open: queue.open,
        oldestSeconds: queue.oldest ? Math.round((system.now().getTime() - queue.oldest.getTime()) / 1000) : 0,
        readUpToBlock: cursor?.blockNumber ?? null,
      };
    }),
  );
  return { queues, paused: relayers.filter((relayer) => relayer.pausedReason !== null) };
}

/** Ends settlements that will not move money, in the caller's transaction. */
export async function endWithoutTransfer(
  tx: Parameters<typeof store.fail>[0],
  ids: SettlementId[],
  code: string,
  at: Date,
): Promise<void> {
  for (const row of await store.fail(tx, ids, code, at)) {
    await record(tx, at, settlementEvent("settlement.failed", row, { failureCode: code }), ...endEvents(row, "failed"));
    await notify(tx, "settlement_ended", row.id);
  }
}

/** An event for whom the settlement is about: the agent that was paid, or the owner whose own money moved. */
export function settlementEvent(type: string, row: Settlement, meta: Record<string, unknown>): Event {
  // The subject of these is the owner.
  const about = OWNERS.has(row.purpose) ? { ownerId: row.subject as OwnerId } : { agentId: row.agentId };
  return { type, subject: row.id, ...about, meta: { ...meta, purpose: row.purpose } };
}

const OWNERS: ReadonlySet<SettlementPurpose> = new Set<OwnersPurpose>(["deposit", "withdrawal", "credits"]);

/** What the end of a settlement is to the thing it paid for. */
export function endEvents(row: Settlement, end: "settled" | "failed"): Event[] {
  const { id: settlementId, purpose, subject, agentId, payer, payee, network } = row;
  const meta = { settlementId, amount: row.amount.toString(), network };
  if (purpose === "refund") return [{ type: `refund.${end}`, subject, agentId, meta: { ...meta, payee } }];
  return purpose === "link" && end === "settled"
    ? [{ type: "payment_link.paid", subject, agentId, meta: { ...meta, payer } }]
    : [];
}
