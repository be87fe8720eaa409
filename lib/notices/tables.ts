import { index, integer, pgTable, text, unique } from "drizzle-orm/pg-core";
import type { MailId, OwnerId } from "@/lib/core/ids";
import { owners } from "@/lib/owners/tables";
import { moment } from "@/lib/platform/columns";
import type { NoticeKind } from "./kinds";

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

export type MailState = "waiting" | "sent" | "failed";

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
    state: text("state").$type<MailState>().notNull(),
    attempts: integer("attempts").notNull().default(0),
    nextAttemptAt: moment("next_attempt_at").notNull(),
    createdAt: moment("created_at").notNull(),
    endedAt: moment("ended_at"),
    /** What the mail server said at the last attempt. */
    lastError: text("last_error"),
  },
  (t) => [
    unique("mails_about").on(t.ownerId, t.about),
    index("mails_due").on(t.state, t.nextAttemptAt),
    index("mails_age").on(t.createdAt),
  ],
);
