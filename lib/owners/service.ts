import { type Hex, hashMessage, recoverAddress } from "viem";
import { type Address, toAddress } from "@/lib/core/address";
import { newId, randomText } from "@/lib/core/ids";
import { addSeconds } from "@/lib/core/time";
import type { Owner, System } from "@/lib/platform/context";
import { record } from "@/lib/platform/events";
import { canonicalSignature } from "@/lib/x402/signature";
import { isForUs, NONCE_SECONDS, readMessage } from "./rules";
import { readSession, type Session, type SignInProof, sessionToken } from "./session";
import * as sessions from "./sessions";
import * as store from "./store";

/** A nonce that one sign-in may use within ten minutes. */
export async function signInNonce(system: System): Promise<string> {
  const now = system.now();
  const nonce = randomText();
  await store.dropExpiredNonces(system.db, now);
  await store.addNonce(system.db, nonce, addSeconds(now, NONCE_SECONDS));
  return nonce;
}

/** A session for the owner who signed an EIP-4361 message for this site, new or known; null whatever is wrong with it. */
export async function signIn(
  system: System,
  proof: SignInProof,
  userAgent: string | null = null,
): Promise<Session | null> {
  const now = system.now();
  const message = readMessage(proof.message);
  if (!message || !isForUs(message, system.config.baseUrl, now)) return null;
  // Used up before the signature is looked at: asking a contract account costs a call to the chain.
  if (!(await store.takeNonce(system.db, message.nonce, now))) return null;
  const { address } = message;
  if (!(await isSignatureOf(system, address, hashMessage(proof.message), proof.signature))) return null;
  return system.db.transaction(async (tx) => {
    const ownerId = await store.signIn(tx, address, newId("owner"), now);
    const sessionId = await sessions.open(tx, ownerId, userAgent, now);
    await record(tx, now, { type: "owner.signed_in", subject: ownerId, ownerId });
    return { ownerId, address, sessionId };
  });
}

/** The owner whose session cookie a request carries, or null. */
export const ownerOfRequest = (system: System, req: Request): Promise<Owner | null> =>
  ownerOfCookies(system, req.headers.get("cookie"));

/** The owner whose session a `Cookie` header carries, or null. */
export async function ownerOfCookies(system: System, cookieHeader: string | null): Promise<Owner | null> {
  const token = sessionToken(cookieHeader, system.config.baseUrl);
  const session = token && (await readSession(token, system.config.sessionSecret));
  const owner = session && (await sessions.ownerOf(system, session.sessionId));
  return owner && owner.ownerId === session.ownerId && owner.address === session.address ? owner : null;
}

/**
 * Whether `address` has signed `digest`: its key did, or its contract accepts the signature (EIP-1271). A contract account is
 * asked on Base whatever chain the message names: the contract at the same address of a test
 * network may be somebody else's.
 */
export async function isSignatureOf(system: System, address: Address, digest: Hex, signature: Hex): Promise<boolean> {
  if ((await signerOf(digest, signature)) === address) return true;
  return system.chains.base.acceptsSignature(address, digest, signature);
}

async function signerOf(digest: Hex, signature: Hex): Promise<Address | null> {
  const canonical = canonicalSignature(signature);
  // viem throws when r or s is out of range: no key made this signature.
  const signer = canonical && (await recoverAddress({ hash: digest, signature: canonical }).catch(() => null));
  return signer && toAddress(signer);
}
