import { z } from "zod";
import { endpoint } from "@/lib/core/endpoint";
import { id } from "@/lib/core/id-text";
import { isoDate } from "@/lib/core/time-text";
import * as sample from "@/lib/samples";
import { ownerErrors } from "./errors";
import type { SessionView } from "./sessions";

export const getSignInNonce = endpoint({
  method: "GET",
  path: "/api/siwe/nonce",
  summary: "A nonce for one EIP-4361 sign-in within ten minutes",
  description:
    "The first step of a sign-in: put it into the message that the wallet signs, and send both to `/api/auth/callback/siwe` of next-auth, as the sign-in page does.",
  auth: "none",
  surface: "wallet",
  limitPerAddress: "nonce_per_address",
  response: z.object({ nonce: z.string() }),
  errors: {},
  example: { responses: { 200: { nonce: "Zk3pQ7vN2mLxRt9W" } } },
});

const ok = z.literal("ok");
const sessionId = id("session");
const session = z.object({
  sessionId,
  /** For example, "Firefox on Linux". */
  device: z.string(),
  createdAt: isoDate,
  /** Accurate to the minute. */
  lastSeenAt: isoDate,
  expiresAt: isoDate,
  isCurrent: z.boolean(),
});
export type SessionItem = z.output<typeof session>;

export const toSessionItem = ({ id: sessionId, ...view }: SessionView): SessionItem => ({ sessionId, ...view });

export const listSessions = endpoint({
  method: "GET",
  path: "/api/sessions",
  summary: "The owner's sessions, most recently used first",
  description: "`device` is what the browser says about itself. End a session that you do not know.",
  auth: "owner",
  surface: "wallet",
  response: z.object({ status: ok, sessions: z.array(session) }),
  errors: {},
  example: {
    responses: {
      200: {
        ...sample.OK,
        sessions: [
          {
            sessionId: sample.SESSION,
            device: "Firefox on Linux",
            createdAt: sample.CREATED,
            lastSeenAt: sample.UPDATED,
            expiresAt: sample.NEXT_MONTH,
            isCurrent: true,
          },
        ],
      },
    },
  },
});

export const endSession = endpoint({
  method: "DELETE",
  path: "/api/sessions/{sessionId}",
  summary: "End a session, which may be the current one",
  description: "Its next request is answered 401. Notices to the browser of that session end too.",
  auth: "owner",
  surface: "wallet",
  params: z.object({ sessionId }),
  response: z.object({ status: ok }),
  errors: { session_not_found: ownerErrors.table.session_not_found },
  example: { responses: { 200: sample.OK } },
});

export const endOtherSessions = endpoint({
  method: "DELETE",
  path: "/api/sessions",
  summary: "End all sessions except the current one",
  description: "For an owner who lost a device, or does not know a session. Their next requests are answered 401.",
  auth: "owner",
  surface: "wallet",
  response: z.object({ status: ok, ended: z.int() }),
  errors: {},
  example: { responses: { 200: { ...sample.OK, ended: 2 } } },
});
