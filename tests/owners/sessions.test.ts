import { describe, expect, test } from "vitest";
import { newId } from "@/lib/core/ids";
import { callAuth, newOwner, signInOwner } from "../support/actors";
import { call } from "../support/http";
import type { Json } from "../support/mandates";
import { body, outcome } from "../support/payouts";
import { shareService } from "../support/service";

const service = shareService();

const get = (session: string, path = "/api/wallet") => call("GET", path, { session });
const list = async (session: string): Promise<Json[]> => body(await get(session, "/api/sessions")).sessions;
const end = (session: string, path: string) => call("DELETE", path, { session });
const ENDED = [401, "session_required"];

/** Signs out as next-auth's signOut() does. */
async function signOut(session: string): Promise<void> {
  const csrf = await callAuth("GET", "csrf");
  const { csrfToken }: { csrfToken: string } = await csrf.json();
  const cookies = csrf.headers.getSetCookie().map((cookie) => cookie.split(";")[0]);
  const cookie = [...cookies, `next-auth.session-token=${session}`].join("; ");
  const form = new URLSearchParams({ csrfToken, callbackUrl: "/", json: "true" });
  expect((await callAuth("POST", "signout", { cookie, body: form.toString() })).status).toBe(200);
}

describe("an owner's sessions", () => {
  test("are listed only to their owner, with the current one marked", async () => {
    const owner = await newOwner();
    const second = await signInOwner(owner.account);
    const rows = await list(second);
    expect(rows).toHaveLength(2);
    expect(rows.filter(({ isCurrent }) => isCurrent)).toHaveLength(1);
    const [row] = await list(owner.session);
    expect(row).toEqual({
      sessionId: expect.stringMatching(/^ses_/),
      device: expect.any(String),
      createdAt: expect.any(String),
      lastSeenAt: expect.any(String),
      expiresAt: expect.any(String),
      isCurrent: expect.any(Boolean),
    });
    expect(Date.parse(row.expiresAt) - Date.parse(row.lastSeenAt)).toBe(7 * 86_400_000);
    expect(await list((await newOwner()).session)).toHaveLength(1);
    expect(outcome(await call("GET", "/api/sessions"))).toEqual(ENDED);
  });

  test("end on the server at sign-out, so that the cookie no longer works", async () => {
    const { session } = await newOwner();
    expect((await get(session)).status).toBe(200);
    await signOut(session);
    expect(outcome(await get(session))).toEqual(ENDED);
    const knownResponse = await callAuth("GET", "session", { cookie: `next-auth.session-token=${session}` });
    expect(await knownResponse.json()).toEqual({});
  });

  test("can be ended one by one from another device, but not by another owner", async () => {
    const owner = await newOwner();
    const phone = await signInOwner(owner.account);
    const [{ sessionId }] = (await list(owner.session)).filter(({ isCurrent }) => !isCurrent);
    const stranger = await newOwner();
    expect(outcome(await end(stranger.session, `/api/sessions/${sessionId}`))).toEqual([404, "session_not_found"]);
    expect((await get(phone)).status).toBe(200);
    expect(outcome(await end(owner.session, `/api/sessions/${sessionId}`))).toEqual([200, "ok"]);
    expect(outcome(await get(phone))).toEqual(ENDED);
    expect((await get(owner.session)).status).toBe(200);
    expect(outcome(await end(owner.session, `/api/sessions/${sessionId}`))).toEqual([404, "session_not_found"]);
    expect(outcome(await end(owner.session, `/api/sessions/${newId("session")}`))).toEqual([404, "session_not_found"]);
    expect(outcome(await end(owner.session, "/api/sessions/nonsense"))).toEqual([400, "invalid_request"]);
  });

  test("can be ended all at once except the current one", async () => {
    const owner = await newOwner();
    const others = [await signInOwner(owner.account), await signInOwner(owner.account)];
    const stranger = await newOwner();
    expect(await end(owner.session, "/api/sessions")).toMatchObject({ status: 200, body: { status: "ok", ended: 2 } });
    for (const other of others) expect(outcome(await get(other))).toEqual(ENDED);
    for (const kept of [owner.session, stranger.session]) expect((await get(kept)).status).toBe(200);
    expect(await end(owner.session, "/api/sessions")).toMatchObject({ body: { ended: 0 } });
  });

  test("can end themselves", async () => {
    const { session } = await newOwner();
    const [{ sessionId }] = await list(session);
    expect(outcome(await end(session, `/api/sessions/${sessionId}`))).toEqual([200, "ok"]);
    expect(outcome(await get(session))).toEqual(ENDED);
  });

  test.each([
    ["last_seen_at", "7 days", ENDED[0]],
    ["last_seen_at", "6 days 23 hours", 200],
    ["created_at", "30 days", ENDED[0]],
    ["created_at", "29 days 23 hours", 200],
  ] as const)("with a %s of %s ago get the status %d", async (column, age, status) => {
    const { session } = await newOwner();
    const [{ sessionId }] = await list(session);
    const { sql } = service.opened;
    if (column === "last_seen_at") {
      await sql`update sessions set last_seen_at = now() - ${age}::interval where id = ${sessionId}`;
    } else {
      await sql`
        update sessions set created_at = created_at - ${age}::interval, expires_at = expires_at - ${age}::interval
        where id = ${sessionId}`;
    }
    expect((await get(session)).status).toBe(status);
    // A session that was used is no longer idle.
    if (column === "last_seen_at" && status === 200) {
      const [row] =
        await sql`select last_seen_at > now() - interval '1 minute' as fresh from sessions where id = ${sessionId}`;
      expect(row?.fresh).toBe(true);
    }
  });

  test("cannot be ended by another site's page", async () => {
    const owner = await newOwner();
    const other = await signInOwner(owner.account);
    const response = await call("DELETE", "/api/sessions", {
      session: owner.session,
      headers: { origin: "https://evil.example" },
    });
    expect(outcome(response)).toEqual([403, "origin_not_allowed"]);
    expect((await get(other)).status).toBe(200);
  });
});
