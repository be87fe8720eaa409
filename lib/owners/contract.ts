import { z } from "zod";
import { endpoint } from "@/lib/core/endpoint";
import { id } from "@/lib/core/id-text";
import { isoDate } from "@/lib/core/time-text";
import { ownerErrors } from "./errors";
import type { SessionView } from "./sessions";

export const getSignInNonce = endpoint({
  method: "GET",
  path: "/api/siwe/nonce",
  summary: "A nonce for one EIP-4361 sign-in within ten minutes",
  auth: "none",
  surface: "wallet",
  limitPerAddress: "nonce_per_address",
  response: z.object({ nonce: z.string() }),
  errors: {},
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
  auth: "owner",
  surface: "wallet",
  response: z.object({ status: ok, sessions: z.array(session) }),
  errors: {},
});

export const endSession = endpoint({
  method: "DELETE",
  path: "/api/sessions/{sessionId}",
  summary: "End a session, which may be the current one",
  auth: "owner",
  surface: "wallet",
  params: z.object({ sessionId }),
  response: z.object({ status: ok }),
  errors: { session_not_found: ownerErrors.table.session_not_found },
});

export const endOtherSessions = endpoint({
  method: "DELETE",
  path: "/api/sessions",
  summary: "End all sessions except the current one",
  auth: "owner",
  surface: "wallet",
  response: z.object({ status: ok, ended: z.int() }),
  errors: {},
});
