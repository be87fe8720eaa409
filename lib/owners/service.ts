import { type Hex, hashMessage, recoverAddress } from "viem";
import { type Address, toAddress } from "@/lib/core/address";
import { newId, type OwnerId, randomText } from "@/lib/core/ids";
import { addSeconds } from "@/lib/core/time";
import type { Owner, System } from "@/lib/platform/context";
import { record } from "@/lib/platform/events";
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

/** The owner who signed an EIP-4361 message for this site, new or known; null whatever is wrong with it. */
export async function signIn(
  system: System,
  proof: SignInProof,
): Promise<{ ownerId: OwnerId; address: Address } | null> {
  const now = system.now();
  const message = readMessage(proof.message);
  if (!message || !isForUs(message, system.config.baseUrl, now)) return null;
  // Used up before the signature is looked at: asking a contract account costs a call to the chain.
  if (!(await store.takeNonce(system.db, message.nonce, now))) return null;
  const { address } = message;
  if (!(await hasSigned(system, address, proof))) return null;
  const ownerId = await system.db.transaction(async (tx) => {
    const ownerId = await store.signIn(tx, address, newId("owner"), now);
    await record(tx, now, { type: "owner.signed_in", subject: ownerId, ownerId });
    return ownerId;
  });
  return { ownerId, address };
}

/** The owner whose session cookie a request carries, or null. */
export const ownerOfRequest = (system: System, req: Request): Promise<Owner | null> =>
  ownerOfCookies(system, req.headers.get("cookie"));

/** The owner whose session a `Cookie` header carries, or null. */
export async function ownerOfCookies(system: System, cookieHeader: string | null): Promise<Owner | null> {
  const token = sessionToken(cookieHeader, system.config.baseUrl);
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
async function hasSigned(system: System, address: Address, { message, signature }: SignInProof): Promise<boolean> {
  const digest = hashMessage(message);
  if ((await signerOf(digest, signature)) === address) return true;
  return system.chains.base.acceptsSignature(address, digest, signature);
}

async function signerOf(digest: Hex, signature: Hex): Promise<Address | null> {
  const canonical = canonicalSignature(signature);
  // viem throws when r or s is out of range: no key made this signature.
  const signer = canonical && (await recoverAddress({ hash: digest, signature: canonical }).catch(() => null));
  return signer && toAddress(signer);
}
