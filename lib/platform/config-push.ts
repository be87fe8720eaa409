import { createECDH } from "node:crypto";
import { z } from "zod";

/** Keys for notices in browsers (VAPID, RFC 8292). Both or neither: without them the service generates its own. */
export const PUSH_VARIABLES = {
  VAPID_PUBLIC_KEY: z
    .string()
    .regex(/^[\w-]{87}$/, "must be 65 bytes of base64url")
    .optional(),
  VAPID_PRIVATE_KEY: z
    .string()
    .regex(/^[\w-]{43}$/, "must be 32 bytes of base64url")
    .optional(),
  /** Where a push service reaches the operator. */
  VAPID_SUBJECT: z.url({ protocol: /^(https|mailto)$/, error: "must be an https:// or mailto: URL" }).optional(),
};

const schema = z.object(PUSH_VARIABLES);

/** The fault of the key pair, after the name of its variable; null if there is none. */
export function pairFault({
  VAPID_PUBLIC_KEY: key,
  VAPID_PRIVATE_KEY: secret,
}: z.output<typeof schema>): string | null {
  if ((key === undefined) !== (secret === undefined)) {
    return "VAPID_PUBLIC_KEY: set it together with VAPID_PRIVATE_KEY, or neither";
  }
  return key === undefined || secret === undefined || key === publicOf(secret)
    ? null
    : "VAPID_PUBLIC_KEY: must belong to VAPID_PRIVATE_KEY";
}

function publicOf(secret: string): string | null {
  const ecdh = createECDH("prime256v1");
  try {
    ecdh.setPrivateKey(secret, "base64url");
  } catch {
    // The key is 0, or not below the order of the curve.
    return null;
  }
  return ecdh.getPublicKey("base64url");
}

export type VapidKeys = { publicKey: string; privateKey: string };
/** `keys`: null if the service generates its own. */
export type PushConfig = { keys: VapidKeys | null; subject: string };

export const pushOf = (settings: z.output<typeof schema>, baseUrl: string): PushConfig => {
  const { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey, VAPID_SUBJECT } = settings;
  return {
    keys: publicKey !== undefined && privateKey !== undefined ? { publicKey, privateKey } : null,
    // Only a devnet has no https. Its notices reach receivers on the same machine, and push services that accept this subject.
    subject: VAPID_SUBJECT ?? (baseUrl.startsWith("https:") ? baseUrl : "mailto:operator@localhost"),
  };
};
