import { ECDH } from "node:crypto";
import { type Notice, type Outcome, oneLine } from "../rules";

export const BROWSERS_MAX = 10;

const TITLE_CHARACTERS_MAX = 120;
const TEXT_CHARACTERS_MAX = 300;

/** What the service worker shows, and the page of this site that it opens. Far below the 4 KB that push services take. */
export const bodyOf = ({ subject, lines, path, about }: Omit<Notice, "kind" | "isSmall">): string =>
  JSON.stringify({
    title: oneLine(subject, TITLE_CHARACTERS_MAX),
    text: oneLine(lines[0] ?? "", TEXT_CHARACTERS_MAX),
    path,
    tag: about,
  });

/** What DNS has at most. Of longer ones no message can be signed. */
const HOST_CHARACTERS_MAX = 253;

export const isHostTooLong = (endpoint: string): boolean => new URL(endpoint).hostname.length > HOST_CHARACTERS_MAX;

/** Whether `p256dh` is a point of the curve. */
export function isPublicKey(p256dh: string): boolean {
  try {
    ECDH.convertKey(p256dh, "prime256v1", "base64url");
    // Of the uncompressed form.
    return p256dh.startsWith("B");
  } catch {
    // Node says in several ways that it is none.
    return false;
  }
}

/** What a push service's status means (RFC 8030): `gone` is the subscription. */
export function outcomeOf(status: number): Outcome | "gone" {
  if (status >= 200 && status < 300) return "sent";
  if (status === 404 || status === 410) return "gone";
  return status >= 400 && status < 500 && status !== 408 && status !== 425 && status !== 429 ? "refused" : "unknown";
}

const WAIT_SECONDS_MAX = 6 * 3600;

/** The seconds that a Retry-After asks for; 0 without one, or for a date. */
export const waitSecondsOf = (retryAfter: string | undefined): number =>
  retryAfter !== undefined && /^\d{1,9}$/.test(retryAfter) ? Math.min(Number(retryAfter), WAIT_SECONDS_MAX) : 0;
