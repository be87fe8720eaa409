import type { Fetch } from "./transport.ts";
import type { GetReceiptResponse } from "./types.ts";

/** Verifies what the service signs: webhooks, credentials and receipts. Needs only WebCrypto and fetch. */

export type WebhookEvent = { type: string; timestamp: string; data: Record<string, unknown> };

type HeaderSource = Headers | Record<string, string | string[] | undefined>;

const headerIn = (headers: HeaderSource, name: string): unknown =>
  "get" in headers && typeof headers.get === "function"
    ? headers.get(name)
    : (headers as Record<string, unknown>)[name];

const bytesOf64 = (text: string): Uint8Array<ArrayBuffer> | null => {
  try {
    return Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (char) => char.charCodeAt(0));
  } catch {
    return null;
  }
};

const BRAND = Symbol.for("@tessera/client.verification");

/** What was received is not authentic or not meant for you; `rules` are those that it breaks. Answer 400 or 401. */
export class VerificationError extends Error {
  override readonly name = "VerificationError";
  readonly [BRAND] = true;
  readonly rules: readonly string[];

  constructor(rules: readonly string[], message = `it breaks: ${rules.join(", ")}`) {
    super(message);
    this.rules = rules;
  }

  static is(error: unknown): error is VerificationError {
    return typeof error === "object" && error !== null && BRAND in error;
  }
}

/**
 * Verifies a webhook (Standard Webhooks 1.0.0). `body`: the received text, unchanged. `secret`: with `whsec_`. Throws
 * VerificationError. A message can arrive more than once: remember `webhook-id`.
 */
export async function verifyWebhook(
  secret: string,
  headers: HeaderSource,
  body: string,
  { now = new Date(), toleranceSeconds = 300 }: { now?: Date; toleranceSeconds?: number } = {},
): Promise<WebhookEvent> {
  const [id, timestamp, signatures] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) =>
    headerIn(headers, name),
  );
  if (typeof id !== "string" || typeof timestamp !== "string" || typeof signatures !== "string")
    throw new VerificationError(["signature"], "the message is not signed");
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now.getTime() / 1000 - Number(timestamp)) > toleranceSeconds)
    throw new VerificationError(["timestamp"], "the message is too old, or from the future");
  const raw = bytesOf64(secret.replace(/^whsec_/, ""));
  // An empty key would verify what anybody can sign.
  if (!raw || raw.length === 0) throw new TypeError("the secret is not that of a webhook (whsec_…)");
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", raw, algorithm, false, ["verify"]);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  // There are two signatures while the secret is being rotated.
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

/** The service's public keys by `kid`: cached for five minutes, and fetched for an unknown `kid` at most every 30 seconds. */
function keySet({ service, fetch = globalThis.fetch }: KeyOptions): (kid: string) => Promise<CryptoKey | undefined> {
  let keys = new Map<string, CryptoKey>();
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;
  const refreshKeys = async () => {
    // A browser would answer from its cache, even when a new key must be fetched.
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

/** The content of a JWS of the service. Throws VerificationError; any other error means that the keys could not be read. */
async function readJws(text: string, keyOf: (kid: string) => Promise<CryptoKey | undefined>): Promise<Jws> {
  const createSignatureError = () => new VerificationError(["signature"]);
  const [head = "", body = "", signature = "", ...extraParts] = text.length > JWS_CHARACTERS_MAX ? [] : text.split(".");
  const [header, payload] = [recordIn(head), recordIn(body)];
  const bytes = bytesOf64(signature);
  // Fixed here, because a token could name `none`, or HS256 with the public key as its secret.
  if (extraParts.length > 0 || !header || !payload || !bytes || header.alg !== "RS256" || "crit" in header)
    throw createSignatureError();
  const key = typeof header.kid === "string" ? await keyOf(header.kid) : undefined;
  const signed = new TextEncoder().encode(`${head}.${body}`);
  if (!key || !(await crypto.subtle.verify("RSASSA-PKCS1-v1_5", key, bytes, signed))) throw createSignatureError();
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
  exp: number;
};

export type CredentialOptions = KeyOptions & {
  /** Your audience, exactly as you give it to agents. */
  audience: string;
  /** Marks one of your challenges as used, atomically: true the first time, false afterwards. */
  useChallenge: (challenge: string) => boolean | Promise<boolean>;
};

/**
 * Create one verifier at startup and keep it: it caches the keys. Its result throws VerificationError for an invalid
 * credential (answer 401), and another error if the keys could not be read (answer 503).
 */
export function credentialVerifier({ audience, useChallenge, ...options }: CredentialOptions) {
  const keyOf = keySet(options);
  return async (vc: string, challenge: string): Promise<Credential> => {
    const { header, payload } = await readJws(vc, keyOf);
    const rules = {
      type: header.typ === "agent-vc",
      issuer: payload.iss === "service-agent-did",
      // False for a list: a credential has one audience.
      audience: payload.aud === audience,
      lifetime: typeof payload.exp === "number" && Date.now() / 1000 < payload.exp,
      challenge: payload.challenge === challenge,
    };
    const broken = Object.entries(rules).flatMap(([rule, isKept]) => (isKept ? [] : [rule]));
    if (broken.length > 0) throw new VerificationError(broken);
    // Last, so that only a valid credential can use up its challenge.
    if (!(await useChallenge(challenge))) throw new VerificationError(["single-use"]);
    // Everything that the service signs with this type has these claims.
    return payload as Credential;
  };
}

export type SignedReceipt = Extract<GetReceiptResponse, { receipt: unknown }>["receipt"];

/**
 * Verifies signed receipts of `service`, its origin. Compare payee, amount, network and asset with what you requested, and
 * accept each `sub` once. Throws as `credentialVerifier` does.
 */
export function receiptVerifier(options: KeyOptions) {
  const keyOf = keySet(options);
  const { origin } = new URL(options.service);
  return async (jws: string): Promise<SignedReceipt> => {
    const { header, payload } = await readJws(jws, keyOf);
    // The same keys sign login JWTs and credentials, which can contain text that an agent chose.
    const broken = [...(header.typ === "receipt+jwt" ? [] : ["type"]), ...(payload.iss === origin ? [] : ["issuer"])];
    if (broken.length > 0) throw new VerificationError(broken);
    return payload as SignedReceipt;
  };
}
