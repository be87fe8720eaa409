import { createHmac, randomBytes } from "node:crypto";
import { unixSeconds } from "@/lib/core/time";

const PREFIX = "whsec_";
const SECRET_BYTES = 32;

/** A secret in the format of Standard Webhooks: `whsec_` and base64. */
export const newSecret = (): string => `${PREFIX}${randomBytes(SECRET_BYTES).toString("base64")}`;

export type SignedContent = { eventId: string; body: string; sentAt: Date };

/**
 * The headers of Standard Webhooks 1.0.0, signed over `{id}.{timestamp}.{body}`. One signature per secret: during a rotation a
 * receiver can verify with either.
 */
export function signatureHeaders(
  secrets: readonly string[],
  { eventId, body, sentAt: time }: SignedContent,
): Record<string, string> {
  const timestamp = String(unixSeconds(time));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), "base64");
    return `v1,${createHmac("sha256", key).update(`${eventId}.${timestamp}.${body}`).digest("base64")}`;
  });
  return {
    "webhook-id": eventId,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures.join(" "),
  };
}
