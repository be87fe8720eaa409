import { decodeErrorResult, type Hex, isHex, toHex } from "viem";
import { add, type Usdc, ZERO } from "@/lib/core/money";
import { addSeconds, unixSeconds } from "@/lib/core/time";
import type { Call } from "@/lib/platform/chain";
import type { System } from "@/lib/platform/context";
import { LeaseLost } from "@/lib/platform/lease";
import { readBlocks, readUpTo } from "@/lib/settlements/observer/read-blocks";
import type { Pace, RelayerJob, Sender } from "@/lib/settlements/relayer/job";
import { chargeGas, coversGas } from "@/lib/settlements/relayer/payer-gas";
import { aloneGas } from "@/lib/settlements/relayer/settler";
import { sendCall } from "@/lib/settlements/relayer/transactions";
import {
  countCall,
  countSignedCall,
  openAndFundCall,
  openAndPullCall,
  pullCall,
  revokeSignedCall,
  withdrawCall,
} from "@/lib/vaults/calls";
import { isUncounted, pullTotal } from "@/lib/vaults/rules";
import { releasedBy } from "@/lib/vaults/terms";
import { countDigest, pullDigest } from "@/lib/vaults/typed-data";
import { signDigest } from "@/lib/x402/signature";
import { submission } from "@/lib/x402/submission";
import { FACTORY_ABI, VAULT_ABI } from "../../vaults/contracts";
import { readOwner } from "./chain";
import { keyOf, signedByVault } from "./keys";
import * as operations from "./operation-store";
import { emptyCall, fillCall, fillNonce } from "./pocket-calls";
import { isOpening } from "./rules";
import * as store from "./store";
import { type SignedVault, signedVault } from "./terms";

const AT_ONCE = 50;
/** Gas for one operation: more than opening, permit and pull need together, even if the owner is a contract that verifies the signatures. */
const OPERATION_GAS = 700_000n;
const RETRY_SECONDS = 2;
const RETRY_SECONDS_MAX = 60;
/** Refusals that end an operation: several, because a node that is behind may refuse what others accept. */
const REFUSED_MAX = 4;
const RETURN_SECONDS = 300;
/** The owner's earlier operation may take effect soon and free its gas. */
const OVER_BUDGET_SECONDS = 10;

/** Mempools reliably keep about sixteen transactions per account; payments need the others. */
const IN_FLIGHT_MAX = 6;

/**
 * Sends waiting operations of vaults, one transaction each. Whether they worked is read from the vault, not from a receipt.
 * Why: docs/decisions.md, 300.
 */
async function sendOperations(job: RelayerJob, isOver: () => boolean): Promise<Pace> {
  const { system, network } = job;
  await store.markStale(system.db, network, await operations.listClosed(system.db, network, AT_ONCE));
  const { sent: sentCount, inFlight } = await operations.countSent(system.db, network, job.signer);
  const due = await operations.listDue(system.db, network, system.now(), AT_ONCE);
  const resting = new Set<string>();
  let room = IN_FLIGHT_MAX - inFlight;
  for (const { operation, vault } of due) {
    if (room <= 0) break;
    if (isOver()) return "more";
    const signed = signedVault(vault);
    // One refusal counts for all openings of an owner: most often, the owner lacks the money.
    if (isOpening(operation) && resting.has(signed.terms.owner)) continue;
    const outcome = await submit(job, operation, signed).catch(async (err: unknown) => {
      if (err instanceof LeaseLost) throw err;
      // One operation must not delay the others.
      system.log.warn({ mandateId: vault.mandateId, kind: operation.kind, err }, "vault_operation.delayed");
      await operations.changeWaiting(system.db, operation.id, { retryAt: addSeconds(system.now(), RETRY_SECONDS) });
    });
    if (outcome === "sent") room -= 1;
    if (outcome === "refused" && isOpening(operation)) resting.add(signed.terms.owner);
  }
  return due.length > 0 || sentCount > 0 ? "underway" : "idle";
}

