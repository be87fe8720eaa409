import type { AgentId, OwnerId, WebhookId } from "@/lib/core/ids";
import { newId } from "@/lib/core/ids";
import { addSeconds } from "@/lib/core/time";
import { enqueue, type Owned } from "@/lib/notices/enqueue";
import { announce, announceSoon } from "@/lib/platform/announcements";
import type { System } from "@/lib/platform/context";
import type { Tx } from "@/lib/platform/db";
import { type PastEvent, record, takeUndelivered } from "@/lib/platform/events";
import { failpoint } from "@/lib/platform/failpoint";
import { assertLease, type Lease } from "@/lib/platform/lease";
import { takeTurn } from "@/lib/platform/limiter";
import { createPost, type Post, type Reply } from "@/lib/platform/outbound";
import type { Job } from "@/lib/platform/worker";
import { VERIFICATION_TYPE } from "./catalogue";
import * as deliveries from "./delivery-store";
import { messageOf } from "./messages";
import {
  ATTEMPT_SECONDS_MAX,
  afterAttempt,
  choose,
  closedTo,
  failureOf,
  isFull,
  KEPT_SECONDS,
  SENDS_MAX,
  SLOW_MS,
  type WebhookSend,
} from "./rules";
import { signatureHeaders } from "./signature";
import * as store from "./store";

const EVENTS_AT_ONCE = 500;
const DUE_AT_ONCE = 4 * SENDS_MAX;
/** Pause between rounds while sends are in progress: each finished send frees a slot. */
const BUSY_MS = 50;
const FORGET_PERIOD_SECONDS = 3600;
const FORGOTTEN_AT_ONCE = 1000;
const REPLY_CHARACTERS_MAX = 2000;

type Underway = WebhookSend<WebhookId> & { sending: Promise<void> };

/**
 * Turns events into deliveries, sends due ones and deletes old ones. The lease limits this to one process. Each send is also
 * claimed in the database, because it outlives its round and may outlive the lease.
 */
export function webhookJob(
  system: System,
  post: Post = createPost({ allowsLoopback: system.config.mode === "devnet" }),
): Job {
  const underway = new Set<Underway>();
  let forgetAt = new Date(0);

  return {
    name: "webhooks",
    round: async (lease) => {
      const { events, sends } = await deliveries.work(system.db, system.now());
      const passed = events ? await passOn(system, lease) : 0;
      const claimed = sends || passed > 0 ? await claim(system, lease, [...underway]) : [];
      for (const { delivery, webhook } of claimed) {
        const sending = send(system, post, delivery, webhook)
          // The attempt has no recorded end, so it is repeated after ATTEMPT_SECONDS_MAX.
          .catch((err) => system.log.error({ deliveryId: delivery.id, err }, "webhook.record_failed"))
          .finally(() => underway.delete(ownSend));
        const ownSend: Underway = { ...webhook, sending };
        underway.add(ownSend);
      }
      const now = system.now();
      if (now >= forgetAt) {
        const forgotten = await deliveries.forget(system.db, addSeconds(now, -KEPT_SECONDS), FORGOTTEN_AT_ONCE);
        if (forgotten < FORGOTTEN_AT_ONCE) forgetAt = addSeconds(system.now(), FORGET_PERIOD_SECONDS);
      }
      if (passed === EVENTS_AT_ONCE) return 0;
      return underway.size > 0 ? BUSY_MS : system.config.pollMilliseconds;
    },
    stop: async () => void (await Promise.all([...underway].map(({ sending }) => sending))),
  };
}

/**
 * Creates a delivery of each new event for each subscribed webhook, announces it to open pages and queues notices. Returns the
 * number of events.
 * Why: docs/decisions.md, 32.
 */
export const passOn = (system: System, lease: Lease): Promise<number> =>
  system.db.transaction(async (tx) => {
    await assertLease(tx, lease);
    const events = await takeUndelivered(tx, EVENTS_AT_ONCE);
    const time = system.now();
    const owned = await withOwners(tx, events);
    await announce(
      tx,
      owned.map(({ ownerId, event: { id, type } }) => ({ ownerId, id, kind: type })),
    );
    await enqueue(system, tx, owned);
    const messages = owned.flatMap(({ event, ownerId }) => {
      const message = messageOf(event);
      // Event ids come from newId.
      return message ? [{ ownerId, message, eventId: event.id as `evt_${string}` }] : [];
    });
    if (messages.length > 0) {
      const webhooks = await deliveries.holdEnabled(tx, [...new Set(messages.map(({ ownerId }) => ownerId))]);
      await deliveries.addDeliveries(
        tx,
        messages.flatMap(({ ownerId, message, eventId }) =>
          webhooks
            .filter((w) => w.ownerId === ownerId && (w.eventTypes === null || w.eventTypes.includes(message.type)))
            .map((w) => newDelivery(w.id, eventId, message, time)),
        ),
      );
    }
    return events.length;
  });

/** Assigns events without an owner to the owner of their agent; drops them while the agent has none. */
async function withOwners(tx: Tx, events: readonly PastEvent[]): Promise<Owned[]> {
  const unowned = events.flatMap(({ ownerId, agentId }) => (ownerId === null && agentId ? [agentId] : []));
  // Events record branded ids.
  const byAgent = unowned.length > 0 ? await deliveries.ownersOf(tx, unowned as AgentId[]) : new Map<string, OwnerId>();
  return events.flatMap((event) => {
    const ownerId = (event.ownerId as OwnerId | null) ?? byAgent.get(event.agentId as AgentId);
    return ownerId ? [{ event, ownerId }] : [];
  });
}

