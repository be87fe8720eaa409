import { createHash } from "node:crypto";
import { agentErrors } from "@/lib/agents/errors";
import { agentById, agentForAuth, createAgent, getOwned } from "@/lib/agents/service";
import { agentByToken, agentOfToken, rotateToken as rotateAgentToken } from "@/lib/agents/tokens";
import { AppError } from "@/lib/core/errors";
import { agentId as agentIdText } from "@/lib/core/id-text";
import type { AgentId } from "@/lib/core/ids";
import { limit } from "@/lib/http/limit";
import type { Agent, Owner, System } from "@/lib/platform/context";
import { recordSoon } from "@/lib/platform/events";
import type { IssuedCredential } from "./contract";
import { identityErrors, refuseLogin, refuseToken } from "./errors";
import * as keys from "./keys";
import * as ring from "./ring";
import {
  AUDIENCE_BYTES_MAX,
  agentOfClaims,
  CHALLENGE_BYTES_MAX,
  CREDENTIAL_SECONDS_MAX,
  CREDENTIAL_TYP,
  CREDIT_TYP,
  type Credential,
  type CredentialMismatch,
  type CredentialRequest,
  claimsFor,
  credentialFor,
  type ExpectedCredential,
  ISSUER,
  issuedClaims,
  JWKS_CACHE_SECONDS,
  type KeyState,
  keyStates,
  LOGIN_TYP,
  type Login,
  mismatchOf,
  PAID_REQUEST_TYP,
  RECEIPT_TYP,
  readCredential,
  X402_OFFER_TYP,
  X402_RECEIPT_TYP,
} from "./rules";

export type Registration = { agentName: string; clientInfo: string; email: string | null };

/** Creates an agent. This is the only response with its token. */
export async function register(
  system: System,
  { agentName, clientInfo, email }: Registration,
): Promise<{ agentId: AgentId; token: string; jwt: string }> {
  const { agentId, token } = await createAgent(system, { name: agentName, clientInfo, email });
  return { agentId, token, jwt: await loginJwt(system, { id: agentId, email, loginsFrom: null }, system.now()) };
}

/** A new login JWT for an agent's permanent token. Throws invalid_token, agent_not_found, rate_limited. */
export async function refresh(system: System, proof: { agentId: string; token: string }): Promise<{ jwt: string }> {
  const time = system.now();
  const id = agentIdText.safeParse(proof.agentId);
  const agent = id.success ? await agentByToken(system, id.data, proof.token) : "missing";
  if (agent === "missing") throw identityErrors.agent_not_found();
  if (agent === "wrong_token") throw identityErrors.invalid_token();
  // Counted after the token was verified: an agent's id is public and must not be enough to lock it out.
  await limit(system, "refresh_per_agent", agent.id, identityErrors.rate_limited);
  return { jwt: await loginJwt(system, agent, time) };
}

/**
 * A new permanent token in exchange for the newest one, which stays valid for ten more minutes unless it is revoked. Throws
 * invalid_token, agent_not_found, rate_limited.
 */
export async function rotateToken(
  system: System,
  { agentId, token, revokesOld }: { agentId: string; token: string; revokesOld: boolean },
): Promise<{ token: string; jwt: string; oldTokenUntil: Date | null }> {
  const time = system.now();
  const id = agentIdText.safeParse(agentId);
  const agent = id.success ? await agentByToken(system, id.data, token) : "missing";
  if (agent === "missing") throw identityErrors.agent_not_found();
  if (agent === "wrong_token") throw identityErrors.invalid_token();
  await limit(system, "rotate_per_agent", agent.id, identityErrors.rate_limited);
  const rotated = await rotateAgentToken(system, agent.id, { type: "agent", proof: token }, revokesOld);
  if (rotated === "wrong_token") throw identityErrors.invalid_token();
  return { ...rotated, jwt: await loginJwt(system, { ...agent, loginsFrom: rotated.loginsFrom }, time) };
}

const TOKEN = /^tok_[0-9A-Za-z]{1,100}$/;

