import {
  AUDIENCE_BYTES_MAX,
  CHALLENGE_BYTES_MAX,
  CREDENTIAL_SECONDS_MAX,
  CREDENTIAL_TYP,
  ISSUER,
  issuedClaims,
  JWKS_CACHE_SECONDS,
  LOGIN_TYP,
} from "./rules";

type PublicJwk = { kid: string; kty: "RSA"; use: "sig"; alg: "RS256"; n: string; e: string };

/** The did:web identifier of an origin; a port's colon is percent-encoded (did:web method, section 3.1). */
export const didOf = (baseUrl: string): string => `did:web:${encodeURIComponent(new URL(baseUrl).host)}`;

/** The DID URL of a published key, as in the DID document. */
export const didUrlOf = (baseUrl: string, kid: string): string => `${didOf(baseUrl)}#${kid}`;

/** The DID document (DID Core 1.0) of the service: every published key is an assertion method. */
export function didDocument(baseUrl: string, keys: readonly PublicJwk[]) {
  const id = didOf(baseUrl);
  const methods = keys.map((key) => ({
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
export const agentIdentity = (baseUrl: string, loginSeconds: number) => ({
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
  login_ttl_seconds: loginSeconds,
  verifier_page: `${baseUrl}/identity`,
});
