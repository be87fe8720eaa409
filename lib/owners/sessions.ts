import { newId, type OwnerId, type SessionId } from "@/lib/core/ids";
import { addSeconds } from "@/lib/core/time";
import type { Ctx, Owner, System } from "@/lib/platform/context";
import type { Queryable } from "@/lib/platform/db";
import { recordOfOwner } from "@/lib/platform/events";
import { ownerErrors } from "./errors";
import { ABSOLUTE_SECONDS, deviceOf, IDLE_SECONDS, SEEN_EVERY_SECONDS, USER_AGENT_MAX } from "./rules";
import * as store from "./store";

/** A session as shown to its owner. */
export type SessionView = {
  id: SessionId;
  device: string;
  createdAt: Date;
  lastSeenAt: Date;
  /** When it ends if it is not used before then. */
  expiresAt: Date;
  isCurrent: boolean;
};

/** How long ended sessions are kept, in seconds. */
const KEPT_SECONDS = 30 * 86_400;

/** Opens a session after a sign-in. */
export async function open(db: Queryable, ownerId: OwnerId, userAgent: string | null, now: Date): Promise<SessionId> {
  const id = newId("session");
  const row = {
    id,
    ownerId,
    createdAt: now,
    lastSeenAt: now,
    expiresAt: addSeconds(now, ABSOLUTE_SECONDS),
    userAgent: (userAgent ?? "").slice(0, USER_AGENT_MAX),
  };
  await store.addSession(db, row, addSeconds(now, -KEPT_SECONDS));
  return id;
}

/** The owner of a session that has not ended, or null. Counts as a use of the session. Why: docs/decisions.md, 91. */
export async function ownerOf(system: System, id: SessionId): Promise<Owner | null> {
  const now = system.now();
  const session = await store.findLiveSession(system.db, id, now, addSeconds(now, -IDLE_SECONDS));
  if (!session) return null;
  // At most one write per minute: a page makes many requests.
  const cutoff = addSeconds(now, -SEEN_EVERY_SECONDS);
  if (session.lastSeenAt < cutoff) await store.touchSession(system.db, id, now, cutoff);
  return { type: "owner", ownerId: session.ownerId, address: session.address, sessionId: id };
}

/** Those of `ids` that have not ended. Does not count as a use. */
export async function stillLive({ db, now }: System, ids: readonly SessionId[]): Promise<Set<SessionId>> {
  const time = now();
  return new Set(await store.liveSessionsAmong(db, ids, time, addSeconds(time, -IDLE_SECONDS)));
}

/** The sessions that have not ended, most recently used first. */
export async function list(ctx: Ctx<Owner>): Promise<SessionView[]> {
  const now = ctx.now();
  const rows = await store.listLiveSessions(ctx.db, ctx.actor.ownerId, now, addSeconds(now, -IDLE_SECONDS));
  return rows.map(({ id, userAgent, createdAt, lastSeenAt, expiresAt }) => {
    const idleAt = addSeconds(lastSeenAt, IDLE_SECONDS);
    return {
      id,
      createdAt,
      lastSeenAt,
      device: deviceOf(userAgent),
      isCurrent: id === ctx.actor.sessionId,
      expiresAt: new Date(Math.min(idleAt.getTime(), expiresAt.getTime())),
    };
  });
}

/** Ends one of the owner's sessions, which may be the current one. Throws session_not_found for another owner's or an ended one. */
export async function end(ctx: Ctx<Owner>, id: SessionId): Promise<void> {
  const { ownerId } = ctx.actor;
  const time = ctx.now();
  await ctx.db.transaction(async (tx) => {
    const [ended] = await store.revokeSessions(tx, { ownerId, id }, time);
    if (!ended) throw ownerErrors.session_not_found();
    const meta = { sessions: 1, device: deviceOf(ended.userAgent) };
    await recordOfOwner(tx, time, ownerId, "owner.session_ended", meta);
  });
}

/** Ends all of the owner's sessions except the current one; returns their number. */
export function endOthers(ctx: Ctx<Owner>): Promise<number> {
  const { ownerId, sessionId } = ctx.actor;
  const time = ctx.now();
  return ctx.db.transaction(async (tx) => {
    const { length: count } = await store.revokeSessions(tx, { ownerId, except: sessionId }, time);
    if (count > 0) await recordOfOwner(tx, time, ownerId, "owner.session_ended", { sessions: count });
    return count;
  });
}

export async function signOut({ db, now }: System, id: SessionId): Promise<void> {
  const time = now();
  await db.transaction(async (tx) => {
    const [ended] = await store.revokeSessions(tx, { id }, time);
    const meta = ended && { device: deviceOf(ended.userAgent) };
    if (ended) await recordOfOwner(tx, time, ended.ownerId, "owner.signed_out", meta);
  });
}
