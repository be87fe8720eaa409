import pino, { type DestinationStream, type LogFn, type Logger } from "pino";

export type Log = Logger;

/** Fields that would let a reader of the log pay or log in. */
const SECRETS = new Set([
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
  "x-payment",
  "payment-signature",
  "sign-in-with-x",
]);

const WARN = 40;

/**
 * One JSON line per event. Removes the fields of SECRETS, up to two levels deep. `onWarning` gets the message of each line of
 * level warn or error.
 */
export function createLog(level: string, to?: DestinationStream, onWarning?: (message: unknown) => void): Log {
  return pino(
    {
      level,
      ...(onWarning && {
        hooks: {
          logMethod(line: Parameters<LogFn>, write: LogFn, lineLevel: number) {
            if (lineLevel >= WARN) onWarning(line[1]);
            write.apply(this, line);
          },
        },
      }),
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      // Not pino's `redact`: with wildcards it takes more than twice as long as writing the line.
      formatters: { level: (label) => ({ level: label }), log: (line) => withoutSecrets(line, LEVELS) },
      serializers: { err: describeError },
    },
    to ?? pino.destination(1),
  );
}

const LEVELS = 2;

function withoutSecrets(object: object, levels: number): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(object)) {
    if (SECRETS.has(name)) continue;
    kept[name] = levels > 1 && isPlain(value) ? withoutSecrets(value, levels - 1) : value;
  }
  return kept;
}

const isPlain = (value: unknown): value is object =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;

type Described = { name: string; code?: unknown; message: string; at: string[]; cause?: Described };

/**
 * An error without the data it was about. Drivers and RPC clients put parameters, calldata and URLs into their messages:
 * proofs, sealed keys and a provider's API key.
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