export const vaultSender: Sender = { hasWork: operations.hasLive, send: sendOperations };

type Outcome = "sent" | "refused" | "postponed";

async function submit(job: RelayerJob, operation: operations.VaultOperation, vault: SignedVault): Promise<Outcome> {
  const { system, chain, signer } = job;
  // The chain's clock can be behind ours. The opening would go without its first pull, and an open vault would not pay.
  if (isOpening(operation) && unixSeconds((await chain.head()).time) < vault.terms.start) {
    await operations.changeWaiting(system.db, operation.id, { retryAt: addSeconds(system.now(), RETRY_SECONDS) });
    return "postponed";
  }
  // A call to an address without code succeeds and does nothing.
  const call = vault.isDeployed || isOpening(operation) ? await callOf(job, operation, vault) : null;
  if (!call) {
    // Nothing to send: the next reading shows why.
    await store.markStale(system.db, vault.network, [vault.address]);
    await postpone(system, operation, null);
    return "postponed";
  }
  const gas = aloneGas(call, OPERATION_GAS);
  const spending = { network: vault.network, payer: vault.terms.owner, gas };
  const isSignedByOwner = isOpening(operation) || operation.kind === "revoke_signed";
  const [ownerCode = "0x"] = isSignedByOwner ? await chain.codes([vault.terms.owner]) : [];
  // The call runs the code at the owner's account to verify a signature. That code can make it fail every time.
  const isCharged = ownerCode !== "0x";
  if (isCharged && !(await coversGas(system, spending))) {
    const retryAt = addSeconds(system.now(), OVER_BUDGET_SECONDS);
    await operations.changeWaiting(system.db, operation.id, { retryAt });
    return "postponed";
  }
  const simulated = await chain.simulateAlone(signer, call, gas);
  if (!simulated.ok) {
    await handleRefusal(job, operation, vault, simulated.reason);
    return "refused";
  }
  await sendCall(
    job,
    { call, gas },
    {
      holds: (tx) => operations.lockWaiting(tx, operation.id),
      onStored: async (tx, key) => {
        if (isCharged) await chargeGas(tx, system, spending, key);
        await operations.change(tx, operation.id, { state: "sent", signer, relayerNonce: key.nonce });
      },
    },
  );
  return "sent";
}

async function handleRefusal(
  { system }: RelayerJob,
  operation: operations.VaultOperation,
  vault: SignedVault,
  reason: string,
) {
  const text = isHex(reason) ? nameOf(reason) : reason;
  const unknownRefusal: OperationRefusal = { next: "retry", failure: `The chain refused it: ${text.slice(0, 200)}` };
  const { next, failure } = REASONS.find(([pattern]) => pattern.test(text))?.[1] ?? unknownRefusal;
  const { mandateId, network, address } = vault;
  system.log.warn({ mandateId, kind: operation.kind, reason }, "vault_operation.refused");
  if (next !== "retry") await store.markStale(system.db, network, [address]);
  if (next === "used" && operation.kind === "fill_pocket") return endUsedFill(system, operation, vault);
  // Pulls and fills may end: the next payment that needs one requests it again, and none is sent while no payment waits for it.
  const canEnd = next === "end" || operation.kind === "fill_pocket" || (next === "retry" && operation.kind === "pull");
  const isOver = canEnd && operation.attempts + 1 >= REFUSED_MAX;
  if (!isOver && isOpening(operation)) return postponeOpenings(system, operation, vault, failure);
  if (!isOver) return postpone(system, operation, failure);
  // The next reading decides the vault's state.
  await operations.changeWaiting(system.db, operation.id, { state: "failed", failure });
}

/**
 * Ends a fill if its nonce was used as of a block that the observer has read. This happens when a block with the fill is
 * replaced, the fill is mined again, and the pocket pays before the vault is read. Only this operation signs with that nonce.
 */
