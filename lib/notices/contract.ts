import { z } from "zod";
import { endpoint } from "@/lib/core/endpoint";
import { EMAIL_MAX } from "@/lib/core/lengths";
import * as sample from "@/lib/samples";
import { noticeErrors } from "./errors";
import { NOTICE_KINDS } from "./kinds";

const TOKEN_CHARACTERS_MAX = 500;
const { table } = noticeErrors;
const ok = z.literal("ok");
const kind = z.enum(NOTICE_KINDS, { error: `must be one of ${NOTICE_KINDS.join(", ")}` });

const settings = z.object({
  status: ok,
  /** Whether the operator has configured mail. */
  isAvailable: z.boolean(),
  email: z.string().nullable(),
  /** Until confirmed, only the mail with the confirmation link is sent. */
  isConfirmed: z.boolean(),
  kinds: z.array(kind),
});
export type NoticeSettings = z.output<typeof settings>;

const email = z
  .email({ error: "must be an email address" })
  .max(EMAIL_MAX, `must have at most ${EMAIL_MAX} characters`);

const settingsExample = {
  ...sample.OK,
  isAvailable: true,
  email: "owner@example.com",
  isConfirmed: true,
  kinds: ["approval_wanted", "payment_refused"],
};

export const getNotices = endpoint({
  method: "GET",
  path: "/api/notices",
  summary: "Where the owner gets mail, and about what",
  description:
    "`isAvailable` says whether the operator has set up mail. Nothing but the mail with the link is sent before `isConfirmed`.",
  auth: "owner",
  surface: "wallet",
  response: settings,
  errors: {},
  example: { responses: { 200: settingsExample } },
});

export const changeNotices = endpoint({
  method: "PATCH",
  path: "/api/notices",
  summary: "Change the address or the kinds of mail",
  description:
    "A new address gets one mail with a link that is valid for a day. Other mails are sent once it was followed. `email: null` removes the address.",
  auth: "owner",
  surface: "wallet",
  body: z
    .object({
      email: email.nullable().optional(),
      kinds: z.array(kind).max(NOTICE_KINDS.length, "must not repeat a kind").optional(),
    })
    .refine((body) => body.email !== undefined || body.kinds !== undefined, "must have email or kinds"),
  response: settings,
  errors: {
    mail_not_configured: table.mail_not_configured,
    no_email: table.no_email,
    rate_limited: table.rate_limited,
  },
  example: {
    request: { email: "owner@example.com", kinds: settingsExample.kinds },
    responses: { 200: { ...settingsExample, isConfirmed: false } },
  },
});

const token = z.string().max(TOKEN_CHARACTERS_MAX);

export const confirmEmail = endpoint({
  method: "POST",
  path: "/api/notices/confirm",
  summary: "Confirm an address with the token of the link in its first mail",
  description:
    "The page of the mail's link calls it, so that programs that only open links confirm nothing. It needs no session.",
  auth: "none",
  surface: "wallet",
  work: 2,
  body: z.object({ token }),
  response: z.object({ status: ok }),
  errors: { link_expired: table.link_expired },
  example: { request: { token: "Zk3pQ7vN2mLxRt9Wp1Zs" }, responses: { 200: sample.OK } },
});

export const unsubscribe = endpoint({
  method: "POST",
  path: "/api/notices/unsubscribe",
  summary: "End all mails to an owner, with the token in each of them (RFC 8058)",
  description:
    "Mail programs call it when a person unsubscribes there, without a page. The address stays stored; the owner can switch kinds on again.",
  auth: "none",
  surface: "wallet",
  work: 2,
  query: z.object({ token }),
  response: z.object({ status: ok }),
  errors: { link_expired: table.link_expired },
  example: { responses: { 200: sample.OK } },
});
