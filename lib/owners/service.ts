import { type Hex, hashMessage } from "viem";
import type { Address } from "@/lib/core/address";
import { newId, randomText } from "@/lib/core/ids";
import { addSeconds } from "@/lib/core/time";
import { limit } from "@/lib/http/limit";
import { isSignedByAccount } from "@/lib/platform/account-signature";
import type { Owner, System } from "@/lib/platform/context";
import { record } from "@/lib/platform/events";
import { takeTurn } from "@/lib/platform/limiter";
import { DEFAULT_NETWORK } from "@/lib/x402/networks";
import { isForThisSite, NONCE_SECONDS, readMessage } from "./rules";
import { readSession, type Session, type SignInProof } from "./session";
import * as sessions from "./sessions";
import * as store from "./store";

/** A nonce for one sign-in within ten minutes. */
export async function signInNonce(system: System): Promise<string> {
  const now = system.now();
  const nonce = randomText();
  await store.addNonce(system.db, { nonce, expiresAt: addSeconds(now, NONCE_SECONDS) }, now);
  return nonce;
}

/**
 * Signs in the signer of an EIP-4361 message for this site, as a new or existing owner. Null if the message or signature is invalid.
 * `caller` is the client address that limits are counted for. Throws rate_limited.
 */
export async function signIn(
  system: System,
  proof: SignInProof,
  caller: string,
  userAgent: string | null = null,
): Promise<Session | null> {
  const now = system.now();
  const message = readMessage(proof.message);
  if (!message || !isForThisSite(message, system.config.baseUrl, now)) return null;
  // Uses the nonce up before the signature is checked: for a contract account the check costs a call to the chain.
  if (!(await store.takeNonce(system.db, message.nonce, now))) return null;
  const { address } = message;
  const isSigned = await isSignatureOf(system, address, hashMessage(proof.message), proof.signature, () =>
    limit(system, "contract_sign_in_per_address", caller),
  );
  if (!isSigned) return null;
  if (!(await store.isKnown(system.db, address))) await limit(system, "new_owner_per_address", caller);
  return system.db.transaction(async (tx) => {
    const ownerId = await store.signIn(tx, address, newId("owner"), now);
    const sessionId = await sessions.open(tx, ownerId, userAgent, now);
    await record(tx, now, { type: "owner.signed_in", subject: ownerId, ownerId });
    return { ownerId, address, sessionId };
  });
}

/** Counts an attempt to sign in. Returns null, or the seconds until the next one is allowed. */
export const takeSignInTurn = (system: System, caller: string): null | Promise<number | null> =>
  takeTurn(system, "sign_in_per_address", caller);

/** The owner of a request's session cookie, or null. */
export const ownerOfRequest = (system: System, req: Request): Promise<Owner | null> =>
  ownerOfCookies(system, req.headers.get("cookie"));

/** The owner of the session in a `Cookie` header, or null. */
export async function ownerOfCookies(system: System, cookieHeader: string | null): Promise<Owner | null> {
  const session = await readSession(system, cookieHeader);
  const owner = session && (await sessions.ownerOf(system, session.sessionId));
  return owner && owner.ownerId === session.ownerId && owner.address === session.address ? owner : null;
}

/**
 * Whether `address` signed `digest`: with its key, or as a contract that accepts the signature (EIP-1271). A contract
 * account is always checked on Base, whatever chain the message names: on a test network the contract at the same address
 * may belong to someone else. `beforeChainCall` runs before the node is called and may throw.
 */
export const isSignatureOf = (
  system: System,
  address: Address,
  digest: Hex,
  signature: Hex,
  beforeChainCall?: () => Promise<void>,
): Promise<boolean> =>
  isSignedByAccount(system, { network: DEFAULT_NETWORK, account: address, digest, signature }, beforeChainCall);
