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
    redact: { paths: names.flatMap((name) => [name, name.startsWith("[") ? `*${name}` : `*.${name}`]), remove: true },
  });
}