/** The agent that a bearer token authenticates. Throws missing_bearer, invalid_or_expired_jwt, wrong_token_type, agent_not_found. */
export async function authenticate(system: System, bearer: string | null): Promise<Agent> {
  if (bearer === null) throw refuseLogin("missing_bearer");
  if (TOKEN.test(bearer)) throw refuseToken();
  const signed = await ring.verify(system, bearer);
  // `===`, and only after the signature check: libraries also accept AGENT-VC and application/agent-vc for agent-vc.
  if (signed?.typ === CREDENTIAL_TYP) throw refuseLogin("wrong_token_type");
  const login = signed?.typ === LOGIN_TYP ? agentOfClaims(signed.claims, system.now()) : null;
  if (!login) throw refuseLogin("invalid_or_expired_jwt");
  const agent = await agentForAuth(system.db, login.agentId, login.issuedAt);
  if (agent) return agent;
  // The agent's token was revoked after this JWT was issued, or the agent is gone.
  const isThere = (await agentForAuth(system.db, login.agentId)) !== null;
  throw refuseLogin(isThere ? "invalid_or_expired_jwt" : "agent_not_found");
}

/** The agent of a login JWT or a permanent token. Throws the errors of `authenticate`, invalid_token. */
export async function logIn(system: System, bearer: string | null): Promise<Agent> {
  if (bearer === null || !TOKEN.test(bearer)) return authenticate(system, bearer);
  const row = await agentOfToken(system, bearer);
  if (!row) throw identityErrors.invalid_token();
  const { id: agentId, ownerId, paymentScan } = row;
  return { type: "agent", agentId, ownerId, paymentScan };
}

