import type { Fetch } from "./transport.ts";
import type { GetReceiptResponse } from "./types.ts";

/** `timestamp` is ISO 8601. */
export type WebhookEvent = { type: string; timestamp: string; data: Record<string, unknown> };

type HeaderSource = Headers | Record<string, string | string[] | undefined>;

const bytesOf64 = (text: string): Uint8Array<ArrayBuffer> | null => {
  try {
    return Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (char) => char.charCodeAt(0));
  } catch {
    return null;
  }
};

const BRAND = Symbol.for("@tessera/client.verification");

/**
 * The message or token is not authentic, has expired or is for another recipient. `rules` names the failed checks, such as "signature",
 * "timestamp" or "audience". Respond with 400 or 401.
 *
 * @example
 * const event = await verifyWebhook(secret, request.headers, body).catch((error: unknown) => {
 *   if (VerificationError.is(error)) return null; // respond with 400
 *   throw error;
 * });
 */
export class VerificationError extends Error {
  override readonly name = "VerificationError";
  readonly [BRAND] = true;
  readonly rules: readonly string[];

  constructor(rules: readonly string[], message = `it breaks: ${rules.join(", ")}`) {
    super(message);
    this.rules = rules;
  }

  /**
   * Whether `error` is a VerificationError, including one from another copy of this package.
   *
   * @example
   * const status = VerificationError.is(error) ? 401 : 503;
   */
  static is(error: unknown): error is VerificationError {
    return typeof error === "object" && error !== null && BRAND in error;
  }
}

/**
 * Verifies a webhook (Standard Webhooks 1.0.0) and returns its event. `body` must be the received text, unchanged. `secret` starts with
 * `whsec_`. Messages can arrive more than once: deduplicate by `webhook-id`.
 *
 * Throws VerificationError with the rule `signature`, or `timestamp` if the clocks differ by more than `toleranceSeconds` (default 300).
 * Throws TypeError for a secret that is empty or not base64.
 *
 * @example
 * const body = await request.text();
 * const event = await verifyWebhook(secret, request.headers, body);
 * console.log(request.headers.get("webhook-id"), event.type, event.data);
 */
export async function verifyWebhook(
  secret: string,
  headers: HeaderSource,
  body: string,
  { now = new Date(), toleranceSeconds = 300 }: { now?: Date; toleranceSeconds?: number } = {},
): Promise<WebhookEvent> {
  const [id, timestamp, signatures] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) =>
    "get" in headers && typeof headers.get === "function"
      ? headers.get(name)
      : (headers as Record<string, unknown>)[name],
  );
  if (typeof id !== "string" || typeof timestamp !== "string" || typeof signatures !== "string")
    throw new VerificationError(["signature"], "the message is not signed");
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now.getTime() / 1000 - Number(timestamp)) > toleranceSeconds)
    throw new VerificationError(["timestamp"], "the message is too old, or from the future");
  const raw = bytesOf64(secret.replace(/^whsec_/, ""));
  // Anyone can sign with an empty key.
  if (!raw || raw.length === 0) throw new TypeError("the secret is not that of a webhook (whsec_…)");
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", raw, algorithm, false, ["verify"]);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  // While the secret is being rotated, a message has two signatures.
  for (const signature of signatures.split(" ").slice(0, 10)) {
    const signatureBytes = signature.startsWith("v1,") ? bytesOf64(signature.slice(3)) : null;
    if (signatureBytes && (await crypto.subtle.verify("HMAC", key, signatureBytes, signed))) return JSON.parse(body);
  }
  throw new VerificationError(["signature"], "the signature is not the service's");
}

export type KeyOptions = {
  /** The origin of the service that signs. */
  service: string;
  fetch?: Fetch | undefined;
};

const CACHE_MS = 300_000;
const COOL_DOWN_MS = 30_000;

/** Reads the service's public keys (JWKS, RFC 7517): cached for five minutes, refreshed for an unknown `kid` at most every 30 seconds. */
function keySet({ service, fetch = globalThis.fetch }: KeyOptions): (kid: string) => Promise<CryptoKey | undefined> {
  let keys = new Map<string, CryptoKey>();
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;
  const refreshKeys = async () => {
    // Without it, a browser may return a cached key set that lacks the new key.
    const init: RequestInit = { cache: "no-cache", redirect: "error", signal: AbortSignal.timeout(10_000) };
    const res = await fetch(new URL("/.well-known/jwks.json", service), init);
    if (!res.ok) throw new Error(`${service} answered ${res.status} for its keys`);
    const { keys: jwks } = (await res.json()) as { keys: (JsonWebKey & { kid?: string })[] };
    const algorithm = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
    const imported = jwks.flatMap(({ kid, kty, n, e }) =>
      kid !== undefined && kty === "RSA" && n !== undefined && e !== undefined
        ? [
            crypto.subtle
              .importKey("jwk", { kty, n, e, alg: "RS256" }, algorithm, false, ["verify"])
              .then((key) => [kid, key] as const),
          ]
        : [],
    );
    keys = new Map(await Promise.all(imported));
    readAt = Date.now();
  };
  return async (kid) => {
    const age = Date.now() - readAt;
    if (age >= CACHE_MS || (!keys.has(kid) && age >= COOL_DOWN_MS)) {
      reading ??= refreshKeys().finally(() => {
        reading = undefined;
      });
      await reading;
    }
    return keys.get(kid);
  };
}

