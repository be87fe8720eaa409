import { z } from "zod";
import { endpoint } from "@/lib/core/endpoint";
import { id } from "@/lib/core/id-text";
import { isoDate } from "@/lib/core/time-text";
import * as sample from "@/lib/samples";
import { NOTICE_KINDS } from "../kinds";
import { browserErrors } from "./errors";

const ENDPOINT_CHARACTERS_MAX = 1024;
const { table } = browserErrors;
const kind = z.enum(NOTICE_KINDS, { error: `must be one of ${NOTICE_KINDS.join(", ")}` });
const browserId = id("browser");

const browser = z.object({
  browserId,
  /** For example, "Firefox on Linux". */
  device: z.string(),
  /** Identifies the current browser in the list. */
  endpoint: z.string(),
  kinds: z.array(kind),
  createdAt: isoDate,
  /** Whether the session of this request added the browser. */
  isOfThisSession: z.boolean(),
  /** Why the newest notice was not delivered; null if it was, or if there was none. */
  lastError: z.string().nullable(),
});
export type NoticeBrowser = z.output<typeof browser>;

const browsers = z.object({
  status: z.literal("ok"),
  /** The `applicationServerKey` of subscriptions, in base64url. */
  publicKey: z.string(),
  browsers: z.array(browser),
});
export type NoticeBrowsers = z.output<typeof browsers>;

const subscriptionExample = {
  endpoint: "https://push.example.com/send/4fQ8Lm2NvXc7",
  keys: { p256dh: `B${"Ab3_".repeat(22).slice(0, 86)}`, auth: "Zk3pQ7vN2mLxRt9Wp1Zs6Y" },
};

const browsersExample = {
  ...sample.OK,
  publicKey: subscriptionExample.keys.p256dh,
  browsers: [
    {
      browserId: sample.BROWSER,
      device: "Firefox on Linux",
      endpoint: subscriptionExample.endpoint,
      kinds: ["approval_wanted"],
      createdAt: sample.CREATED,
      isOfThisSession: true,
      lastError: null,
    },
  ],
};

export const listNoticeBrowsers = endpoint({
  method: "GET",
  path: "/api/notices/browsers",
  summary: "The browsers in which the owner gets notices, oldest first",
  description:
    "`publicKey` is the key that a browser needs to subscribe. `lastError` is what its push service said last.",
  auth: "owner",
  surface: "wallet",
  response: browsers,
  errors: {},
  example: { responses: { 200: browsersExample } },
});

const base64url = (characters: number, size: string) =>
  z.string().regex(new RegExp(`^[A-Za-z0-9_-]{${characters}}$`), `must be ${size} in base64url`);

export const addNoticeBrowser = endpoint({
  method: "POST",
  path: "/api/notices/browsers",
  summary: "Get notices in this browser, or change which ones",
  description:
    "`endpoint` and `keys` are those of the browser's PushSubscription. A browser that is added gets one notice, which says so. It is removed by DELETE, when its session is ended, and when its push service says that the subscription is over.",
  auth: "owner",
  surface: "wallet",
  body: z.object({
    endpoint: z.string().max(ENDPOINT_CHARACTERS_MAX, `must have at most ${ENDPOINT_CHARACTERS_MAX} characters`),
    keys: z.object({ p256dh: base64url(87, "65 bytes"), auth: base64url(22, "16 bytes") }),
    kinds: z.array(kind).max(NOTICE_KINDS.length, "must not repeat a kind").optional(),
  }),
  response: browsers,
  errors: {
    subscription_refused: table.subscription_refused,
    too_many_browsers: table.too_many_browsers,
    rate_limited: table.rate_limited,
  },
  example: { request: { ...subscriptionExample, kinds: ["approval_wanted"] }, responses: { 200: browsersExample } },
});

export const removeNoticeBrowser = endpoint({
  method: "DELETE",
  path: "/api/notices/browsers/{browserId}",
  summary: "No more notices in one browser",
  description: "The other browsers of the owner, and mails, go on. The response lists those that are left.",
  auth: "owner",
  surface: "wallet",
  params: z.object({ browserId }),
  response: browsers,
  errors: { browser_not_found: table.browser_not_found },
  example: { responses: { 200: { ...browsersExample, browsers: [] } } },
});
