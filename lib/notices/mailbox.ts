import { createHash } from "node:crypto";

/**
 * The mailbox that an address is counted as: the spellings that many providers deliver to one person are the same. A hash, since
 * counts need no addresses.
 */
export function mailboxOf(email: string): string {
  const [, local = "", domain = ""] = /^([^@]*)@(.*)$/.exec(email.toLowerCase()) ?? [];
  const box = local.replace(/\+.*$/, "").replaceAll(".", "");
  return createHash("sha256").update(`${box}@${domain}`).digest("hex");
}
