import { boolean, index, integer, pgTable, text, unique } from "drizzle-orm/pg-core";
import type { BrowserId, MailId, OwnerId, PushId, SessionId } from "@/lib/core/ids";
import { owners } from "@/lib/owners/tables";
import { moment } from "@/lib/platform/columns";
import type { NoticeKind } from "./kinds";
import type { Quota } from "./quotas";

/** An owner's mail address and the kinds of mail they chose. */
export const noticeSettings = pgTable("notice_settings", {
  ownerId: text("owner_id")
    .$type<OwnerId>()
    .primaryKey()
    .references(() => owners.id),
  email: text("email"),
  /** Null until the confirmation link is followed; until then no other mail is sent. */
  confirmedAt: moment("confirmed_at"),
  kinds: text("kinds").array().$type<NoticeKind[]>().notNull(),
  updatedAt: moment("updated_at").notNull(),
});

export type OutboxState = "waiting" | "sent" | "failed";

/** Columns that mails and pushes share. */
const outbox = {
  state: text("state").$type<OutboxState>().notNull(),
  quota: text("quota").$type<Quota>().notNull(),
  attempts: integer("attempts").notNull().default(0),
  nextAttemptAt: moment("next_attempt_at").notNull(),
  createdAt: moment("created_at").notNull(),
  endedAt: moment("ended_at"),
  /** The error of the last attempt. */
  lastError: text("last_error"),
};

/** Queued mails, and those of the last 30 days. */
export const mails = pgTable(
  "mails",
  {
    id: text("id").$type<MailId>().primaryKey(),
    ownerId: text("owner_id")
      .$type<OwnerId>()
      .notNull()
      .references(() => owners.id),
    /** The address when the mail was written. */
    email: text("email").notNull(),
    /** An owner gets one mail per `about`. */
    about: text("about").notNull(),
    subject: text("subject").notNull(),
    body: text("body").notNull(),
    /** Null for the confirmation mail: there is nothing to unsubscribe from yet. */
    kind: text("kind").$type<NoticeKind>(),
    ...outbox,
  },
  (t) => [
    unique("mails_about").on(t.ownerId, t.about),
    index("mails_due").on(t.state, t.nextAttemptAt),
    index("mails_age").on(t.createdAt),
  ],
);

/** Push subscriptions of owners' browsers (RFC 8030). */
export const noticeBrowsers = pgTable(
  "notice_browsers",
  {
    id: text("id").$type<BrowserId>().primaryKey(),
    ownerId: text("owner_id")
      .$type<OwnerId>()
      .notNull()
      .references(() => owners.id),
    /** The session that added the browser. Not a foreign key: the session may be deleted first, and the browser is removed after it. */
    sessionId: text("session_id").$type<SessionId>(),
    /** For example, "Firefox on Linux". */
    device: text("device").notNull(),
    /** The push service's URL for this browser. */
    endpoint: text("endpoint").notNull().unique("notice_browsers_endpoint"),
    /** Keys that encrypt messages to the browser (RFC 8291), in base64url. */
    p256dh: text("p256dh").notNull(),
    auth: text("auth").notNull(),
    /** The VAPID public key of the subscription; the push service accepts only messages signed with it. */
    vapidKey: text("vapid_key").notNull(),
    kinds: text("kinds").array().$type<NoticeKind[]>().notNull(),
    createdAt: moment("created_at").notNull(),
    /** Why the newest notice was not delivered; null if it was. */
    lastError: text("last_error"),
  },
  (t) => [index("notice_browsers_owner").on(t.ownerId), index("notice_browsers_session").on(t.sessionId)],
);

/** Queued push notices, and those of the last 30 days. */
export const pushes = pgTable(
  "pushes",
  {
    id: text("id").$type<PushId>().primaryKey(),
    browserId: text("browser_id")
      .$type<BrowserId>()
      .notNull()
      .references(() => noticeBrowsers.id, { onDelete: "cascade" }),
    /** A browser gets one notice per `about`. */
    about: text("about").notNull(),
    /** The payload for the service worker. */
    body: text("body").notNull(),
    isUrgent: boolean("is_urgent").notNull(),
    ...outbox,
  },
  (t) => [
    unique("pushes_about").on(t.browserId, t.about),
    index("pushes_due").on(t.state, t.nextAttemptAt),
    index("pushes_age").on(t.createdAt),
  ],
);
