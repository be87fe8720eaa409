import pino, { type Logger } from "pino";

export type Log = Logger;

/** One JSON line an event. Whatever could pay or log in is cut out by name, wherever it stands up to two levels deep. */
export function makeLog(level: string): Log {
  const names = [
    "authorization",
    "cookie",
    "signature",
    "token",
    "jwt",
    "vc",
    "challenge",
    "xPayment",
    "xPaymentB64",
    "paymentPayloadB64",
    "privateKey",
    '["x-payment"]',
    '["payment-signature"]',
  ];
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: describeError },
    redact: { paths: names.flatMap((name) => [name, name.startsWith("[") ? `*${name}` : `*.${name}`]), remove: true },
  });
}

type Described = { name: string; code?: unknown; message: string; at: string[]; cause?: Described };

/**
 * An error without what it was about: drivers and RPC clients write parameters, calldata and URLs into the rest of their
 * messages, and with them proofs, sealed keys and a provider's key.
 */
export function describeError(thrown: unknown): Described {
  if (!(thrown instanceof Error)) return { name: typeof thrown, message: "not an error", at: [] };
  const short = "shortMessage" in thrown ? String(thrown.shortMessage) : thrown.message;
  return {
    name: thrown.name,
    ...("code" in thrown && { code: thrown.code }),
    message: (short.split("\n")[0] ?? "").slice(0, 200),
    at: (thrown.stack ?? "")
      .split("\n")
      .filter((line) => /^\s+at /.test(line))
      .map((line) => line.trim()),
    ...(thrown.cause !== undefined && { cause: describeError(thrown.cause) }),
  };
}