async function endUsedFill(system: System, operation: operations.VaultOperation, vault: SignedVault): Promise<void> {
  const { network, address: payer } = vault;
  const cursor = await readUpTo(system, network);
  if (!cursor) return postpone(system, operation, null);
  const block = { number: cursor.blockNumber, hash: cursor.blockHash };
  const observedBlocks = await readBlocks(system, network, [block]);
  const key = { payer, nonce: fillNonce(vault, operation.id) };
  const wasUsed = observedBlocks.has(block) && (await system.chains[network].wasUsed(key, block.number));
  if (!wasUsed) return postpone(system, operation, null);
  await system.db.transaction(async (tx) => {
    await observedBlocks.assertKept(tx);
    await operations.changeWaiting(tx, operation.id, { state: "done", doneBlock: block.number });
  });
}

function postpone(system: System, { id, attempts }: operations.VaultOperation, failure: string | null): Promise<void> {
  const seconds = Math.min(RETRY_SECONDS * 2 ** attempts, RETRY_SECONDS_MAX);
  const retryAt = addSeconds(system.now(), seconds);
  return operations.changeWaiting(system.db, id, { attempts: attempts + 1, retryAt, ...(failure && { failure }) });
}

/** Postpones all openings of the owner, twice as long with each refusal of any of them. */
async function postponeOpenings(
  system: System,
  { id, attempts }: operations.VaultOperation,
  { network, terms: { owner } }: SignedVault,
  failure: string,
): Promise<void> {
  const refusals = await operations.countOpeningRefusals(system.db, network, owner);
  const retryAt = addSeconds(system.now(), Math.min(RETRY_SECONDS * 2 ** refusals, RETRY_SECONDS_MAX));
  await operations.changeWaiting(system.db, id, { attempts: attempts + 1, failure });
  await operations.postponeOpenings(system.db, network, owner, retryAt);
}

/** The call of an operation now; null if there is nothing to do. */
async function callOf(job: RelayerJob, o: operations.VaultOperation, vault: SignedVault): Promise<Call | null> {
  const { address, terms } = vault;
  const { amount, signature, validBefore } = o;
  switch (o.kind) {
    case "open_and_fund": {
      const owners = requireColumns(o, { amount, signature, validBefore });
      const funding = { value: owners.amount, validAfter: 0n, validBefore: owners.validBefore, nonce: terms.mandate };
      return openAndFundCall(terms, { ...funding, signature: owners.signature });
    }
    case "open_and_pull": {
      const owners = requireColumns(o, { amount, signature, validBefore });
      const permit = { allowance: owners.amount, deadline: owners.validBefore, signature: owners.signature };
      return openAndPullCall(terms, permit, await firstPull(job, vault));
    }
    case "pull":
      return pullCall(address, signedPull(job.system, vault, requireColumns(o, { amount }).amount));
    case "count":
      return countOf(job.system, vault);
    case "revoke_signed":
      return revokeSignedCall(address, requireColumns(o, { signature }).signature);
    case "withdraw":
      return withdrawCall(address);
    case "return":
      return returnCall(job, vault);
    case "fill_pocket":
      return fillCall(job, vault, o.id, requireColumns(o, { amount }).amount);
    case "empty_pocket":
      return emptyCall(job, vault);
    default:
      return o.kind satisfies never;
  }
}

type Given<T> = { [K in keyof T]: NonNullable<T[K]> };

function requireColumns<T extends object>({ id, kind }: operations.VaultOperation, columns: T): Given<T> {
  if (Object.values(columns).some((value) => value === null))
    throw new Error(`operation ${id} (${kind}) is incomplete`);
  return columns as Given<T>;
}

/**
 * The pull that is sent with the opening: at most one tranche. Null if the owner's wallet is empty, or if money that anyone sent to
 * the vault's address earlier covers what is released: the contract counts it as funded, and would revert with NothingToPull.
 */
