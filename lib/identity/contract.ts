import { z } from "zod";
import { agentErrors } from "@/lib/agents/errors";
import { isStorable } from "@/lib/core/characters";
import { endpoint } from "@/lib/core/endpoint";
import type { AppError } from "@/lib/core/errors";
import { agentId } from "@/lib/core/id-text";
import { shownName } from "@/lib/core/shown";
import { isoDate } from "@/lib/core/time-text";
import { edgeErrors } from "@/lib/http/errors";
import * as sample from "@/lib/samples";
import { identityErrors } from "./errors";
import {
  AUDIENCE_BYTES_MAX,
  CHALLENGE_BYTES_MAX,
  CREDENTIAL_SECONDS_MAX,
  type Credential,
  credentialClaims,
  JWKS_CACHE_SECONDS,
} from "./rules";

const { invalid_token, agent_not_found, invalid_or_expired_vc, wrong_token_type, rate_limited } = identityErrors.table;

const agentName = shownName("agent_name is required, 1 to 100 characters");

/** Of the bodies that clients of every version send, which the interface does not list. */
const IGNORES_UNKNOWN = "clients of other versions send more members";

const CLIENT_INFO_MAX = 500;
const CLIENT_INFO_ERROR = `client_info must be at most ${CLIENT_INFO_MAX} characters without control characters`;
const clientInfo = z
  .string({ error: `client_info is required, at most ${CLIENT_INFO_MAX} characters` })
  .refine(
    (text) => [...text].length <= CLIENT_INFO_MAX && /^(?:[^\p{Cc}\p{Cs}]|[\t\r\n])*$/u.test(text),
    CLIENT_INFO_ERROR,
  )
  .meta({ maxLength: CLIENT_INFO_MAX });

const loginId = z.string({ error: "agent_id is required" }).min(1, "agent_id is required").max(200);
// No maximum: a JWT sent in place of the token must get invalid_token.
const loginToken = z.string({ error: "token is required" }).min(1, "token is required");

const requestExample = { challenge: "n-0S6_WzA2Mj", audience: "https://service.example", ttl_seconds: 300 };

const claimsExample = {
  typ: "agent-vc",
  sub: sample.AGENT,
  iss: "service-agent-did",
  aud: requestExample.audience,
  jti: "vc_3nHgF6dS9aQwE2rTyUiOpLkJ",
  challenge: requestExample.challenge,
  iat: 1_793_610_000,
  exp: 1_793_610_300,
} as const;

const issuedExample = {
  vc: sample.JWS,
  jti: claimsExample.jti,
  issued_at: claimsExample.iat,
  expires_at: claimsExample.exp,
  kid: "k1",
};

const jwkExample = { kid: "k1", kty: "RSA", use: "sig", alg: "RS256", n: sample.NONCE.slice(2), e: "AQAB" };

/** Metadata of an OAuth client (RFC 7591, section 2) that guessed where it registers. */
function refuseApp(body: unknown): AppError | null {
  const isApp = z
    .looseObject({ redirect_uris: z.array(z.unknown()), agent_name: z.never().optional() })
    .safeParse(body).success;
  if (!isApp) return null;
  return edgeErrors.invalid_request({
    reason: "invalid_client_metadata",
    description:
      "Agents register at this address. Apps that connect by OAuth register with POST /oauth/register, the registration_endpoint of /.well-known/oauth-authorization-server",
  });
}

export const registerAgent = endpoint({
  method: "POST",
  path: "/register",
  summary: "Register an agent: its id, its permanent token (shown once) and a login JWT",
  description:
    "The permanent token is shown only here: store it. The login JWT lives for minutes; `POST /refresh` returns the next one. A new agent has no owner and no money: propose a mandate next, with `POST /api/mandates/create-intent`.",
  auth: "none",
  surface: "identity",
  ignoresUnknown: IGNORES_UNKNOWN,
  misdirected: refuseApp,
  body: z.object({
    agent_name: agentName,
    client_info: clientInfo,
    email: z.email("email must be an email address").max(254).nullish(),
  }),
  response: z.object({ agent_id: z.string(), token: z.string(), jwt: z.string() }),
  limitPerAddress: "register_per_address",
  errors: { rate_limited },
  example: {
    request: { agent_name: "Research agent", client_info: "example/1.0" },
    responses: { 200: { agent_id: sample.AGENT, token: sample.TOKEN, jwt: sample.JWS } },
  },
});

