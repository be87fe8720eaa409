import { bareHost, isAddress, isLoopback, isPublicAddress } from "@/lib/core/ip";
import { addSeconds } from "@/lib/core/time";
import type { Reply, Unreached } from "@/lib/platform/outbound";
import { isEcho, type PublicType, TEST_TYPE, VERIFICATION_TYPE } from "./catalogue";
import type { DeliveryState, DisabledBy } from "./tables";

export const WEBHOOKS_MAX = 10;
export const OVERLAP_SECONDS = 24 * 3600;
export const KEPT_SECONDS = 30 * 24 * 3600;
/** An attempt that nobody has ended for so long was made by a process that is gone. Longer than an attempt can last. */
export const ATTEMPT_SECONDS_MAX = 60;

// Where to

export type UrlFault = "url_invalid" | "url_has_credentials" | "url_not_https" | "url_not_public";

/**
 * The URL to store, or what is wrong with it. What a name stands for is looked at when it is connected to; here is told what
 * could never work. On a devnet a program on the same machine may listen, without TLS too.
 */
export function readUrl(text: string, isDevnet: boolean): { url: string } | { fault: UrlFault } {
  if (!URL.canParse(text)) return { fault: "url_invalid" };
  const url = new URL(text);
  url.hash = "";
  if (url.username || url.password) return { fault: "url_has_credentials" };
  const host = bareHost(url);
  const isOwnMachine = isDevnet && (host === "localhost" || isLoopback(host));
  if (url.protocol !== "https:" && !(isOwnMachine && url.protocol === "http:")) return { fault: "url_not_https" };
  if (isOwnMachine) return { url: url.href };
  const isPublic = isAddress(host) ? isPublicAddress(host) : host.includes(".");
  return isPublic ? { url: url.href } : { fault: "url_not_public" };
}

/** Whom a URL reaches: its host without the port, so that the ports of one machine are one receiver. */
export function receiverOf(url: string): string {
  const parsed = new URL(url);
  const host = bareHost(parsed);
  // The programs of a devnet share one machine.
  return host === "localhost" || isLoopback(host) ? `${host}:${parsed.port}` : host;
}

// How an attempt ended

/** Why an attempt was none that counts as delivered. */
export type Failure = Unreached | "gone" | "redirect" | "status" | "not_echoed";

/** `sent`: what the reply is to. */
export function failureOf(reply: Reply, sent: { type: PublicType; body: string }): Failure | null {
  if (!reply.isAnswered) return reply.why;
  if (reply.status >= 200 && reply.status < 300) {
    return sent.type === VERIFICATION_TYPE && !isEcho(sent.body, reply.body) ? "not_echoed" : null;
  }
  if (reply.status === 410) return "gone";
  return reply.status >= 300 && reply.status < 400 ? "redirect" : "status";
}

export type Tried = { type: PublicType; tries: number; triedSince: Date };
export type Standing = { isEnabled: boolean; enabledAt: Date; succeededAt: Date | null };
export type Verdict = { state: DeliveryState; nextAttemptAt?: Date; disable: DisabledBy | null };

/**
 * What follows from an attempt. `chance` is from 0 up to 1. A webhook is switched off when it says that it is gone, and when
 * a delivery is given up on and nothing else got through in all that time.
 */
export function afterAttempt(
  tried: Tried,
  webhook: Standing,
  {
    failure,
    retryAfter,
    now,
    chance,
  }: { failure: Failure | null; retryAfter: string | null; now: Date; chance: number },
): Verdict {
  if (failure === null) return { state: "delivered", disable: null };
  if (failure === "gone") return { state: "failed", disable: "gone" };
  if (tried.type === TEST_TYPE || tried.type === VERIFICATION_TYPE) return { state: "failed", disable: null };
  const nextAttemptAt = retryAt(tried, { now, chance, retryAfterSeconds: retryAfterSeconds(retryAfter, now) });
  if (nextAttemptAt) return { state: webhook.isEnabled ? "waiting" : "paused", nextAttemptAt, disable: null };
  const lastGood =
    webhook.succeededAt && webhook.succeededAt > webhook.enabledAt ? webhook.succeededAt : webhook.enabledAt;
  return { state: "failed", disable: lastGood < tried.triedSince ? "failing" : null };
}

