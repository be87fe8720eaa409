import { createHmac, timingSafeEqual } from "node:crypto";

const TOLERANCE_SECONDS = 300;

/**
 * Verifies that a webhook is from the service, according to Standard Webhooks 1.0.0. `body` is the received text, unchanged:
 * verify it before you parse it. `secret` is the webhook's secret, including `whsec_`.
 *
 *   const { type, data } = verifyWebhook(secret, req.headers, body);
 *
 * Throws if the message is not authentic: answer 400.
 */
export function verifyWebhook(
  secret: string,
  headers: Record<string, string | string[] | undefined>,
  body: string,
  now: Date = new Date(),
): { type: string; timestamp: string; data: Record<string, unknown> } {
  const id = headers["webhook-id"];
  const timestamp = headers["webhook-timestamp"];
  const signatures = headers["webhook-signature"];
  if (typeof id !== "string" || typeof timestamp !== "string" || typeof signatures !== "string") {
    throw new Error("the message is not signed");
  }
  if (!/^\d+$/.test(timestamp) || Math.abs(now.getTime() / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) {
    throw new Error("the message is too old, or from the future");
  }
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const expected = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest();
  // There are two signatures while the secret is being rotated: one valid signature is enough.
  const isOurs = signatures.split(" ").some((signature) => {
    const given = Buffer.from(signature.startsWith("v1,") ? signature.slice(3) : "", "base64");
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  if (!isOurs) throw new Error("the signature is not the service's");
  return JSON.parse(body);
}