export const refreshLogin = endpoint({
  method: "POST",
  path: "/refresh",
  summary: "A new login JWT for an agent's token",
  description:
    "Call it when a request is answered 401 `invalid_or_expired_jwt`. It changes nothing: the permanent token and earlier JWTs stay valid.",
  stores: "nothing",
  auth: "none",
  surface: "identity",
  ignoresUnknown: IGNORES_UNKNOWN,
  body: z.object({
    agent_id: loginId,
    token: loginToken,
  }),
  response: z.object({ jwt: z.string() }),
  limitPerAddress: "refresh_per_address",
  errors: { invalid_token, agent_not_found, rate_limited },
  example: { request: { agent_id: sample.AGENT, token: sample.TOKEN }, responses: { 200: { jwt: sample.JWS } } },
});

export const rotateToken = endpoint({
  method: "POST",
  path: "/token/rotate",
  summary: "Create a new permanent token for an agent; the old one stays valid for ten minutes or is revoked at once",
  description:
    "For an agent that changes its token regularly, or whose token may have leaked: then send `revoke_old: true`. Store the new token before you throw the old one away; it is shown only here.",
  auth: "none",
  surface: "identity",
  body: z.object({
    agent_id: loginId,
    token: loginToken,
    /** If true, the old token and every login JWT issued before now are refused from now on. */
    revoke_old: z.boolean({ error: "revoke_old must be true or false" }).default(false),
  }),
  response: z.object({
    token: z.string(),
    jwt: z.string(),
    /** Unix seconds; null when the old token was revoked. */
    old_token_expires_at: z.int().nullable(),
  }),
  limitPerAddress: "refresh_per_address",
  errors: { invalid_token, agent_not_found, rate_limited },
  example: {
    request: { agent_id: sample.AGENT, token: sample.TOKEN, revoke_old: false },
    responses: { 200: { token: sample.TOKEN, jwt: sample.JWS, old_token_expires_at: 1_793_610_600 } },
  },
});

const CHALLENGE_REQUIRED = "challenge required (non-empty string)";
const TTL_WRONG = `ttl_seconds must be integer in [1, ${CREDENTIAL_SECONDS_MAX}]`;
const AUDIENCE_REQUIRED = "audience required (non-empty string)";

const isWithin = (bytesMax: number) => (text: string) => new TextEncoder().encode(text).length <= bytesMax;

/** The order of fields matters: of several faults the first is reported. */
const credentialRequest = z.object(
  {
    challenge: z
      .string(CHALLENGE_REQUIRED)
      .min(1, CHALLENGE_REQUIRED)
      .refine((text) => text.isWellFormed(), CHALLENGE_REQUIRED)
      .refine(isWithin(CHALLENGE_BYTES_MAX), `challenge too large (max ${CHALLENGE_BYTES_MAX} bytes)`),
    ttl_seconds: z.int(TTL_WRONG).min(1, TTL_WRONG).max(CREDENTIAL_SECONDS_MAX, TTL_WRONG),
    audience: z
      .string(AUDIENCE_REQUIRED)
      .min(1, AUDIENCE_REQUIRED)
      .refine(isStorable, AUDIENCE_REQUIRED)
      .refine(isWithin(AUDIENCE_BYTES_MAX), `audience too large (max ${AUDIENCE_BYTES_MAX} bytes)`),
  },
  CHALLENGE_REQUIRED,
);

export type IssuedCredential = { vc: string; kid: string; credential: Credential };

const issuedCredential = z.object({
  vc: z.string(),
  jti: z.string(),
  issued_at: z.int(),
  expires_at: z.int(),
  kid: z.string(),
});

export const issueCredential = endpoint({
  method: "POST",
  path: "/agent/vc/issue",
  summary: "Issue a credential (VC) that proves the agent's identity to one audience",
  description:
    "Give the credential only to the service that sent the challenge. A VC carries identity: it cannot call this API.",
  auth: "agent",
  surface: "identity",
  body: credentialRequest,
  response: issuedCredential,
  errors: { wrong_token_type, agent_not_found, rate_limited },
  example: { request: requestExample, responses: { 200: issuedExample } },
});

