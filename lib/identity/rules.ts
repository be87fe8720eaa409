import { z } from "zod";
import { agentId } from "@/lib/core/id-text";
import { type AgentId, newId } from "@/lib/core/ids";
import { parseJson } from "@/lib/core/json";
import { addSeconds, fromUnixSeconds, unixSeconds } from "@/lib/core/time";
import type { signingKeys } from "./tables";

export type SigningKey = typeof signingKeys.$inferSelect;

export const ISSUER = "service-agent-did";
/** The max-age of the JWKS. */
export const JWKS_CACHE_SECONDS = 300;
/** A key is published this many seconds before it signs: some verifiers cache the JWKS for twice its max-age. */
export const LEAD_SECONDS = 3 * JWKS_CACHE_SECONDS;
const ROTATION_SECONDS = 30 * 86_400;
/** Maximum lifetime of a credential, in seconds. */
export const CREDENTIAL_SECONDS_MAX = 86_400;
/** In bytes of UTF-8. */
export const CHALLENGE_BYTES_MAX = 4096;
/** In bytes of UTF-8. The audience is part of an event that is kept for a long time. */
export const AUDIENCE_BYTES_MAX = 2048;
const CLOCK_SKEW_SECONDS = 60;

/** The key that signs at `now`: the most recently activated one; of several activated at the same time, the one that retires last. */
export function activeKey<K extends SigningKey>(keys: readonly K[], now: Date): K | null {
  const ends = (key: K) => key.retiredAt?.getTime() ?? Number.MAX_SAFE_INTEGER;
  const begun = keys.filter((key) => key.activeFrom <= now);
  return begun.toSorted((a, b) => b.activeFrom.getTime() - a.activeFrom.getTime() || ends(b) - ends(a))[0] ?? null;
}

/** The published key that is not active yet, or null. */
export const nextKey = <K extends SigningKey>(keys: readonly K[], now: Date): K | null =>
  keys.find((key) => key.activeFrom > now) ?? null;

/** The key to publish at `now`, and the keys to drop because no valid token was signed by them. */
export type Upkeep = { publish: { activeFrom: Date } | null; drop: string[] };

/** The very first key signs at once: no verifier has cached an older key set. Every later key is published in advance. */
export function upkeep(keys: readonly SigningKey[], now: Date, loginSeconds: number): Upkeep {
  const active = activeKey(keys, now);
  const drop = keys
    .filter((key) => key.kid !== active?.kid && key.retiredAt && lastUse(key.retiredAt, loginSeconds) <= now)
    .map((key) => key.kid);
  if (!active) return { publish: { activeFrom: now }, drop };
  if (nextKey(keys, now)) return { publish: null, drop };
  return { publish: { activeFrom: later(addSeconds(active.activeFrom, ROTATION_SECONDS), earliestUse(now)) }, drop };
}

/** When the last token signed by a key that retired at `retiredAt` has expired. */
const lastUse = (retiredAt: Date, loginSeconds: number): Date =>
  addSeconds(retiredAt, Math.max(CREDENTIAL_SECONDS_MAX, loginSeconds) + CLOCK_SKEW_SECONDS);

/** A published key and the end of its current state; `until` is null while that is undecided. */
export type KeyState = { kid: string; state: "next" | "active" | "retired"; until: Date | null };

/** The state of each key at `now`, in the order active, next, retired. */
export function keyStates(keys: readonly SigningKey[], now: Date, loginSeconds: number): KeyState[] {
  const active = activeKey(keys, now);
  const newestFirst = keys.toSorted((a, b) => b.activeFrom.getTime() - a.activeFrom.getTime());
  const states = newestFirst.map(({ kid, activeFrom, retiredAt }): KeyState => {
    if (kid === active?.kid) return { kid, state: "active", until: retiredAt };
    if (activeFrom > now) return { kid, state: "next", until: activeFrom };
    return { kid, state: "retired", until: retiredAt && lastUse(retiredAt, loginSeconds) };
  });
  return ORDER.flatMap((state) => states.filter((key) => key.state === state));
}

const ORDER = ["active", "next", "retired"] as const;

/** The time when a key published at `publishedAt` is in every verifier's cache. */
export const earliestUse = (publishedAt: Date): Date => addSeconds(publishedAt, LEAD_SECONDS);

export const later = (a: Date, b: Date): Date => (a > b ? a : b);

/**
 * A compact JWS with a 2048-bit RS256 signature. The last base64url character of the signature carries only two bits; `[AQgw]` are
 * the four whose unused bits are zero, so that one signature has one text. The payload has room for the longest challenge and audience
 * with every byte written as `\uXXXX`.
 */
const COMPACT = /^([\w-]{1,1024})\.([\w-]{1,52000})\.[\w-]{341}[AQgw]$/;

const joseHeader = z.object({
  alg: z.literal("RS256"),
  kid: z.string().min(1).max(128),
  typ: z.unknown(),
  crit: z.undefined().optional(),
  b64: z.undefined().optional(),
});

export type TokenHeader = { kid: string; typ: unknown };

/** The header of a compact JWS that may have been signed by this service, or null. Ignores keys in the header (jwk, jku, x5u, x5c). */
export function readHeader(token: string): TokenHeader | null {
  const [, protectedPart = "", payload = ""] = COMPACT.exec(token) ?? [];
  if (!isCanonical(protectedPart) || !isCanonical(payload)) return null;
  const header = joseHeader.safeParse(decodeJson(Buffer.from(protectedPart, "base64url")));
  return header.success ? { kid: header.data.kid, typ: header.data.typ } : null;
}