type Jws = { header: Record<string, unknown>; payload: Record<string, unknown> };

const JWS_CHARACTERS_MAX = 65_536;

/** Verifies a JWS (RFC 7515) of the service. Throws VerificationError; any other error means that the keys could not be read. */
async function readJws(text: string, keyOf: (kid: string) => Promise<CryptoKey | undefined>): Promise<Jws> {
  const [head = "", body = "", signature = "", ...extraParts] = text.length > JWS_CHARACTERS_MAX ? [] : text.split(".");
  const [header, payload] = [recordIn(head), recordIn(body)];
  const bytes = bytesOf64(signature);
  // The algorithm is fixed (RFC 8725, section 3.1): a token could name `none`, or HS256 with the public key as the secret.
  if (extraParts.length > 0 || !header || !payload || !bytes || header.alg !== "RS256" || "crit" in header)
    throw new VerificationError(["signature"]);
  const key = typeof header.kid === "string" ? await keyOf(header.kid) : undefined;
  const signed = new TextEncoder().encode(`${head}.${body}`);
  if (!key || !(await crypto.subtle.verify("RSASSA-PKCS1-v1_5", key, bytes, signed)))
    throw new VerificationError(["signature"]);
  return { header, payload };
}

function recordIn(text: string): Record<string, unknown> | null {
  try {
    const json: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytesOf64(text) ?? undefined));
    return typeof json === "object" && json !== null && !Array.isArray(json) ? (json as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

export type Credential = {
  /** The agent's id. */
  sub: string;
  iss: string;
  aud: string;
  jti: string;
  challenge: string;
  /** Unix seconds. */
  iat: number;
  /** Unix seconds. */
  exp: number;
};

export type CredentialOptions = KeyOptions & {
  /** Your audience, exactly as agents request it. */
  audience: string;
  /** Marks a challenge that you issued as used, atomically. True the first time; false for a used or unknown challenge. */
  useChallenge: (challenge: string) => boolean | Promise<boolean>;
};

/**
 * Returns a function that verifies credentials (JWS, RS256) of the service's agents. Create it once at startup: it caches the keys.
 *
 * The function throws VerificationError for an invalid credential (respond with 401); its `rules` can be "signature", "type", "issuer",
 * "audience", "lifetime", "challenge" and "single-use". Any other error means that the keys could not be read or `useChallenge` failed
 * (respond with 503).
 *
 * @example
 * const verify = credentialVerifier({ service: "https://tessera.example", audience: "https://shop.example", useChallenge });
 * const { sub: agentId, exp } = await verify(vc, challenge); // exp: Unix seconds
 */
export function credentialVerifier({ audience, useChallenge, ...options }: CredentialOptions) {
  const keyOf = keySet(options);
  return async (vc: string, challenge: string): Promise<Credential> => {
    const { header, payload } = await readJws(vc, keyOf);
    const rules = {
      type: header.typ === "agent-vc",
      issuer: payload.iss === "service-agent-did",
      // A list of audiences is refused: a credential has exactly one.
      audience: payload.aud === audience,
      lifetime: typeof payload.exp === "number" && Date.now() / 1000 < payload.exp,
      challenge: payload.challenge === challenge,
    };
    const broken = Object.entries(rules).flatMap(([rule, isKept]) => (isKept ? [] : [rule]));
    if (broken.length > 0) throw new VerificationError(broken);
    // Checked last: an invalid credential must not use up the challenge.
    if (!(await useChallenge(challenge))) throw new VerificationError(["single-use"]);
    // The service signs no token of this type without these claims.
    return payload as Credential;
  };
}

/** `amount` is atomic USDC. `iat` is Unix seconds, `settledAt` ISO 8601. */
export type SignedReceipt = Extract<GetReceiptResponse, { receipt: unknown }>["receipt"];

/**
 * Returns a function that verifies signed receipts (JWS, RS256) of `service`. Create it once at startup: it caches the keys. Compare
 * `payee`, `amount` (atomic USDC), `network` and `asset` with what you requested, and accept each `sub` (settlement) once.
 *
 * The function throws VerificationError with the rules "signature", "type" or "issuer". Any other error means that the keys could not
 * be read.
 *
 * @example
 * const verify = receiptVerifier({ service: "https://tessera.example" });
 * const { sub, payee, amount } = await verify(jws);
 * if (payee !== expectedPayee || amount !== expectedAmount) throw new Error(`${sub} is another payment`);
 */
export function receiptVerifier(options: KeyOptions) {
  const keyOf = keySet(options);
  const { origin } = new URL(options.service);
  return async (jws: string): Promise<SignedReceipt> => {
    const { header, payload } = await readJws(jws, keyOf);
    // The same keys sign login JWTs and credentials, which contain text chosen by agents.
    const broken = [...(header.typ === "receipt+jwt" ? [] : ["type"]), ...(payload.iss === origin ? [] : ["issuer"])];
    if (broken.length > 0) throw new VerificationError(broken);
    return payload as SignedReceipt;
  };
}