export const newDelivery = (
  webhookId: WebhookId,
  eventId: `evt_${string}`,
  { type, body }: { type: store.Delivery["type"]; body: string },
  time: Date,
) => ({
  id: newId("delivery"),
  webhookId,
  eventId,
  type,
  body,
  state: "waiting" as const,
  nextAttemptAt: time,
  createdAt: time,
});

type Claimed = { delivery: store.Delivery; webhook: WebhookSend<WebhookId> };

/** Claims deliveries that can be sent now. The attempt is recorded first; no other process repeats it for ATTEMPT_SECONDS_MAX. */
export async function claim(
  system: System,
  lease: Lease,
  underway: readonly WebhookSend<WebhookId>[],
): Promise<Claimed[]> {
  if (underway.length >= SENDS_MAX) return [];
  const full = {
    any: receiversOf(underway.filter(({ receiver }) => isFull(underway, { receiver, isFailing: false }))),
    failing: receiversOf(underway.filter(({ receiver }) => isFull(underway, { receiver, isFailing: true }))),
    closedTo: closedTo(underway),
  };
  return system.db.transaction(async (tx) => {
    await assertLease(tx, lease);
    const time = system.now();
    const due = await withTurns(system, tx, choose(await deliveries.holdDue(tx, time, full, DUE_AT_ONCE), underway));
    if (due.length === 0) return [];
    const webhooks = new Map(due.map(({ id, webhook }) => [id, webhook]));
    const ids = [...webhooks.keys()];
    const begun = await deliveries.begin(tx, ids, time, addSeconds(time, ATTEMPT_SECONDS_MAX));
    return begun.flatMap((delivery) => {
      const webhook = webhooks.get(delivery.id);
      return webhook ? [{ delivery, webhook }] : [];
    });
  });
}

const receiversOf = (sends: readonly WebhookSend<WebhookId>[]): string[] => [
  ...new Set(sends.map(({ receiver }) => receiver)),
];

/** Applies the rate limit per unverified host, which all owners share, and postpones the deliveries above it. */
async function withTurns(system: System, tx: Tx, due: readonly deliveries.Due[]): Promise<deliveries.Due[]> {
  const allowed: deliveries.Due[] = [];
  for (const delivery of due) {
    const { receiver, isVerified } = delivery.webhook;
    const seconds = isVerified ? null : await takeTurn(system, "unverified_webhook_per_host", receiver);
    if (seconds === null) allowed.push(delivery);
    else await deliveries.postpone(tx, delivery.id, addSeconds(system.now(), seconds));
  }
  return allowed;
}

async function send(
  system: System,
  post: Post,
  delivery: store.Delivery,
  { id }: WebhookSend<WebhookId>,
): Promise<void> {
  const time = system.now();
  const [[webhook], sealed] = await Promise.all([
    deliveries.listByIds(system.db, [id]),
    store.listSecrets(system.db, [id], time),
  ]);
  // The webhook was deleted in the meantime, with its deliveries.
  if (!webhook) return;
  const secrets = sealed.map((secret) => system.vault.open(secret.sealedKey, secret.id));
  const { eventId, body } = delivery;
  const headers = {
    "Content-Type": "application/json",
    "User-Agent": "Tessera-Webhooks/1.0",
    ...signatureHeaders(secrets, { eventId, body, sentAt: time }),
  };
  const started = performance.now();
  const reply = await post(new URL(webhook.url), headers, body);
  await failpoint("webhook.sent");
  await finish(system, delivery, { url: webhook.url, reply, durationMs: Math.round(performance.now() - started) });
  announceSoon(system, webhook.ownerId, "webhook.attempted");
}

/** Records the end of an attempt and updates its delivery and webhook. */
const finish = (
  system: System,
  delivery: store.Delivery,
  { url, reply, durationMs }: { url: string; reply: Reply; durationMs: number },
): Promise<void> =>
  system.db.transaction(async (tx) => {
    const webhook = await store.lock(tx, delivery.webhookId);
    if (!webhook) return;
    const now = system.now();
    const failure = failureOf(reply, delivery);
    const { disable, ...set } = afterAttempt({ ...delivery, triedSince: delivery.triedSince ?? now }, webhook, {
      failure,
      now,
      chance: Math.random(),
      retryAfter: reply.isAnswered ? reply.retryAfter : null,
    });
    const attempt = {
      durationMs,
      failure,
      status: reply.isAnswered ? reply.status : null,
      // PostgreSQL text cannot contain NUL.
      reply: reply.isAnswered ? reply.body.slice(0, REPLY_CHARACTERS_MAX).replaceAll("\0", "\uFFFD") : null,
    };
    if (!(await deliveries.end(tx, { id: delivery.id, number: delivery.attempts }, attempt, set))) return;
    const isSlow = durationMs >= SLOW_MS;
    await store.change(tx, webhook.id, { isSlow, ...(failure === null ? { succeededAt: now } : { failedAt: now }) });
    // Only if the URL is still the one that received the challenge.
    if (delivery.type === VERIFICATION_TYPE && failure === null && webhook.url === url) {
      await store.change(tx, webhook.id, { verifiedAt: now });
      await record(tx, now, { type: "webhook.verified", subject: webhook.id, ownerId: webhook.ownerId, meta: {} });
    }
    if (disable && webhook.isEnabled) {
      await store.change(tx, webhook.id, { isEnabled: false, disabledBy: disable, updatedAt: now });
      await deliveries.moveAll(tx, webhook.id, { from: "waiting", to: "paused" });
      const { ownerId } = webhook;
      await record(tx, now, { type: "webhook.disabled", subject: webhook.id, ownerId, meta: { reason: disable } });
    }
  });
