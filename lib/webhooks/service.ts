import type { Hex } from "viem";
import { type Action, confirmed, type Use, unsigned } from "@/lib/confirmations/service";
import { type DeliveryId, newId, type OwnerId, randomText, type WebhookId } from "@/lib/core/ids";
import { canonicalJson } from "@/lib/core/json";
import { type Cursor, type CursorPage, cutAfter } from "@/lib/core/page";
import { readUrl } from "@/lib/core/receiver-url";
import { addSeconds } from "@/lib/core/time";
import { limit } from "@/lib/http/limit";
import type { Ctx, Owner, System } from "@/lib/platform/context";
import type { Tx } from "@/lib/platform/db";
import { record } from "@/lib/platform/events";
import { type EventType, TEST_TYPE, VERIFICATION_TYPE } from "./catalogue";
import type { LoggedDelivery } from "./delivery-store";
import * as deliveries from "./delivery-store";
import { webhookErrors } from "./errors";
import { newDelivery } from "./jobs";
import { message } from "./messages";
import { isUnderway, OVERLAP_SECONDS, receiverOf, WEBHOOKS_MAX } from "./rules";
import { newSecret } from "./signature";
import type { DeliveryState } from "./states";
import * as store from "./store";

export type { LoggedDelivery } from "./delivery-store";

/** `oldSecretUntil`: until when deliveries are also signed with the previous secret; null if they are not. */
export type WebhookView = { webhook: store.Webhook; oldSecretUntil: Date | null };
export type NewWebhook = { url: string; description?: string | undefined; eventTypes?: EventType[] | null | undefined };
export type WebhookEdit = {
  url?: string | undefined;
  description?: string | undefined;
  eventTypes?: EventType[] | null | undefined;
  enabled?: boolean | undefined;
};

/** Oldest first. */
export async function list(ctx: Ctx<Owner>): Promise<WebhookView[]> {
  return viewsOf(ctx, await store.list(ctx.db, ctx.actor.ownerId));
}

/** Throws webhook_not_found. */
export async function get(ctx: Ctx<Owner>, id: WebhookId): Promise<WebhookView> {
  return viewOf(ctx, await store.find(ctx.db, ctx.actor.ownerId, id));
}

type Signed = { signature?: Hex | undefined };

/**
 * Returns the secret, which cannot be read again. A new receiving host needs a signature, because events contain amounts, addresses
 * and payments. Throws too_many_webhooks, url_*, signature_required.
 */
export async function create(
  ctx: Ctx<Owner>,
  { url, description = "", eventTypes = null, signature }: NewWebhook & Signed,
): Promise<WebhookView & { secret: string }> {
  const { ownerId } = ctx.actor;
  const allowed = allowedUrl(ctx, url);
  const receiver = receiverOf(allowed);
  const id = newId("webhook");
  const write = (use: Use) =>
    ctx.db.transaction(async (tx) => {
      const time = ctx.now();
      if ((await store.lockCount(tx, ownerId)) >= WEBHOOKS_MAX) throw webhookErrors.too_many_webhooks();
      if (use === unsigned && !(await store.hasReceiver(tx, ownerId, receiver))) return null;
      await use(tx);
      const moments = { createdAt: time, updatedAt: time, enabledAt: time };
      const terms = { url: allowed, receiver, description, eventTypes };
      const webhook = await store.add(tx, { id, ownerId, ...terms, isEnabled: true, ...moments });
      await recordEvent(tx, webhook, "webhook.created", time);
      return { webhook, oldSecretUntil: null, secret: await addSecret(ctx, tx, id, time) };
    });
  const action = receiverAction(allowed, eventTypes, { description, eventTypes });
  const created = (await write(unsigned)) ?? (await confirmed(ctx, action, signature, write));
  if (!created) throw new Error(`${id} was not created`);
  return created;
}

/** `contents`: everything that the call changes. */
const receiverAction = (url: string, events: readonly string[] | null, contents: object): Action => ({
  type: "WebhookReceiver",
  host: new URL(url).host,
  url,
  events,
  contents: canonicalJson(contents),
});

/**
 * Enabling a webhook resumes its paused deliveries. A new receiving host needs a signature. Throws webhook_not_found, url_*,
 * signature_required.
 */
export async function change(
  ctx: Ctx<Owner>,
  id: WebhookId,
  { signature, ...edit }: WebhookEdit & Signed,
): Promise<WebhookView> {
  const { url } = edit;
  const allowed = url === undefined ? undefined : allowedUrl(ctx, url);
  const write = (use: Use) => writeChange(ctx, id, { ...edit, url: allowed }, use);
  let changed = await write(unsigned);
  if (changed === null && allowed !== undefined) {
    const { eventTypes = (await get(ctx, id)).webhook.eventTypes } = edit;
    const action = receiverAction(allowed, eventTypes, { id, ...edit });
    changed = await confirmed(ctx, action, signature, write);
  }
  return viewOf(ctx, changed);
}