/** The agent that `X-Agent-ID` names by its id or login JWT; null when there is none. An id proves nothing: anybody can send it. */
export async function agentOfLabel(system: System, label: string): Promise<Agent | null> {
  const id = agentIdText.safeParse(label.trim().toLowerCase());
  if (id.success) return agentForAuth(system.db, id.data);
  try {
    return await authenticate(system, label.trim());
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

/**
 * A credential for the calling agent. The audit event VC_ISSUED is committed before the credential is returned. Throws
 * rate_limited.
 */
export const issueCredential = (
  { actor, ...system }: System & { actor: Agent },
  request: CredentialRequest,
): Promise<IssuedCredential> => issue(system, actor, request);

/**
 * A credential for an agent of the signed-in owner. The owner must have signed something for the agent: a stranger may have linked the
 * agent to that owner. Throws agent_not_found, nothing_signed_yet, rate_limited.
 */
export async function issueCredentialForAgent(
  ctx: System & { actor: Owner },
  agentId: AgentId,
  request: CredentialRequest,
): Promise<IssuedCredential> {
  const { agent } = await getOwned(ctx, agentId);
  if (agent.boundAt === null) throw agentErrors.nothing_signed_yet();
  return issue(ctx, { agentId: agent.id, ownerId: agent.ownerId }, request);
}

async function issue(
  system: System,
  { agentId, ownerId }: Pick<Agent, "agentId" | "ownerId">,
  request: CredentialRequest,
): Promise<IssuedCredential> {
  await limit(system, "issue_per_agent", agentId, identityErrors.rate_limited);
  const time = system.now();
  const credential = credentialFor(agentId, request, time);
  const { token: vc, kid } = await ring.sign(system, CREDENTIAL_TYP, credential);
  const { jti, aud: audience } = credential;
  // Stored as a hash: the challenge is the verifier's secret until it is used.
  const challenge_sha256 = createHash("sha256").update(request.challenge).digest("hex");
  const meta = { jti, audience, ttl_seconds: request.ttlSeconds, challenge_sha256 };
  await recordSoon(system.db, time, { type: "VC_ISSUED", subject: jti, agentId, ownerId, meta });
  return { vc, kid, credential };
}

export type CredentialVerdict = { valid: true; payload: Credential } | { valid: false; error: CredentialMismatch };

/** Whether a valid credential meets the expectations. Throws invalid_or_expired_vc, rate_limited. */
export async function verifyCredential(
  system: System,
  vc: string,
  expected: ExpectedCredential,
): Promise<CredentialVerdict> {
  const signed = await ring.verify(system, vc);
  const payload = signed?.typ === CREDENTIAL_TYP ? readCredential(signed.claims, system.now()) : null;
  if (!payload) throw identityErrors.invalid_or_expired_vc();
  await limit(system, "verify_per_agent", payload.sub, identityErrors.rate_limited);
  const error = mismatchOf(payload, expected);
  return error ? { valid: false, error } : { valid: true, payload };
}

/** A receipt as a compact JWS. The published keys verify it, and no endpoint accepts it. */
export const signReceipt = async (system: System, claims: Record<string, unknown>): Promise<string> =>
  (await ring.sign(system, RECEIPT_TYP, claims)).token;

/** An offer of the x402 extension `offer-receipt` as a compact JWS. Its `kid` is the DID URL of the key, as verifiers expect. */
export const signOffer = (system: System, payload: Record<string, unknown>): Promise<string> =>
  signByDid(system, X402_OFFER_TYP, payload);

/** A receipt of the x402 extension `offer-receipt` as a compact JWS. */
export const signX402Receipt = (system: System, payload: Record<string, unknown>): Promise<string> =>
  signByDid(system, X402_RECEIPT_TYP, payload);

async function signByDid(
  system: System,
  typ: typeof X402_OFFER_TYP | typeof X402_RECEIPT_TYP,
  payload: Record<string, unknown>,
): Promise<string> {
  const { token } = await ring.sign(system, typ, payload, (kid) => didUrlOf(system.config.baseUrl, kid));
  return token;
}

/** What an upstream gets with a paid request, as a compact JWS. The published keys verify it. */
export const signPaidRequest = async (system: System, claims: Record<string, unknown>): Promise<string> =>
  (await ring.sign(system, PAID_REQUEST_TYP, claims)).token;

/** The id of the key that signs now. */
export const signingKid = async (system: System): Promise<string> => (await ring.signingKey(system)).kid;

/** A payment in service credits as a compact JWS, valid for nothing else. */
export const signCreditPayment = async (system: System, claims: Record<string, unknown>): Promise<string> =>
  (await ring.sign(system, CREDIT_TYP, claims)).token;

/** The claims of a payment in service credits; null when this service did not sign it. */
export async function creditPayment(system: System, jws: string): Promise<unknown> {
  const signed = await ring.verify(system, jws);
  return signed?.typ === CREDIT_TYP ? signed.claims : null;
}

/** An agent's public data. Throws agent_not_found. */
export async function describeAgent(system: System, text: string) {
  const id = agentIdText.safeParse(text);
  const agent = id.success ? await agentById(system.db, id.data) : null;
  if (!agent) throw identityErrors.agent_not_found();
  return { agentId: agent.id, name: agent.name, createdAt: agent.createdAt, isLinked: agent.ownerId !== null };
}

/** The public keys as JWKS entries. */
export async function jwks(system: System) {
  await ring.signingKey(system);
  const published = await ring.publishedKeys(system);
  return {
    keys: published.map(({ kid, publicJwk: { n = "", e = "" } }) => ({
      kid,
      kty: "RSA" as const,
      use: "sig" as const,
      alg: "RS256" as const,
      n,
      e,
    })),
  };
}

/** The current state of each published key. */
export async function publishedKeyStates(system: System): Promise<KeyState[]> {
  await ring.signingKey(system);
  return keyStates(await ring.publishedKeys(system), system.now(), system.config.jwtTtlSeconds);
}

/** The did:web identifier of an origin; a port's colon is percent-encoded (did:web method, section 3.1). */
const didOf = (baseUrl: string): string => `did:web:${encodeURIComponent(new URL(baseUrl).host)}`;

/** The DID URL of a published key, as in the DID document. */
const didUrlOf = (baseUrl: string, kid: string): string => `${didOf(baseUrl)}#${kid}`;

/** The DID document (DID Core 1.0) of the service: every published key is an assertion method. */
export async function didDocument(system: System) {
  const { baseUrl } = system.config;
  const { keys: published } = await jwks(system);
  const id = didOf(baseUrl);
  const methods = published.map((key) => ({
    id: didUrlOf(baseUrl, key.kid),
    type: "JsonWebKey" as const,
    controller: id,
    publicKeyJwk: key,
  }));
  return {
    "@context": ["https://www.w3.org/ns/did/v1", "https://w3id.org/security/jwk/v1"],
    id,
    verificationMethod: methods,
    assertionMethod: methods.map((method) => method.id),
    service: [
      {
        id: `${id}#agent-identity`,
        type: "AgentIdentity",
        serviceEndpoint: `${baseUrl}/.well-known/agent-identity`,
      },
    ],
  };
}

/** The service's metadata for verifiers. Times in seconds. */
export const agentIdentity = ({ config: { baseUrl, jwtTtlSeconds } }: System) => ({
  issuer: ISSUER,
  did: didOf(baseUrl),
  jwks_uri: `${baseUrl}/.well-known/jwks.json`,
  did_document_uri: `${baseUrl}/.well-known/did.json`,
  public_key_uri: `${baseUrl}/public-key.pem`,
  jwks_cache_seconds: JWKS_CACHE_SECONDS,
  registration_endpoint: `${baseUrl}/register`,
  refresh_endpoint: `${baseUrl}/refresh`,
  credential_endpoint: `${baseUrl}/agent/vc/issue`,
  verification_endpoint: `${baseUrl}/verify-vc`,
  agent_endpoint: `${baseUrl}/agent/{agent_id}`,
  credential_typ: CREDENTIAL_TYP,
  credential_signing_alg_values_supported: ["RS256"],
  credential_claims_supported: Object.keys(issuedClaims.shape),
  credential_ttl_seconds_max: CREDENTIAL_SECONDS_MAX,
  challenge_bytes_max: CHALLENGE_BYTES_MAX,
  audience_bytes_max: AUDIENCE_BYTES_MAX,
  login_typ: LOGIN_TYP,
  login_signing_alg_values_supported: ["RS256"],
  login_ttl_seconds: jwtTtlSeconds,
  verifier_page: `${baseUrl}/identity`,
});

export const publicKeyPem = async (system: System): Promise<string> =>
  (await ring.signingKey(system)).publicKey.export({ type: "spki", format: "pem" }).toString();

/** Maintains the key ring. Every replica runs it periodically, and again at once when it returns true (it changed something). */
export async function keepKeys(system: System): Promise<boolean> {
  const isChanged = await keys.keep(system);
  if (isChanged) ring.forget(system);
  return isChanged;
}

/**
 * Moves the next key's activation forward to the time when every verifier can know it; with `force`, to now. The outgoing
 * key stays published until the last token it signed has expired.
 */
export async function rotateKeys(
  system: System,
  { force = false }: { force?: boolean } = {},
): Promise<{ kid: string; activeFrom: Date }> {
  await keepKeys(system);
  const rotated = await keys.rotate(system, force);
  await keepKeys(system);
  ring.forget(system);
  return rotated;
}

/** For a leaked key: the next key signs from now on, and tokens signed by the leaked one are refused. */
export async function revokeKey(system: System, kid: string): Promise<void> {
  // The cached ring may be outdated: another process may have rotated since.
  ring.forget(system);
  if ((await ring.signingKey(system)).kid === kid) await rotateKeys(system, { force: true });
  await keys.drop(system, kid);
  await keepKeys(system);
  ring.forget(system);
}

/** `time` is read before the token, so that a login is dated before a concurrent revocation of its token. */
async function loginJwt(system: System, agent: Login, time: Date): Promise<string> {
  const claims = claimsFor(agent, time, system.config.jwtTtlSeconds);
  return (await ring.sign(system, LOGIN_TYP, claims)).token;
}
