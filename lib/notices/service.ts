import { newId } from "@/lib/core/ids";
import { limit } from "@/lib/http/limit";
import type { Ctx, Owner, System } from "@/lib/platform/context";
import { recordOfOwner } from "@/lib/platform/events";
import type { NoticeSettings } from "./contract";
import { noticeErrors } from "./errors";
import type { NoticeKind } from "./kinds";
import { isSameSet, NOTICE_KINDS } from "./kinds";
import { mailboxOf } from "./mailbox";
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
  // What a person gets who has chosen nothing yet.
  kinds: row?.kinds ?? [...NOTICE_KINDS],
});

export type Change = { email?: string | null | undefined; kinds?: readonly NoticeKind[] | undefined };

/** Throws mail_not_configured, no_email, rate_limited. */
export async function change(ctx: Ctx<Owner>, { email, kinds }: Change): Promise<NoticeSettings> {
  const { ownerId } = ctx.actor;
  if (ctx.config.mail === null) throw noticeErrors.mail_not_configured();
  const before = await store.find(ctx.db, ownerId);
  const address = email === undefined ? (before?.email ?? null) : email;
  if (address === null && email === undefined) throw noticeErrors.no_email();
  // An unconfirmed address that is sent again gets another mail.
  const isNew = email != null && (email !== before?.email || before.confirmedAt === null);
  if (isNew) {
    await limit(ctx, "email_per_owner", ownerId, noticeErrors.rate_limited);
    await limit(ctx, "email_per_address", ctx.caller ?? "unknown", noticeErrors.rate_limited);
    await limit(ctx, "email_per_recipient", mailboxOf(email), noticeErrors.rate_limited);
  }
  const at = ctx.now();
  const row: store.Settings = {
    ownerId,
    email: address,
    confirmedAt: isNew || address === null ? null : (before?.confirmedAt ?? null),
    kinds: [...new Set(kinds ?? before?.kinds ?? NOTICE_KINDS)],
    updatedAt: at,
  };
  const token = isNew ? await confirmToken(ctx, ownerId, email) : null;
  await ctx.db.transaction(async (tx) => {
    await store.save(tx, row);
    // Without the address: events are kept longer than it is.
    const isAddressChanged = address !== (before?.email ?? null);
    const meta = { isAddressChanged, hasAddress: address !== null, kinds: row.kinds };
    if (isAddressChanged || !isSameSet(row.kinds, before?.kinds ?? NOTICE_KINDS))
      await recordOfOwner(tx, at, ownerId, "owner.mail_changed", meta);
    if (isNew || address === null) await store.dropWaiting(tx, ownerId);
    if (token !== null && address !== null) await store.add(tx, [confirmation(ctx, row, address, token, at)]);
  });
  return viewOf(ctx, row);
}

function confirmation({ config }: System, { ownerId }: store.Settings, email: string, token: string, at: Date) {
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
    nextAttemptAt: at,
    createdAt: at,
  };
}

/** Confirms the address that the token names. Throws link_expired. */
export async function confirm(system: System, token: string): Promise<void> {
  const read = await readConfirmToken(system, token);
  if (!read) throw noticeErrors.link_expired();
  const { ownerId, email } = read;
  const at = system.now();
  await system.db.transaction(async (tx) => {
    const confirmed = await store.confirm(tx, ownerId, email, at);
    if (confirmed === null) throw noticeErrors.link_expired();
    if (confirmed === "now") await recordOfOwner(tx, at, ownerId, "owner.mail_confirmed");
  });
}

/** Ends all mails of the owner whom the token names. Throws link_expired. */
export async function unsubscribe(system: System, token: string): Promise<void> {
  const ownerId = await readUnsubscribeToken(system, token);
  if (!ownerId) throw noticeErrors.link_expired();
  const at = system.now();
  await system.db.transaction(async (tx) => {
    if (await store.unsubscribe(tx, ownerId, at)) await recordOfOwner(tx, at, ownerId, "owner.mail_ended");
  });
}