/** Null if the change needs a signature. */
const writeChange = (ctx: Ctx<Owner>, id: WebhookId, edit: WebhookEdit, use: Use): Promise<store.Webhook | null> =>
  ctx.db.transaction(async (tx) => {
    const { url: allowed, description, eventTypes, enabled } = edit;
    const time = ctx.now();
    const webhook = await lockOwn(ctx, tx, id);
    if (
      use === unsigned &&
      allowed !== undefined &&
      !(await store.hasReceiver(tx, webhook.ownerId, receiverOf(allowed)))
    )
      return null;
    await use(tx);
    const isSwitched = enabled !== undefined && enabled !== webhook.isEnabled;
    if (isSwitched) {
      const [from, to] = enabled ? (["paused", "waiting"] as const) : (["waiting", "paused"] as const);
      await deliveries.moveAll(tx, id, { from, to });
    }
    const changed = Object.entries(edit).flatMap(([name, value]) => (value === undefined ? [] : [name]));
    await recordEvent(tx, webhook, "webhook.updated", time, { changed: changed.sort() });
    return store.change(tx, id, {
      ...(allowed !== undefined && { url: allowed, receiver: receiverOf(allowed) }),
      ...(allowed !== undefined && allowed !== webhook.url && { verifiedAt: null }),
      ...(description !== undefined && { description }),
      ...(eventTypes !== undefined && { eventTypes }),
      ...(isSwitched && { isEnabled: enabled, disabledBy: null, ...(enabled && { enabledAt: time }) }),
      updatedAt: time,
    });
  });

/** Also deletes the deliveries. Throws webhook_not_found. */
export async function remove(ctx: Ctx<Owner>, id: WebhookId): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const webhook = await lockOwn(ctx, tx, id);
    await recordEvent(tx, webhook, "webhook.deleted", ctx.now());
    await store.remove(tx, id);
  });
}

/**
 * Creates and returns a new secret, which cannot be read again. For 24 hours deliveries are also signed with the previous secret;
 * older ones end immediately. Needs a signature: the secret is enough to forge payment events. Throws webhook_not_found,
 * signature_required.
 */
export async function rotate(
  ctx: Ctx<Owner>,
  id: WebhookId,
  signature: Hex | undefined,
): Promise<WebhookView & { secret: string }> {
  const { url } = (await get(ctx, id)).webhook;
  const write = (use: Use) =>
    ctx.db.transaction(async (tx) => {
      const time = ctx.now();
      const webhook = await lockOwn(ctx, tx, id);
      await use(tx);
      await store.retireSecrets(tx, id, addSeconds(time, OVERLAP_SECONDS));
      await recordEvent(tx, webhook, "webhook.secret_rotated", time);
      return addSecret(ctx, tx, id, time);
    });
  const secret = await confirmed(ctx, { type: "WebhookSecret", url, webhookId: id }, signature, write);
  return { ...(await get(ctx, id)), secret };
}

/**
 * Sends a test event without retries, also to a disabled webhook. Throws webhook_not_found, webhook_not_verified,
 * rate_limited.
 */
export async function test(ctx: Ctx<Owner>, id: WebhookId): Promise<LoggedDelivery> {
  const { webhook } = await get(ctx, id);
  if (webhook.verifiedAt === null) throw webhookErrors.webhook_not_verified();
  return sendOnce(ctx, webhook, TEST_TYPE, { webhookId: id });
}

/**
 * Sends a challenge without retries, also to a disabled webhook. The webhook is verified when the reply contains the
 * challenge. Throws webhook_not_found, rate_limited.
 */
export async function verify(ctx: Ctx<Owner>, id: WebhookId): Promise<LoggedDelivery> {
  const { webhook } = await get(ctx, id);
  return sendOnce(ctx, webhook, VERIFICATION_TYPE, { webhookId: id, challenge: randomText() });
}

async function sendOnce(
  ctx: Ctx<Owner>,
  webhook: store.Webhook,
  type: typeof TEST_TYPE | typeof VERIFICATION_TYPE,
  data: object,
): Promise<LoggedDelivery> {
  const { id } = webhook;
  await takeTurnOf(ctx, webhook);
  const time = ctx.now();
  const delivery = newDelivery(id, newId("event"), message(type, time, data), time);
  await ctx.db.transaction(async (tx) => {
    await lockOwn(ctx, tx, id);
    await deliveries.addDeliveries(tx, [delivery]);
  });
  return getDelivery(ctx, delivery.id);
}

/**
 * Sends a delivery again: same bytes, same webhook-id, with a new series of retries. Throws delivery_not_found,
 * webhook_disabled, delivery_underway, rate_limited.
 */