async function firstPull({ system, chain }: RelayerJob, vault: SignedVault) {
  const { terms, address } = vault;
  const [{ balance, inVault: funded }, head] = await Promise.all([
    readOwner(chain, terms.owner, address),
    chain.head(),
  ]);
  const released = releasedBy(terms, unixSeconds(head.time));
  const total = pullTotal(terms, { funded, missing: ZERO }, { released, drawable: [balance] });
  return total === null ? null : signedPull(system, vault, total);
}

const signedPull = (system: System, vault: SignedVault, total: Usdc) => ({
  total,
  signature: signDigest(pullDigest(vault.network, vault.address, total), keyOf(system, vault)),
});

/** Null if the last reading showed nothing to count. The contract refuses a count that leads to less than it did then. */
function countOf(system: System, vault: SignedVault): Call | null {
  const { address, network, balance, spent, terms } = vault;
  if (terms.contractVersion === 1) return countCall(address);
  if (!isUncounted(vault)) return null;
  const total = add(balance, spent);
  const signature = signDigest(countDigest(network, address, total), keyOf(system, vault));
  return countSignedCall(address, { total, signature });
}

/** Sends the vault's balance to its owner, with our signature: before the vault's end, only the owner could do it otherwise. */
async function returnCall({ system, chain }: RelayerJob, vault: SignedVault): Promise<Call | null> {
  const { address: from, network, terms } = vault;
  const [value = ZERO] = await chain.balances([from]);
  if (value === ZERO) return null;
  const nonce = toHex(crypto.getRandomValues(new Uint8Array(32)));
  const validBefore = BigInt(unixSeconds(system.now()) + RETURN_SECONDS);
  const authorization = { from, to: terms.owner, value, validAfter: 0n, validBefore, nonce };
  return submission(network, authorization, signedByVault(system, vault, authorization));
}

/**
 * What to do when a simulation refuses an operation. `look`: read the chain: the operation may have taken effect, or never can.
 * `used`: the same, because a signature in it was used or cancelled. `retry`: it may work later. `end`: it can never work; because
 * a node may be behind, the operation ends only after several refusals.
 */
type OperationRefusal = { next: "used" | "look" | "retry" | "end"; failure: string };

/** Texts of Circle's FiatToken, and errors of the vault and its factory. */
const REASONS: [RegExp, OperationRefusal][] = [
  [/used or canceled/i, { next: "used", failure: "The signature was used or cancelled" }],
  [/NothingToPull/, { next: "look", failure: "The money had already come in" }],
  [/NothingToCount/, { next: "look", failure: "The money had already been counted, or is gone" }],
  [/exceeds balance/i, { next: "retry", failure: "The wallet of the owner did not hold enough USDC" }],
  [/exceeds allowance/i, { next: "end", failure: "The owner has withdrawn the permission to draw USDC" }],
  [/blacklisted/i, { next: "retry", failure: "The issuer of USDC has blocked an address" }],
  [/paused/i, { next: "retry", failure: "The issuer of USDC has paused it" }],
  [/expired/i, { next: "look", failure: "The signature ended before the chain accepted it" }],
  [
    /invalid signature|ECRecover|EIP2612/i,
    { next: "end", failure: "The signature is no longer valid: another permit was used since" },
  ],
  [/VaultRevoked/, { next: "end", failure: "The owner has revoked the vault on the chain" }],
  [/VaultEnded/, { next: "end", failure: "The mandate has ended" }],
  [/UnsoundTerms|WrongSignature/, { next: "end", failure: "The contract refuses these terms or signatures" }],
  [/OverReleased|NotReturnableYet/, { next: "retry", failure: "The chain's clock is behind" }],
];

/** The name of a vault or factory error; the bytes of any other error. */
function nameOf(data: Hex): string {
  try {
    return decodeErrorResult({ abi: [...VAULT_ABI, ...FACTORY_ABI], data }).errorName;
  } catch {
    return data;
  }
}
