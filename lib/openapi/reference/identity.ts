import type { Sayings } from "./said";
import { AGENT, CREATED, DID, JWS, NONCE, ORIGIN, TOKEN } from "./values";

const request = { challenge: "n-0S6_WzA2Mj", audience: "https://service.example", ttl_seconds: 300 };

const claims = {
  typ: "agent-vc",
  sub: AGENT,
  iss: "service-agent-did",
  aud: request.audience,
  jti: "vc_3nHgF6dS9aQwE2rTyUiOpLkJ",
  challenge: request.challenge,
  iat: 1_793_610_000,
  exp: 1_793_610_300,
} as const;

const issued = { vc: JWS, jti: claims.jti, issued_at: claims.iat, expires_at: claims.exp, kid: "k1" };

const jwk = { kid: "k1", kty: "RSA", use: "sig", alg: "RS256", n: NONCE.slice(2), e: "AQAB" };

export const IDENTITY: Sayings = {
  registerAgent: {
    description:
      "The permanent token is shown only here: store it. The login JWT lives for minutes; `POST /refresh` returns the next one. A new agent has no owner and no money: propose a mandate next, with `POST /api/mandates/create-intent`.",
    request: { agent_name: "Research agent", client_info: "example/1.0" },
    responses: { 200: { agent_id: AGENT, token: TOKEN, jwt: JWS } },
  },
  refreshLogin: {
    description:
      "Call it when a request is answered 401 `invalid_or_expired_jwt`. It changes nothing: the permanent token and earlier JWTs stay valid.",
    request: { agent_id: AGENT, token: TOKEN },
    responses: { 200: { jwt: JWS } },
  },
  rotateToken: {
    description:
      "For an agent that changes its token regularly, or whose token may have leaked: then send `revoke_old: true`. Store the new token before you throw the old one away; it is shown only here.",
    request: { agent_id: AGENT, token: TOKEN, revoke_old: false },
    responses: { 200: { token: TOKEN, jwt: JWS, old_token_expires_at: 1_793_610_600 } },
  },
  issueCredential: {
    description:
      "Give the credential only to the service that sent the challenge. A VC carries identity: it cannot call this API.",
    request,
    responses: { 200: issued },
  },
  issueCredentialForAgent: {
    description:
      "The credential names the agent, not the owner. The page `/identity` uses it, so that an owner can try a verifier without the agent's token.",
    request,
    responses: { 200: { ...issued, status: "ok" } },
  },
  verifyCredential: {
    description:
      "Anybody may call it. Send the audience and the challenge that you expect: without them only signature and lifetime are checked. `valid: false` is a credential that is genuine, but for somebody else.",
    request: { vc: JWS, expected_audience: request.audience, expected_challenge: request.challenge },
    responses: { 200: { valid: true, payload: claims } },
  },
  getJwks: {
    description:
      "Take the key whose `kid` is in the header of the token. Cache the set for at most the `max-age` of the response, and read it again when a `kid` is unknown: a new key is published before it signs.",
    responses: { 200: { keys: [jwk] } },
  },
  getDidDocument: {
    description:
      "For verifiers that resolve `did:web` identifiers. Every key of the JWKS is an assertion method here, with the same `kid` as fragment.",
    responses: {
      200: {
        "@context": ["https://www.w3.org/ns/did/v1", "https://w3id.org/security/jwk/v1"],
        id: DID,
        verificationMethod: [{ id: `${DID}#k1`, type: "JsonWebKey", controller: DID, publicKeyJwk: jwk }],
        assertionMethod: [`${DID}#k1`],
        service: [
          {
            id: `${DID}#agent-identity`,
            type: "AgentIdentity",
            serviceEndpoint: `${ORIGIN}/.well-known/agent-identity`,
          },
        ],
      },
    },
  },
  getAgentIdentity: {
    description:
      "Read it once to configure a verifier: which issuer and algorithm to expect, where the keys are, and how long a credential may live.",
    responses: {
      200: {
        issuer: claims.iss,
        did: DID,
        jwks_uri: `${ORIGIN}/.well-known/jwks.json`,
        did_document_uri: `${ORIGIN}/.well-known/did.json`,
        public_key_uri: `${ORIGIN}/public-key.pem`,
        jwks_cache_seconds: 300,
        registration_endpoint: `${ORIGIN}/register`,
        refresh_endpoint: `${ORIGIN}/refresh`,
        credential_endpoint: `${ORIGIN}/agent/vc/issue`,
        verification_endpoint: `${ORIGIN}/verify-vc`,
        agent_endpoint: `${ORIGIN}/agent/{agent_id}`,
        credential_typ: claims.typ,
        credential_signing_alg_values_supported: ["RS256"],
        credential_claims_supported: ["typ", "sub", "iss", "aud", "jti", "challenge", "iat", "exp"],
        credential_ttl_seconds_max: 86_400,
        challenge_bytes_max: 4096,
        audience_bytes_max: 2048,
        login_typ: "JWT",
        login_signing_alg_values_supported: ["RS256"],
        login_ttl_seconds: 900,
        verifier_page: `${ORIGIN}/identity`,
      },
    },
  },
  getPublicKey: {
    description:
      "For tools that cannot read a JWKS. It is only the key that signs now: tokens of the one before it are still valid after a rotation, so prefer the JWKS.",
  },
  getAgentCard: {
    description:
      "Anybody may read it, for example to show who a credential is about. `wallet_linked` says whether a person has linked the agent; who that is stays private.",
    responses: {
      200: { agent_id: AGENT, agent_name: "Research agent", created_at: CREATED, wallet_linked: true },
    },
  },
};
