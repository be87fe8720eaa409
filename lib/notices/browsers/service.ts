import { type BrowserId, newId } from "@/lib/core/ids";
import { readUrl } from "@/lib/core/receiver-url";
import { limit } from "@/lib/http/limit";
import * as sessions from "@/lib/owners/sessions";
import type { Ctx, Owner } from "@/lib/platform/context";
import { recordOfOwner } from "@/lib/platform/events";
import { isSameSet, NOTICE_KINDS, type NoticeKind } from "../kinds";
import type { NoticeBrowsers } from "./contract";
import { browserErrors } from "./errors";
import { vapidKeys } from "./keys";
import { BROWSERS_MAX, bodyOf, HOST_CHARACTERS_MAX, isPublicKey } from "./rules";
import * as store from "./store";

export async function list(ctx: Ctx<Owner>): Promise<NoticeBrowsers> {
  const { publicKey } = await vapidKeys(ctx);
  const rows = await store.list(ctx.db, ctx.actor.ownerId);
  return {
    status: "ok",
    publicKey,
    // A browser subscribed with a previous VAPID key receives nothing until it subscribes again.
    browsers: rows
      .filter(({ vapidKey }) => vapidKey === publicKey)
      .map(({ id, sessionId, device, endpoint, kinds, createdAt, lastError }) => ({
        browserId: id,
        device,
        endpoint,
        kinds,
        createdAt,
        lastError,
        isOfThisSession: sessionId !== null && sessionId === ctx.actor.sessionId,
      })),
  };
}

export type NewBrowser = {
  endpoint: string;
  keys: { p256dh: string; auth: string };
  kinds?: readonly NoticeKind[] | undefined;
};

/** Adds this browser or updates its kinds. Throws subscription_refused, too_many_browsers, rate_limited. */
export async function saveBrowser(ctx: Ctx<Owner>, { endpoint, keys, kinds }: NewBrowser): Promise<NoticeBrowsers> {
  const { ownerId, sessionId } = ctx.actor;
  const parsedUrl = readUrl(endpoint, ctx.config.mode === "devnet");
  if (
    parsedUrl.type === "invalid" ||
    new URL(parsedUrl.url).hostname.length > HOST_CHARACTERS_MAX ||
    !isPublicKey(keys.p256dh)
  )
    throw browserErrors.subscription_refused();
  const device = (await sessions.list(ctx)).find(({ isCurrent }) => isCurrent)?.device ?? "Unknown browser";
  const { publicKey } = await vapidKeys(ctx);
  const time = ctx.now();
  const isHere = (browser: store.Browser) => browser.endpoint === parsedUrl.url;
  if (!(await store.list(ctx.db, ownerId)).some(isHere)) {
    await limit(ctx, "browser_per_owner", ownerId, browserErrors.rate_limited);
    await limit(ctx, "browser_per_address", ctx.caller ?? "unknown", browserErrors.rate_limited);
  }
  await ctx.db.transaction(async (tx) => {
    const all = (await store.lockList(tx, ownerId)).filter((one) => isHere(one) || one.vapidKey === publicKey);
    await store.removeUnreachable(tx, { ownerId, vapidKey: publicKey, endpoint: parsedUrl.url });
    const existingBrowser = all.find(isHere);
    if (!existingBrowser && all.length >= BROWSERS_MAX) throw browserErrors.too_many_browsers();
    const stored = await store.upsertBrowser(tx, {
      id: newId("browser"),
      ownerId,
      sessionId: sessionId ?? null,
      device,
      endpoint: parsedUrl.url,
      ...keys,
      vapidKey: publicKey,
      kinds: [...new Set(kinds ?? existingBrowser?.kinds ?? NOTICE_KINDS)],
      createdAt: time,
    });
    if (!stored) throw browserErrors.subscription_refused();
    if (!existingBrowser) await store.addPushes(tx, [hello(stored.id, time)]);
    if (!existingBrowser || !isSameSet(existingBrowser.kinds, stored.kinds))
      await recordOfOwner(tx, time, ownerId, "owner.browser_notices_changed", { device, kinds: stored.kinds });
  });
  return list(ctx);
}

function hello(browserId: BrowserId, time: Date) {
  const id = newId("push");
  const notice = {
    subject: "Notifications are on",
    lines: ["This browser tells you what you chose in your settings."],
    path: "/dashboard/settings#notifications",
  };
  return {
    id,
    browserId,
    about: id,
    body: bodyOf({ ...notice, about: id }),
    isUrgent: false,
    quota: "other" as const,
    state: "waiting" as const,
    nextAttemptAt: time,
    createdAt: time,
  };
}

/** Throws browser_not_found. */
export async function remove(ctx: Ctx<Owner>, id: BrowserId): Promise<NoticeBrowsers> {
  const { ownerId } = ctx.actor;
  await ctx.db.transaction(async (tx) => {
    const removed = await store.remove(tx, id, ownerId);
    if (!removed) throw browserErrors.browser_not_found();
    const meta = { device: removed.device, kinds: [] };
    await recordOfOwner(tx, ctx.now(), ownerId, "owner.browser_notices_changed", meta);
  });
  return list(ctx);
}