export const issueCredentialForAgent = endpoint({
  method: "POST",
  path: "/api/agents/{agentId}/credentials",
  summary: "The same for the agent's owner, who must have signed or approved something for it",
  description:
    "The credential names the agent, not the owner. The page `/identity` uses it, so that an owner can try a verifier without the agent's token.",
  work: 10,
  auth: "owner",
  surface: "wallet",
  params: z.object({ agentId }),
  body: credentialRequest,
  response: issuedCredential.extend({ status: z.literal("ok") }),
  errors: {
    agent_not_found: agentErrors.table.agent_not_found,
    nothing_signed_yet: agentErrors.table.nothing_signed_yet,
    rate_limited,
  },
  example: { request: requestExample, responses: { 200: { ...issuedExample, status: "ok" } } },
});

/** Enough for the longest issued credential and the expected values. */
const VERIFY_BYTES_MAX = 524_288;

/** Rejects null: a verifier whose variable is empty must not believe that the value was checked. Why: docs/decisions.md, 36. */
const expectation = (name: string) => z.string(`${name} must be a string; omit it to skip this check`).optional();

export const verifyCredential = endpoint({
  method: "POST",
  path: "/verify-vc",
  summary: "Verify a credential. Verifiers with a JWT library can check it themselves against the JWKS",
  description:
    "Anybody may call it. Send the audience and the challenge that you expect: without them only signature and lifetime are checked. `valid: false` is a credential that is genuine, but for somebody else.",
  stores: "nothing",
  auth: "none",
  surface: "identity",
  bodyBytesMax: VERIFY_BYTES_MAX,
  body: z.object(
    {
      vc: z.string("vc required").min(1, "vc required"),
      expected_audience: expectation("expected_audience"),
      expected_challenge: expectation("expected_challenge"),
    },
    "vc required",
  ),
  response: z.union([
    z.object({ valid: z.literal(true), payload: credentialClaims }),
    z.object({ valid: z.literal(false), error: z.enum(["audience_mismatch", "challenge_mismatch"]) }),
  ]),
  work: 7,
  errors: { invalid_or_expired_vc, rate_limited },
  example: {
    request: {
      vc: sample.JWS,
      expected_audience: requestExample.audience,
      expected_challenge: requestExample.challenge,
    },
    responses: { 200: { valid: true, payload: claimsExample } },
  },
});

const publicJwk = z.object({
  kid: z.string(),
  kty: z.literal("RSA"),
  use: z.literal("sig"),
  alg: z.literal("RS256"),
  n: z.string(),
  e: z.string(),
});

export const getJwks = endpoint({
  method: "GET",
  path: "/.well-known/jwks.json",
  summary: "The RS256 public keys of login JWTs and credentials. There may be several, and they rotate",
  description:
    "Take the key whose `kid` is in the header of the token. Cache the set for at most the `max-age` of the response, and read it again when a `kid` is unknown: a new key is published before it signs.",
  auth: "none",
  surface: "identity",
  response: z.object({ keys: z.array(publicJwk) }),
  errors: {},
  example: { responses: { 200: { keys: [jwkExample] } } },
});

const verificationMethod = z.object({
  id: z.string(),
  type: z.literal("JsonWebKey"),
  controller: z.string(),
  publicKeyJwk: publicJwk,
});

/** The keys of the JWKS under a resolvable identifier (DID Core 1.0, did:web method). */
export const getDidDocument = endpoint({
  method: "GET",
  path: "/.well-known/did.json",
  summary: "The same keys as a did:web document",
  description:
    "For verifiers that resolve `did:web` identifiers. Every key of the JWKS is an assertion method here, with the same `kid` as fragment.",
  auth: "none",
  surface: "identity",
  response: z.object({
    "@context": z.array(z.string()),
    id: z.string(),
    verificationMethod: z.array(verificationMethod),
    assertionMethod: z.array(z.string()),
    service: z.array(z.object({ id: z.string(), type: z.string(), serviceEndpoint: z.string() })),
  }),
  errors: {},
  example: {
    responses: {
      200: {
        "@context": ["https://www.w3.org/ns/did/v1", "https://w3id.org/security/jwk/v1"],
        id: sample.DID,
        verificationMethod: [
          { id: `${sample.DID}#k1`, type: "JsonWebKey", controller: sample.DID, publicKeyJwk: jwkExample },
        ],
        assertionMethod: [`${sample.DID}#k1`],
        service: [
          {
            id: `${sample.DID}#agent-identity`,
            type: "AgentIdentity",
            serviceEndpoint: `${sample.ORIGIN}/.well-known/agent-identity`,
          },
        ],
      },
    },
  },
});

