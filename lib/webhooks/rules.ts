import { bareHost, isLoopback } from "@/lib/core/ip";
import { addSeconds, retryAfterSeconds } from "@/lib/core/time";
import type { Reply } from "@/lib/platform/outbound";
import { type PublicType, TEST_TYPE, VERIFICATION_TYPE } from "./catalogue";
import { isEcho } from "./messages";
import type { DeliveryFailure, DeliveryState, DisabledBy } from "./states";

export const WEBHOOKS_MAX = 10;
export const OVERLAP_SECONDS = 24 * 3600;
export const KEPT_SECONDS = 30 * 24 * 3600;
/** After this time an attempt without an end is presumed dead with its process. Longer than any attempt can take. */
export const ATTEMPT_SECONDS_MAX = 60;

/** The receiver of a URL: its host without the port, so that all ports of a machine share its limits. */
export function receiverOf(url: string): string {
  const parsed = new URL(url);
  const host = bareHost(parsed);
  // On a devnet all receivers share one machine, so the port is part of the key.
  return host === "localhost" || isLoopback(host) ? `${host}:${parsed.port}` : host;
}

/** `message`: the message that was sent. */
export function failureOf(reply: Reply, message: { type: PublicType; body: string }): DeliveryFailure | null {
  if (!reply.isAnswered) return reply.why;
  if (reply.status >= 200 && reply.status < 300) {
    return message.type === VERIFICATION_TYPE && !isEcho(message.body, reply.body) ? "not_echoed" : null;
  }
  if (reply.status === 410) return "gone";
  return reply.status >= 300 && reply.status < 400 ? "redirect" : "status";
}

export type TriedDelivery = { type: PublicType; tries: number; triedSince: Date };
export type WebhookStanding = { isEnabled: boolean; enabledAt: Date; succeededAt: Date | null };
export type AttemptVerdict = { state: DeliveryState; nextAttemptAt?: Date; disable: DisabledBy | null };

/**
 * The next state of a delivery after an attempt. A webhook is disabled when it answers 410, or when a delivery's retries end and no
 * other delivery has succeeded since they began. `chance`: random, 0 to 1.
 */
export function afterAttempt(
  tried: TriedDelivery,
  webhook: WebhookStanding,
  {
    failure,
    retryAfter,
    now,
    chance,
  }: { failure: DeliveryFailure | null; retryAfter: string | null; now: Date; chance: number },
): AttemptVerdict {
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

/** The time of the next retry; null after three days. The last retry is exactly at the end of the three days. */
export function retryAt(
  { tries, triedSince }: Pick<TriedDelivery, "tries" | "triedSince">,
  { now, chance, retryAfterSeconds = 0 }: { now: Date; chance: number; retryAfterSeconds?: number },
): Date | null {
  const end = addSeconds(triedSince, GIVE_UP_SECONDS);
  if (now >= end) return null;
  // 10 % jitter, so that deliveries that failed together are not retried together.
  const delay = (DELAYS_SECONDS[tries - 1] ?? LAST_DELAY_SECONDS) * (0.9 + 0.2 * chance);
  const next = addSeconds(now, Math.max(delay, Math.min(retryAfterSeconds, RETRY_AFTER_SECONDS_MAX)));
  return new Date(Math.min(next.getTime(), end.getTime()));
}

/** Maximum number of concurrent sends per process. */
export const SENDS_MAX = 64;
/** Across all webhooks and owners that share the host. */
const SENDS_PER_RECEIVER = 2;
/** A receiver slower than this counts as failing, whatever its status, because it occupies a slot. */
export const SLOW_MS = 3000;
/** Unresponsive receivers occupy a slot for ten seconds each and must not occupy all of them. */
const SENDS_TO_FAILING_MAX = 32;
/**
 * Sends to failing or unverified receivers. One slow machine can have many host names, so the other slots are reserved for
 * verified, healthy receivers.
 * Why: docs/decisions.md, 94.
 */
const SENDS_TO_DOUBTFUL_MAX = 48;

export type WebhookSend<Id> = { id: Id; receiver: string; isFailing: boolean; isVerified: boolean };

/** Whether the sends in progress leave no slot for failing, or for unverified, webhooks. */
export const closedTo = <Id>(underway: readonly WebhookSend<Id>[]): { failing: boolean; unverified: boolean } => {
  const failing = underway.filter(({ isFailing }) => isFailing).length;
  const doubtful = underway.filter(({ isFailing, isVerified }) => isFailing || !isVerified).length;
  const isClosed = doubtful >= SENDS_TO_DOUBTFUL_MAX;
  return { failing: isClosed || failing >= SENDS_TO_FAILING_MAX, unverified: isClosed };
};

/** Whether the sends in progress leave no slot for this receiver. */
export const isFull = <Id>(
  underway: readonly WebhookSend<Id>[],
  { receiver, isFailing }: Pick<WebhookSend<Id>, "receiver" | "isFailing">,
): boolean => underway.filter((send) => send.receiver === receiver).length >= (isFailing ? 1 : SENDS_PER_RECEIVER);

/** The deliveries of `due`, in order, that fit beside the sends in progress. */
export function choose<Id, Due extends { webhook: WebhookSend<Id> }>(
  due: readonly Due[],
  underway: readonly WebhookSend<Id>[],
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

/** Whether an attempt has no recorded end and its process may still be alive. */
export const isUnderway = ({ delivery, attempts }: Logged, now: Date): boolean =>
  delivery.state === "waiting" && attempts.at(-1)?.durationMs === null && delivery.nextAttemptAt > now;
