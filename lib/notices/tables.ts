import { boolean, index, integer, pgTable, text, unique } from "drizzle-orm/pg-core";
import type { BrowserId, MailId, OwnerId, PushId, SessionId } from "@/lib/core/ids";
import { owners } from "@/lib/owners/tables";
import { moment } from "@/lib/platform/columns";
import type { NoticeKind } from "./kinds";
import type { Quota } from "./quotas";

/** Where an owner gets mail, and about what. */
export const noticeSettings = pgTable("notice_settings", {
  ownerId: text("owner_id")
    .$type<OwnerId>()
    .primaryKey()
    .references(() => owners.id),
  email: text("email"),
  /** Null until the link in the first mail was followed: nothing else is sent before. */
  confirmedAt: moment("confirmed_at"),
  kinds: text("kinds").array().$type<NoticeKind[]>().notNull(),
  updatedAt: moment("updated_at").notNull(),
});

export type OutboxState = "waiting" | "sent" | "failed";

/** Of what is sent by a job: mails, and pushes to browsers. */
const outbox = {
  state: text("state").$type<OutboxState>().notNull(),
  quota: text("quota").$type<Quota>().notNull(),
  attempts: integer("attempts").notNull().default(0),
  nextAttemptAt: moment("next_attempt_at").notNull(),
  createdAt: moment("created_at").notNull(),
  endedAt: moment("ended_at"),
  /** What the receiving server said at the last attempt. */
  lastError: text("last_error"),
};

/** Mails to be sent, and those of the last days. */
export const mails = pgTable(
  "mails",
  {
    id: text("id").$type<MailId>().primaryKey(),
    ownerId: text("owner_id")
      .$type<OwnerId>()
      .notNull()
      .references(() => owners.id),
    /** The address at the time when it was written. */
    email: text("email").notNull(),
    /** What it is about; of one thing an owner gets one mail. */
    about: text("about").notNull(),
    subject: text("subject").notNull(),
    body: text("body").notNull(),
    /** Null for the mail that confirms the address: there is nothing to unsubscribe from yet. */
    kind: text("kind").$type<NoticeKind>(),
    ...outbox,
  },
  (t) => [
    unique("mails_about").on(t.ownerId, t.about),
    index("mails_due").on(t.state, t.nextAttemptAt),
    index("mails_age").on(t.createdAt),
  ],
);

/** Browsers in which owners get notices: their subscriptions at a push service (RFC 8030). */
export const noticeBrowsers = pgTable(
  "notice_browsers",
  {
    id: text("id").$type<BrowserId>().primaryKey(),
    ownerId: text("owner_id")
      .$type<OwnerId>()
      .notNull()
      .references(() => owners.id),
    /** The session that added it: its end, or its deletion when it is long over, ends both. So this is no reference. */
    sessionId: text("session_id").$type<SessionId>(),
    /** For example, "Firefox on Linux". */
    device: text("device").notNull(),
    /** Where the browser's push service takes messages to it. */
    endpoint: text("endpoint").notNull().unique("notice_browsers_endpoint"),
    /** What messages to it are encrypted with (RFC 8291), in base64url. */
    p256dh: text("p256dh").notNull(),
    auth: text("auth").notNull(),
    /** Our public key at that time: the push service takes messages that are signed with it only. */
    vapidKey: text("vapid_key").notNull(),
    kinds: text("kinds").array().$type<NoticeKind[]>().notNull(),
    createdAt: moment("created_at").notNull(),
    /** Why the newest notice did not arrive; null when it did. */
    lastError: text("last_error"),
  },
  (t) => [index("notice_browsers_owner").on(t.ownerId), index("notice_browsers_session").on(t.sessionId)],
);

/** Notices to be sent to browsers, and those of the last days. */
export const pushes = pgTable(
  "pushes",
  {
    id: text("id").$type<PushId>().primaryKey(),
    browserId: text("browser_id")
      .$type<BrowserId>()
      .notNull()
      .references(() => noticeBrowsers.id, { onDelete: "cascade" }),
    /** What it is about; of one thing a browser gets one notice. */
    about: text("about").notNull(),
    /** What the service worker reads. */
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