/** Field names follow OpenID Connect Discovery and RFC 8414 where they define the same thing. */
export const getAgentIdentity = endpoint({
  method: "GET",
  path: "/.well-known/agent-identity",
  summary: "Metadata for verifiers: issuer, keys, algorithms, endpoints, limits",
  description:
    "Read it once to configure a verifier: which issuer and algorithm to expect, where the keys are, and how long a credential may live.",
  auth: "none",
  surface: "identity",
  response: z.object({
    issuer: z.string(),
    did: z.string(),
    jwks_uri: z.url(),
    did_document_uri: z.url(),
    public_key_uri: z.url(),
    jwks_cache_seconds: z.int(),
    registration_endpoint: z.url(),
    refresh_endpoint: z.url(),
    credential_endpoint: z.url(),
    verification_endpoint: z.url(),
    agent_endpoint: z.string(),
    credential_typ: z.string(),
    credential_signing_alg_values_supported: z.array(z.string()),
    credential_claims_supported: z.array(z.string()),
    credential_ttl_seconds_max: z.int(),
    challenge_bytes_max: z.int(),
    audience_bytes_max: z.int(),
    login_typ: z.string(),
    login_signing_alg_values_supported: z.array(z.string()),
    login_ttl_seconds: z.int(),
    verifier_page: z.url(),
  }),
  errors: {},
  example: {
    responses: {
      200: {
        issuer: claimsExample.iss,
        did: sample.DID,
        jwks_uri: `${sample.ORIGIN}/.well-known/jwks.json`,
        did_document_uri: `${sample.ORIGIN}/.well-known/did.json`,
        public_key_uri: `${sample.ORIGIN}/public-key.pem`,
        jwks_cache_seconds: 300,
        registration_endpoint: `${sample.ORIGIN}/register`,
        refresh_endpoint: `${sample.ORIGIN}/refresh`,
        credential_endpoint: `${sample.ORIGIN}/agent/vc/issue`,
        verification_endpoint: `${sample.ORIGIN}/verify-vc`,
        agent_endpoint: `${sample.ORIGIN}/agent/{agent_id}`,
        credential_typ: claimsExample.typ,
        credential_signing_alg_values_supported: ["RS256"],
        credential_claims_supported: ["typ", "sub", "iss", "aud", "jti", "challenge", "iat", "exp"],
        credential_ttl_seconds_max: 86_400,
        challenge_bytes_max: 4096,
        audience_bytes_max: 2048,
        login_typ: "JWT",
        login_signing_alg_values_supported: ["RS256"],
        login_ttl_seconds: 900,
        verifier_page: `${sample.ORIGIN}/identity`,
      },
    },
  },
});

export const getPublicKey = endpoint({
  method: "GET",
  path: "/public-key.pem",
  summary: "The currently active public key, as PEM",
  description:
    "For tools that cannot read a JWKS. It is only the key that signs now: tokens of the one before it are still valid after a rotation, so prefer the JWKS.",
  auth: "none",
  surface: "identity",
  response: { contentType: "text/plain; charset=utf-8" },
  errors: {},
});

export const getAgentCard = endpoint({
  method: "GET",
  path: "/agent/{agentId}",
  summary: "Public data of an agent",
  description:
    "Anybody may read it, for example to show who a credential is about. `wallet_linked` says whether a person has linked the agent; who that is stays private.",
  auth: "none",
  surface: "identity",
  params: z.object({ agentId: z.string() }),
  work: 3,
  response: z.object({
    agent_id: z.string(),
    agent_name: z.string(),
    created_at: isoDate,
    wallet_linked: z.boolean(),
  }),
  errors: { agent_not_found, rate_limited },
  example: {
    responses: {
      200: { agent_id: sample.AGENT, agent_name: "Research agent", created_at: sample.CREATED, wallet_linked: true },
    },
  },
});

/** Pages on any origin may read the keys, and cache them for as long as key rotation allows. */
export const publicHeaders = {
  "Cache-Control": `public, max-age=${JWKS_CACHE_SECONDS}`,
  "Access-Control-Allow-Origin": "*",
};

/** Maps a request's field names to the service's. */
export const requestOf = ({ challenge, audience, ttl_seconds: ttlSeconds }: z.output<typeof credentialRequest>) => ({
  challenge,
  audience,
  ttlSeconds,
});

export const toIssuedResponse = ({ vc, kid, credential: { jti, iat, exp } }: IssuedCredential) => ({
  vc,
  jti,
  issued_at: iat,
  expires_at: exp,
  kid,
});
