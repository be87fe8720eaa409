import { encodePacked, type Hex, keccak256, toHex } from "viem";
import { subtract, type Usdc, ZERO } from "@/lib/core/money";
import { unixSeconds } from "@/lib/core/time";
import type { Call } from "@/lib/platform/chain";
import type { System } from "@/lib/platform/context";
import type { RelayerJob } from "@/lib/settlements/relayer/job";
import { signAuthorization } from "@/lib/x402/signature";
import { submission } from "@/lib/x402/submission";
import { pocketSealName, signedByVault } from "./keys";
import * as operations from "./operation-store";
import type { SignedVault } from "./terms";

const VALID_SECONDS = 300;

/**
 * Moves the amount missing to `total` from the vault to its pocket, a payment like any other to the vault. Null if nothing is
 * missing.
 */
export async function fillCall(
  { system, chain }: RelayerJob,
  vault: SignedVault,
  operationId: number,
  total: Usdc,
): Promise<Call | null> {
  const { address: from, network, terms } = vault;
  const to = pocketOf(vault);
  const [pocketBalance = ZERO] = await chain.balances([to]);
  const value = subtract(total, pocketBalance);
  if (value <= ZERO) return null;
  const nonce = fillNonce(vault, operationId);
  const until = Math.min(unixSeconds(system.now()) + VALID_SECONDS, terms.end);
  const validBefore = BigInt(until);
  const authorization = { from, to, value, validAfter: 0n, validBefore, nonce };
  // Before a node sees the signature: from then on anyone may submit it.
  await operations.changeWaiting(system.db, operationId, { validBefore });
  return submission(network, authorization, signedByVault(system, vault, authorization));
}

/** The nonce of an operation that fills the pocket. All attempts share it, so the token accepts at most one. */
export const fillNonce = ({ mandateId }: SignedVault, operationId: number): Hex =>
  keccak256(encodePacked(["string", "uint256"], [`fill ${mandateId}`, BigInt(operationId)]));

/** Moves the pocket's balance back to the vault, or to the owner once the vault pays nothing more. Null if the pocket is empty. */
export async function emptyCall({ system, chain }: RelayerJob, vault: SignedVault): Promise<Call | null> {
  const { network, address, terms, state } = vault;
  const from = pocketOf(vault);
  const [value = ZERO] = await chain.balances([from]);
  if (value === ZERO) return null;
  const to = state === "open" ? address : terms.owner;
  const nonce = toHex(crypto.getRandomValues(new Uint8Array(32)));
  const validBefore = BigInt(unixSeconds(system.now()) + VALID_SECONDS);
  const authorization = { from, to, value, validAfter: 0n, validBefore, nonce };
  return submission(network, authorization, signAuthorization(network, authorization, pocketKeyOf(system, vault)));
}

function pocketOf({ pocket, mandateId }: SignedVault) {
  if (pocket === null) throw new Error(`the vault of ${mandateId} has no pocket`);
  return pocket;
}

/** The private key of a vault's pocket. */
export function pocketKeyOf({ vault: secrets }: System, vault: SignedVault): Hex {
  if (vault.sealedPocketKey === null) throw new Error(`the vault of ${vault.mandateId} has no pocket`);
  return secrets.open(vault.sealedPocketKey, pocketSealName(vault)) as Hex;
}