/** The last character can carry bits that decoders ignore: of all spellings of the same bytes only one is accepted. */
const isCanonical = (text: string): boolean => Buffer.from(text, "base64url").toString("base64url") === text;

const loginClaims = z.object({
  agent_id: agentId,
  sub: z.string(),
  iss: z.literal(ISSUER),
  iat: z.int(),
  exp: z.int(),
  nbf: z.int().optional(),
});

/** The agent and issue time of verified login claims that are valid at `now`, or null. */
export function agentOfClaims(claims: unknown, now: Date): { agentId: AgentId; issuedAt: Date } | null {
  const login = loginClaims.safeParse(claims);
  if (!login.success) return null;
  const { agent_id, sub, iat, exp, nbf } = login.data;
  const seconds = unixSeconds(now);
  if (sub !== agent_id || !isAlive(iat, exp, seconds)) return null;
  return nbf === undefined || nbf <= seconds ? { agentId: agent_id, issuedAt: fromUnixSeconds(iat) } : null;
}

const isAlive = (iat: number, exp: number, seconds: number): boolean =>
  iat < exp && seconds < exp && iat <= seconds + CLOCK_SKEW_SECONDS;

/** The agent that logs in. `loginsFrom`: logins issued before this time are revoked. */
export type Login = { id: AgentId; email: string | null; loginsFrom: Date | null };

/** The claims of a login JWT issued at `now`, or at `loginsFrom` if that is later. */
export function claimsFor(agent: Login, now: Date, ttlSeconds: number) {
  const iat = Math.max(unixSeconds(now), agent.loginsFrom ? unixSeconds(agent.loginsFrom) : 0);
  return {
    agent_id: agent.id,
    sub: agent.id,
    ...(agent.email !== null && { email: agent.email }),
    iss: ISSUER,
    iat,
    exp: iat + ttlSeconds,
  };
}

/** The `typ` of the kinds of token that the service signs. Compared exactly, and only after the signature was verified. */
export const CREDENTIAL_TYP = "agent-vc";
export const LOGIN_TYP = "JWT";
/** States what was paid. No endpoint accepts it. */
export const RECEIPT_TYP = "receipt+jwt";
/** A payment of one purchase in service credits, valid once. */
export const CREDIT_TYP = "credit-payment+jwt";
/** The signed offers and receipts of the x402 extension `offer-receipt`. No endpoint accepts them. */
export const X402_OFFER_TYP = "x402-offer+jwt";
export const X402_RECEIPT_TYP = "x402-receipt+jwt";

/** Tells an upstream who paid for a request. No endpoint accepts it. */
export const PAID_REQUEST_TYP = "paid-request+jwt";

export type TokenType =
  | typeof CREDENTIAL_TYP
  | typeof LOGIN_TYP
  | typeof RECEIPT_TYP
  | typeof CREDIT_TYP
  | typeof X402_OFFER_TYP
  | typeof X402_RECEIPT_TYP
  | typeof PAID_REQUEST_TYP;

/** The claims of an issued credential. */
export const issuedClaims = z.strictObject({
  typ: z.literal(CREDENTIAL_TYP),
  sub: z.string().min(1),
  iss: z.literal(ISSUER),
  aud: z.string().min(1),
  jti: z.string().min(1),
  challenge: z.string().min(1),
  iat: z.int(),
  exp: z.int(),
});

/** The interface allows a verified credential two more claims, which this service never issues. */
export const credentialClaims = issuedClaims.extend({
  email: z.string().optional(),
  wallet_address: z.string().optional(),
});

export type Credential = z.output<typeof credentialClaims>;
export type CredentialRequest = { challenge: string; audience: string; ttlSeconds: number };

/** The claims of a credential issued at `now`. */
export function credentialFor(agentId: AgentId, request: CredentialRequest, now: Date): Credential {
  const iat = unixSeconds(now);
  return {
    typ: CREDENTIAL_TYP,
    sub: agentId,
    iss: ISSUER,
    aud: request.audience,
    jti: newId("credential"),
    challenge: request.challenge,
    iat,
    exp: iat + request.ttlSeconds,
  };
}

/** The credential in verified claims if it is valid at `now`, or null. */
export function readCredential(claims: unknown, now: Date): Credential | null {
  const credential = credentialClaims.safeParse(claims);
  if (!credential.success) return null;
  const { iat, exp } = credential.data;
  return isAlive(iat, exp, unixSeconds(now)) && exp - iat <= CREDENTIAL_SECONDS_MAX ? credential.data : null;
}

/** A verifier's expectations of a valid credential; undefined values are not checked. */
export type ExpectedCredential = { audience?: string | undefined; challenge?: string | undefined };
export type CredentialMismatch = "audience_mismatch" | "challenge_mismatch";

/** Exact comparison: case, trailing slashes and Unicode normal forms matter. */
export function mismatchOf({ aud, challenge }: Credential, expected: ExpectedCredential): CredentialMismatch | null {
  if (expected.audience !== undefined && expected.audience !== aud) return "audience_mismatch";
  if (expected.challenge !== undefined && expected.challenge !== challenge) return "challenge_mismatch";
  return null;
}

/** Parses JSON in UTF-8; undefined if invalid. */
export function decodeJson(bytes: Uint8Array): unknown {
  try {
    return parseJson(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