const DELAYS_SECONDS = [5, 30, 120, 600, 1800, 3600, 3 * 3600, 6 * 3600];
const LAST_DELAY_SECONDS = 12 * 3600;
const GIVE_UP_SECONDS = 72 * 3600;
const RETRY_AFTER_SECONDS_MAX = 6 * 3600;

/** When to try again; null once it was tried for three days. The last attempt is made at their very end. */
export function retryAt(
  { tries, triedSince }: Pick<Tried, "tries" | "triedSince">,
  { now, chance, retryAfterSeconds = 0 }: { now: Date; chance: number; retryAfterSeconds?: number },
): Date | null {
  const end = addSeconds(triedSince, GIVE_UP_SECONDS);
  if (now >= end) return null;
  // A tenth more or less, so that what failed together does not come back together.
  const delay = (DELAYS_SECONDS[tries - 1] ?? LAST_DELAY_SECONDS) * (0.9 + 0.2 * chance);
  const next = addSeconds(now, Math.max(delay, Math.min(retryAfterSeconds, RETRY_AFTER_SECONDS_MAX)));
  return new Date(Math.min(next.getTime(), end.getTime()));
}

/** `Retry-After`: seconds or an HTTP date; 0 for anything else. */
export function retryAfterSeconds(text: string | null, now: Date): number {
  if (text === null) return 0;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const at = Date.parse(text);
  return Number.isNaN(at) ? 0 : Math.max(0, (at - now.getTime()) / 1000);
}

// What is sent next

/** How many are sent at once, by one process. */
export const SENDS_MAX = 64;
/** However many webhooks, of however many owners, name the host. */
const SENDS_PER_RECEIVER = 2;
/** A receiver that takes so long counts as failing, whatever it answers: it holds a place all that time. */
export const SLOW_MS = 3000;
/** Receivers that do not answer hold a place for ten seconds each: they must not hold all of them. */
const SENDS_TO_FAILING_MAX = 32;
/** A stranger can give one slow machine any number of names. What has agreed to be sent to, and takes it, keeps places of its own. */
const SENDS_TO_DOUBTFUL_MAX = 48;

export type Send<Id> = { id: Id; receiver: string; isFailing: boolean; isVerified: boolean };

const roomFor = (isFailing: boolean) => (isFailing ? 1 : SENDS_PER_RECEIVER);

/** Whether nothing may be sent to any failing, and to any unverified webhook, beside those that are under way. */
export const closedTo = <Id>(underway: readonly Send<Id>[]): { failing: boolean; unverified: boolean } => {
  const failing = underway.filter(({ isFailing }) => isFailing).length;
  const doubtful = underway.filter(({ isFailing, isVerified }) => isFailing || !isVerified).length;
  const isClosed = doubtful >= SENDS_TO_DOUBTFUL_MAX;
  return { failing: isClosed || failing >= SENDS_TO_FAILING_MAX, unverified: isClosed };
};

/** Whether its receiver takes no other one beside those that are under way. */
export const isFull = <Id>(
  underway: readonly Send<Id>[],
  { receiver, isFailing }: Pick<Send<Id>, "receiver" | "isFailing">,
): boolean => underway.filter((send) => send.receiver === receiver).length >= roomFor(isFailing);

/** Those of `due`, in their order, that may be sent beside those that are under way. */
export function choose<Id, Due extends { webhook: Send<Id> }>(
  due: readonly Due[],
  underway: readonly Send<Id>[],
): Due[] {
  const sends = [...underway];
  return due.filter(({ webhook }) => {
    const closed = closedTo(sends);
    const isClosed = (closed.failing && webhook.isFailing) || (closed.unverified && !webhook.isVerified);
    if (sends.length >= SENDS_MAX || isClosed || isFull(sends, webhook)) return false;
    sends.push(webhook);
    return true;
  });
}

type Logged = {
  delivery: { state: DeliveryState; nextAttemptAt: Date };
  attempts: readonly { durationMs: number | null }[];
};

/** An attempt was begun and not ended, and whoever made it may still be there. */
export const isUnderway = ({ delivery, attempts }: Logged, now: Date): boolean =>
  delivery.state === "waiting" && attempts.at(-1)?.durationMs === null && delivery.nextAttemptAt > now;
