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

/** Values may contain strangers' texts. */
const TEXT_CHARACTERS_MAX = 500;
const STACK_LINES_MAX = 20;
const CAUSES_MAX = 4;
/** Maximum JSON length of an array or a nested object. */
const FIELD_CHARACTERS_MAX = 2_000;

/**
 * One JSON line per event. Removes the fields of SECRETS, up to two levels deep, and cuts long values. `onWarning` gets the message of each line of
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
      serializers: { err: (error: unknown) => describeError(error) },
    },
    to ?? pino.destination(1),
  );
}

const LEVELS = 2;

function withoutSecrets(object: object, levels: number): Record<string, unknown> {
  const safeFields: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(object)) {
    if (SECRETS.has(name)) continue;
    const isPlainObject =
      typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
    safeFields[name] = levels > 1 && isPlainObject ? withoutSecrets(value, levels - 1) : bounded(value);
  }
  return safeFields;
}

/** An error is left to its serializer. */
function bounded(value: unknown): unknown {
  if (typeof value === "string") return shortened(value, TEXT_CHARACTERS_MAX);
  if (typeof value !== "object" || value === null || value instanceof Error) return value;
  const text = jsonOf(value);
  if (text === null) return CIRCULAR;
  return text.length > FIELD_CHARACTERS_MAX ? shortened(text, TEXT_CHARACTERS_MAX) : value;
}

const CIRCULAR = "[circular]";

/** Null for a circular object. */
function jsonOf(value: object): string | null {
  try {
    return JSON.stringify(value, (_, one) => (typeof one === "bigint" ? one.toString() : one)) ?? "";
  } catch {
    return null;
  }
}

const shortened = (text: string, max: number): string => (text.length > max ? `${text.slice(0, max)}…` : text);

type Described = { name: string; code?: unknown; message: string; at: string[]; cause?: Described };

/**
 * An error without the data it was about. Drivers and RPC clients put parameters, calldata and URLs into their messages, and with them
 * proofs, sealed keys and a provider's API key.
 */
function describeError(error: unknown, causes = CAUSES_MAX): Described {
  if (!(error instanceof Error)) return { name: typeof error, message: "not an error", at: [] };
  const short = "shortMessage" in error ? String(error.shortMessage) : error.message;
  return {
    name: shortened(String(error.name), TEXT_CHARACTERS_MAX),
    ...("code" in error && { code: bounded(error.code) }),
    message: (short.split("\n")[0] ?? "").slice(0, 200),
    at: (error.stack ?? "")
      .split("\n")
      .filter((line) => /^\s+at /.test(line))
      .slice(0, STACK_LINES_MAX)
      .map((line) => shortened(line.trim(), TEXT_CHARACTERS_MAX)),
    ...(error.cause !== undefined && causes > 0 && { cause: describeError(error.cause, causes - 1) }),
  };
}
