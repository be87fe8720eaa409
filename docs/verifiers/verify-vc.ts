import { type CompactJWSHeaderParameters, compactVerify, createRemoteJWKSet, customFetch, errors } from "jose";

/**
 * Verifies agent credentials in your own service. Create one verifier at startup and keep it: it caches the published keys,
 * and fetches them again when a credential names an unknown key, at most every 30 seconds.
 *
 *   const verify = credentialVerifier({
 *     service: "https://tessera.example",
 *     audience: "https://api.example.com",
 *     useChallenge: async (challenge) => (await redis.del(`challenge:${challenge}`)) === 1,
 *   });
 *   const { sub: agentId } = await verify(vc, theChallengeYouGaveThisVisitor);
 *
 * Throws CredentialRefused for an invalid credential: answer 401. Any other error means that the keys could not be fetched
 * and says nothing about the credential: answer 503.
 */
export function credentialVerifier({ service, audience, useChallenge }: VerifierSettings) {
  const keys = createRemoteJWKSet(new URL("/.well-known/jwks.json", service), {
    cacheMaxAge: 300_000,
    cooldownDuration: 30_000,
    // A browser would answer from its cache, even when a new key must be fetched.
    [customFetch]: (url, options) => fetch(url, { ...options, cache: "no-cache" }),
  });
  return async (vc: string, challenge: string): Promise<Credential> => {
    const { header, claims } = await readSigned(vc, keys);
    const kept: Record<ClaimRule, boolean> = {
      // `===`, because jose's own `typ` option also takes AGENT-VC and application/agent-vc.
      type: header.typ === "agent-vc",
      issuer: claims.iss === "service-agent-did",
      // False for a list: a credential has one audience.
      audience: claims.aud === audience,
      lifetime: typeof claims.exp === "number" && Date.now() / 1000 < claims.exp,
      challenge: claims.challenge === challenge,
    };
    const broken = RULES.filter((rule) => !kept[rule]);
    if (broken.length > 0) throw new CredentialRefused(broken);
    // Last, so that only a valid credential can use up its challenge.
    if (!(await useChallenge(challenge))) throw new CredentialRefused(["single-use"]);
    // Everything that the service signs with this type has these claims.
    return claims as Credential;
  };
}

export type VerifierSettings = {
  /** The origin that issues the credentials. */
  service: string;
  /** Your audience, exactly as you give it to agents. */
  audience: string;
  /** Marks one of your challenges as used, atomically: true the first time, false afterwards. */
  useChallenge: (challenge: string) => Promise<boolean>;
};

export type Credential = {
  sub: string;
  iss: string;
  aud: string;
  jti: string;
  challenge: string;
  iat: number;
  exp: number;
};

const RULES = ["type", "issuer", "audience", "lifetime", "challenge"] as const;
type ClaimRule = (typeof RULES)[number];
export type Rule = "signature" | ClaimRule | "single-use";

/** The credential is invalid; `rules` has every rule that it breaks. */
export class CredentialRefused extends Error {
  override readonly name = "CredentialRefused";
  readonly rules: readonly Rule[];

  constructor(rules: readonly Rule[], options?: ErrorOptions) {
    super(`the credential breaks: ${rules.join(", ")}`, options);
    this.rules = rules;
  }
}

async function readSigned(vc: string, keys: ReturnType<typeof createRemoteJWKSet>): Promise<Signed> {
  try {
    const { protectedHeader, payload } = await compactVerify(vc, keys, { algorithms: ["RS256"] });
    const claims: unknown = JSON.parse(new TextDecoder().decode(payload));
    // jose accepts a header without a kid if there is only one key.
    if (typeof protectedHeader.kid === "string" && isRecord(claims)) return { header: protectedHeader, claims };
  } catch (cause) {
    const isRefusal = cause instanceof errors.JOSEError ? REFUSALS.has(cause.code) : cause instanceof SyntaxError;
    if (!isRefusal) throw cause;
    throw new CredentialRefused(["signature"], { cause });
  }
  throw new CredentialRefused(["signature"]);
}

type Signed = { header: CompactJWSHeaderParameters; claims: Record<string, unknown> };

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

const REFUSALS = new Set([
  "ERR_JWS_INVALID",
  "ERR_JWS_SIGNATURE_VERIFICATION_FAILED",
  "ERR_JWKS_NO_MATCHING_KEY",
  "ERR_JWKS_MULTIPLE_MATCHING_KEYS",
  "ERR_JOSE_ALG_NOT_ALLOWED",
  "ERR_JOSE_NOT_SUPPORTED",
]);
