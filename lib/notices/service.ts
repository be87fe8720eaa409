import { createHash } from "node:crypto";
import { newId } from "@/lib/core/ids";
import { limit } from "@/lib/http/limit";
import type { Ctx, Owner, System } from "@/lib/platform/context";
import { recordOfOwner } from "@/lib/platform/events";
import type { NoticeSettings } from "./contract";
import { noticeErrors } from "./errors";
import type { NoticeKind } from "./kinds";
import { isSameSet, NOTICE_KINDS } from "./kinds";
import * as store from "./store";
import { confirmToken, readConfirmToken, readUnsubscribeToken } from "./tokens";

export async function get(ctx: Ctx<Owner>): Promise<NoticeSettings> {
  return viewOf(ctx, await store.find(ctx.db, ctx.actor.ownerId));
}

const viewOf = ({ config }: System, row: store.Settings | null): NoticeSettings => ({
  status: "ok",
  isAvailable: config.mail !== null,
  email: row?.email ?? null,
  isConfirmed: row?.confirmedAt != null,
  // The default before the owner chooses.
  kinds: row?.kinds ?? [...NOTICE_KINDS],
});

export type NoticeChange = { email?: string | null | undefined; kinds?: readonly NoticeKind[] | undefined };

/** Throws mail_not_configured, no_email, rate_limited. */
export async function change(ctx: Ctx<Owner>, { email, kinds }: NoticeChange): Promise<NoticeSettings> {
  const { ownerId } = ctx.actor;
  if (ctx.config.mail === null) throw noticeErrors.mail_not_configured();
  const previousSettings = await store.find(ctx.db, ownerId);
  const address = email === undefined ? (previousSettings?.email ?? null) : email;
  if (address === null && email === undefined) throw noticeErrors.no_email();
  // Submitting an unconfirmed address again sends another confirmation.
  const isNew = email != null && (email !== previousSettings?.email || previousSettings.confirmedAt === null);
  if (isNew) {
    await limit(ctx, "email_per_owner", ownerId, noticeErrors.rate_limited);
    await limit(ctx, "email_per_address", ctx.caller ?? "unknown", noticeErrors.rate_limited);
    await limit(ctx, "email_per_recipient", mailboxOf(email), noticeErrors.rate_limited);
  }
  const time = ctx.now();
  const row: store.Settings = {
    ownerId,
    email: address,
    confirmedAt: isNew || address === null ? null : (previousSettings?.confirmedAt ?? null),
    kinds: [...new Set(kinds ?? previousSettings?.kinds ?? NOTICE_KINDS)],
    updatedAt: time,
  };
  const token = isNew ? await confirmToken(ctx, ownerId, email) : null;
  await ctx.db.transaction(async (tx) => {
    await store.save(tx, row);
    // The address is left out: events are kept longer than the address.
    const isAddressChanged = address !== (previousSettings?.email ?? null);
    const meta = { isAddressChanged, hasAddress: address !== null, kinds: row.kinds };
    if (isAddressChanged || !isSameSet(row.kinds, previousSettings?.kinds ?? NOTICE_KINDS))
      await recordOfOwner(tx, time, ownerId, "owner.mail_changed", meta);
    if (isNew || address === null) await store.dropWaiting(tx, ownerId);
    if (token !== null && address !== null) await store.add(tx, [confirmation(ctx, row, address, token, time)]);
  });
  return viewOf(ctx, row);
}

function confirmation({ config }: System, { ownerId }: store.Settings, email: string, token: string, time: Date) {
  const lines = [
    "Somebody, probably you, entered this address for messages about a Tessera account.",
    "Follow this link within a day to confirm it:",
    "",
    `${config.baseUrl}/notices/confirm?token=${encodeURIComponent(token)}`,
    "",
    "If it was not you, do nothing: no other mail is sent.",
  ];
  const id = newId("mail");
  return {
    id,
    ownerId,
    email,
    about: id,
    kind: null,
    quota: "other" as const,
    subject: "Confirm your address",
    body: lines.join("\n"),
    state: "waiting" as const,
    nextAttemptAt: time,
    createdAt: time,
  };
}

/** Confirms the address in the token. Throws link_expired. */
export async function confirm(system: System, token: string): Promise<void> {
  const claims = await readConfirmToken(system, token);
  if (!claims) throw noticeErrors.link_expired();
  const { ownerId, email } = claims;
  const time = system.now();
  await system.db.transaction(async (tx) => {
    const confirmed = await store.confirm(tx, ownerId, email, time);
    if (confirmed === null) throw noticeErrors.link_expired();
    if (confirmed === "now") await recordOfOwner(tx, time, ownerId, "owner.mail_confirmed");
  });
}

/** Ends all mails to the owner in the token. Throws link_expired. */
export async function unsubscribe(system: System, token: string): Promise<void> {
  const ownerId = await readUnsubscribeToken(system, token);
  if (!ownerId) throw noticeErrors.link_expired();
  const time = system.now();
  await system.db.transaction(async (tx) => {
    if (await store.unsubscribe(tx, ownerId, time)) await recordOfOwner(tx, time, ownerId, "owner.mail_ended");
  });
}

/** Key of the rate limit per mailbox: strips +tags and dots, which many providers ignore. Hashed, because counting needs no addresses. */
function mailboxOf(email: string): string {
  const [, local = "", domain = ""] = /^([^@]*)@(.*)$/.exec(email.toLowerCase()) ?? [];
  const box = local.replace(/\+.*$/, "").replaceAll(".", "");
  return createHash("sha256").update(`${box}@${domain}`).digest("hex");
}
