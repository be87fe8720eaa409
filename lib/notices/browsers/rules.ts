import { ECDH } from "node:crypto";
import { oneLine } from "@/lib/platform/summary";
import type { Notice, SendOutcome } from "../rules";

export const BROWSERS_MAX = 10;

const TITLE_CHARACTERS_MAX = 120;
const TEXT_CHARACTERS_MAX = 300;

/** The payload for the service worker: the notice, and the path it opens. Well below the 4 KB limit of push services. */
export const bodyOf = ({ subject, lines, path, about }: Omit<Notice, "kind" | "isSmall">): string =>
  JSON.stringify({
    title: oneLine(subject, TITLE_CHARACTERS_MAX),
    text: oneLine(lines[0] ?? "", TEXT_CHARACTERS_MAX),
    path,
    tag: about,
  });

/** The maximum of DNS. No VAPID token can be signed for a longer host. */
export const HOST_CHARACTERS_MAX = 253;

/** Whether `p256dh` is an uncompressed point of P-256. */
export function isPublicKey(p256dh: string): boolean {
  try {
    ECDH.convertKey(p256dh, "prime256v1", "base64url");
    // Uncompressed points start with 0x04, `B` in base64url.
    return p256dh.startsWith("B");
  } catch {
    // Node throws several kinds of errors for invalid points.
    return false;
  }
}

/** The outcome of a push service's status (RFC 8030). `gone`: the subscription no longer exists. */
export function outcomeOf(status: number): SendOutcome | "gone" {
  if (status >= 200 && status < 300) return "sent";
  if (status === 404 || status === 410) return "gone";
  return status >= 400 && status < 500 && status !== 408 && status !== 425 && status !== 429 ? "refused" : "unknown";
}

const WAIT_SECONDS_MAX = 6 * 3600;

/** `Retry-After` in seconds, up to six hours; 0 if it is absent or a date. */
export const waitSecondsOf = (retryAfter: string | undefined): number =>
  retryAfter !== undefined && /^\d{1,9}$/.test(retryAfter) ? Math.min(Number(retryAfter), WAIT_SECONDS_MAX) : 0;
