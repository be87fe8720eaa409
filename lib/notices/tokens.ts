import { id } from "@/lib/core/id-text";
import type { OwnerId } from "@/lib/core/ids";
import { isSameSecret } from "@/lib/core/same-secret";
import { unixSeconds } from "@/lib/core/time";
import type { System } from "@/lib/platform/context";
import { keysFor } from "@/lib/platform/secrets";

/** Tokens in mail links are authenticated with a key of the service and not stored. A confirmation token is valid for one day. */

const CONFIRM_SECONDS = 86_400;
const ownerIdOf = id("owner");

/** A token for one address of one owner. */
export async function confirmToken(system: System, ownerId: OwnerId, email: string): Promise<string> {
  const expires = unixSeconds(system.now()) + CONFIRM_SECONDS;
  const key = await keysFor(system, "email_confirmation");
  return [ownerId, expires, Buffer.from(email).toString("base64url"), key(`${ownerId} ${expires} ${email}`)].join(".");
}

/** The owner and address in a token; null if it is forged or expired. */
export async function readConfirmToken(
  system: System,
  token: string,
): Promise<{ ownerId: OwnerId; email: string } | null> {
  const [owner, expiresText = "", encoded = "", mac = "", ...extraParts] = token.split(".");
  const ownerId = ownerIdOf.safeParse(owner);
  const expires = Number(expiresText);
  if (!ownerId.success || extraParts.length > 0 || !(unixSeconds(system.now()) <= expires)) return null;
  const email = Buffer.from(encoded, "base64url").toString();
  const key = await keysFor(system, "email_confirmation");
  return isSameSecret(mac, key(`${ownerId.data} ${expires} ${email}`)) ? { ownerId: ownerId.data, email } : null;
}

export async function unsubscribeToken(system: System, ownerId: OwnerId): Promise<string> {
  return `${ownerId}.${(await keysFor(system, "email_unsubscribe"))(ownerId)}`;
}

export async function readUnsubscribeToken(system: System, token: string): Promise<OwnerId | null> {
  const [owner, mac = "", ...extraParts] = token.split(".");
  const ownerId = ownerIdOf.safeParse(owner);
  if (!ownerId.success || extraParts.length > 0) return null;
  return isSameSecret(mac, (await keysFor(system, "email_unsubscribe"))(ownerId.data)) ? ownerId.data : null;
}
