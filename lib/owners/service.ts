import { type Hex, hashMessage, recoverAddress } from "viem";
import { type Address, toAddress } from "@/lib/core/address";
import { newId, type OwnerId, randomText } from "@/lib/core/ids";
import type { LimitName } from "@/lib/core/limits";
import { addSeconds } from "@/lib/core/time";
import { edgeErrors } from "@/lib/http/errors";
import type { Owner, System } from "@/lib/platform/context";
import { record } from "@/lib/platform/events";
import { takeTurn } from "@/lib/platform/limiter";
import { canonicalSignature } from "@/lib/x402/signature";
import { isForUs, NONCE_SECONDS, readMessage } from "./rules";
import { readSession, type SignInProof, sessionToken } from "./session";
import * as store from "./store";

/** A nonce that one sign-in may use within ten minutes. */
export async function signInNonce(system: System): Promise<string> {
  const now = system.now();
  const nonce = randomText();
  await store.dropExpiredNonces(system.db, now);
  await store.addNonce(system.db, nonce, addSeconds(now, NONCE_SECONDS));
  return nonce;
}

/**
 * The owner who signed an EIP-4361 message for this site, new or known; null whatever is wrong with it. `caller` is the
 * client address that the attempt is counted for. Throws rate_limited.
 */
export async function signIn(
  system: System,
  proof: SignInProof,
  caller: string,
): Promise<{ ownerId: OwnerId; address: Address } | null> {
  const now = system.now();
  const message = readMessage(proof.message);
  if (!message || !isForUs(message, system.config.baseUrl, now)) return null;
  // Used up before the signature is looked at: asking a contract account costs a call to the chain.
  if (!(await store.takeNonce(system.db, message.nonce, now))) return null;
  const { address } = message;
  if (!(await hasSigned(system, address, proof, caller))) return null;
  if (!(await store.isKnown(system.db, address))) await assertTurn(system, "new_owner_per_address", caller);
  const ownerId = await system.db.transaction(async (tx) => {
    const ownerId = await store.signIn(tx, address, newId("owner"), now);
    await record(tx, now, { type: "owner.signed_in", subject: ownerId, ownerId });
    return ownerId;
  });
  return { ownerId, address };
}

/** Counts an attempt to sign in. Null, or the seconds until the next one is allowed. */
export const takeSignInTurn = (system: System, caller: string): null | Promise<number | null> =>
  takeTurn(system, "sign_in_per_address", caller);

/** The owner whose session cookie a request carries, or null. */
export const ownerOfRequest = (system: System, req: Request): Promise<Owner | null> =>
  ownerOfCookies(system, req.headers.get("cookie"));

/** The owner whose session a `Cookie` header carries, or null. */
export async function ownerOfCookies(system: System, cookieHeader: string | null): Promise<Owner | null> {
  const token = sessionToken(cookieHeader);
  const session = token && (await readSession(token, system.config.sessionSecret));
  const owner = session && (await ownerById(system, session.ownerId));
  return owner && owner.address === session.address ? owner : null;
}

export async function ownerById(system: System, ownerId: OwnerId): Promise<Owner | null> {
  const row = await store.find(system.db, ownerId);
  return row && { type: "owner", ownerId: row.id, address: row.address };
}

/**
 * A contract account is asked on Base whatever chain the message names: the contract at the same address of a test
 * network may be somebody else's.
 */
async function hasSigned(
  system: System,
  address: Address,
  { message, signature }: SignInProof,
  caller: string,
): Promise<boolean> {
  const digest = hashMessage(message);
  if ((await signerOf(digest, signature)) === address) return true;
  await assertTurn(system, "contract_sign_in_per_address", caller);
  return system.chains.base.acceptsSignature(address, digest, signature);
}

/** Throws rate_limited. */
async function assertTurn(system: System, limit: LimitName, caller: string): Promise<void> {
  const retryAfterSeconds = await takeTurn(system, limit, caller);
  if (retryAfterSeconds !== null) throw edgeErrors.rate_limited({ retryAfterSeconds });
}

async function signerOf(digest: Hex, signature: Hex): Promise<Address | null> {
  const canonical = canonicalSignature(signature);
  // viem throws when r or s is out of range: no key made this signature.
  const signer = canonical && (await recoverAddress({ hash: digest, signature: canonical }).catch(() => null));
  return signer && toAddress(signer);
}