export async function replay(ctx: Ctx<Owner>, id: DeliveryId): Promise<LoggedDelivery> {
  const { delivery } = await getDelivery(ctx, id);
  await takeTurnOf(ctx, (await get(ctx, delivery.webhookId)).webhook);
  await ctx.db.transaction(async (tx) => {
    const webhook = await lockOwn(ctx, tx, delivery.webhookId);
    if (!webhook.isEnabled) throw webhookErrors.webhook_disabled();
    const locked = await deliveries.lockDelivery(tx, id);
    if (!locked) throw webhookErrors.delivery_not_found();
    if (isUnderway(locked, ctx.now())) throw webhookErrors.delivery_underway();
    await deliveries.restart(tx, id, ctx.now());
  });
  return getDelivery(ctx, id);
}

/** Newest first. Throws webhook_not_found. */
export async function listDeliveries(
  ctx: Ctx<Owner>,
  id: WebhookId,
  { state, after: cursor, limit }: { state?: DeliveryState | undefined; after?: Cursor | undefined; limit: number },
): Promise<CursorPage<LoggedDelivery>> {
  await get(ctx, id);
  const rows = await deliveries.listDeliveries(ctx.db, { webhookId: id, state, after: cursor, limit: limit + 1 });
  return cutAfter(rows, limit, ({ delivery }) => ({ time: delivery.createdAt, id: delivery.id }));
}

const COUNTED_MAX = 100_000;

/** Lag in whole seconds, 0 if none: of turning events into deliveries, and of deliveries to receivers that are not failing. */
export async function health({ db, now }: System) {
  const time = now();
  const [{ event, due }, waiting] = await Promise.all([
    deliveries.oldest(db, time),
    deliveries.waiting(db, time, COUNTED_MAX),
  ]);
  const since = (moment: Date | null) =>
    moment ? Math.max(0, Math.round((time.getTime() - moment.getTime()) / 1000)) : 0;
  return {
    oldestEventSeconds: since(event),
    oldestDueSeconds: since(due),
    eventsWaiting: waiting.events,
    deliveriesDue: waiting.due,
  };
}

async function getDelivery(ctx: Ctx<Owner>, id: DeliveryId): Promise<LoggedDelivery> {
  const loggedDelivery = await deliveries.findDelivery(ctx.db, ctx.actor.ownerId, id);
  if (!loggedDelivery) throw webhookErrors.delivery_not_found();
  return loggedDelivery;
}

async function lockOwn(ctx: Ctx<Owner>, tx: Tx, id: WebhookId): Promise<store.Webhook> {
  const webhook = await store.lockOwn(tx, ctx.actor.ownerId, id);
  if (!webhook) throw webhookErrors.webhook_not_found();
  return webhook;
}

function allowedUrl({ config }: System, text: string): string {
  const parsedUrl = readUrl(text, config.mode === "devnet");
  if (parsedUrl.type === "invalid") throw webhookErrors[parsedUrl.fault]();
  return parsedUrl.url;
}

async function addSecret({ vault }: System, tx: Tx, webhookId: WebhookId, time: Date): Promise<string> {
  const secret = newSecret();
  const id = newId("webhookSecret");
  await store.addSecret(tx, { id, webhookId, sealedKey: vault.seal(secret, id), createdAt: time });
  return secret;
}

const recordEvent = (
  tx: Tx,
  { id, ownerId }: { id: WebhookId; ownerId: OwnerId },
  type: string,
  time: Date,
  meta = {},
) => record(tx, time, { type, subject: id, ownerId, meta });

/**
 * Limits sends per owner and per receiving host: accounts are free, and many together must not flood a third party's server. For a
 * verified webhook the host is counted per owner, so that strangers who name it cannot use up the limit.
 */
async function takeTurnOf(ctx: Ctx<Owner>, { receiver, verifiedAt }: store.Webhook): Promise<void> {
  const { ownerId } = ctx.actor;
  const { rate_limited } = webhookErrors;
  await limit(ctx, "webhook_per_owner", ownerId, rate_limited);
  await limit(ctx, "webhook_per_host", verifiedAt === null ? receiver : `${ownerId} ${receiver}`, rate_limited);
}

async function viewOf(system: System, webhook: store.Webhook | null): Promise<WebhookView> {
  const [view] = await viewsOf(system, webhook ? [webhook] : []);
  if (!view) throw webhookErrors.webhook_not_found();
  return view;
}

async function viewsOf(system: System, rows: readonly store.Webhook[]): Promise<WebhookView[]> {
  const secrets = await store.listSecrets(
    system.db,
    rows.map(({ id }) => id),
    system.now(),
  );
  return rows.map((webhook) => ({
    webhook,
    oldSecretUntil: secrets.find((secret) => secret.webhookId === webhook.id && secret.expiresAt)?.expiresAt ?? null,
  }));
}
