import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addSeconds } from "@/lib/core/time";
import type { Reply } from "@/lib/platform/outbound";
import { VERIFICATION_TYPE } from "./catalogue";
import { message } from "./messages";
import { afterAttempt, choose, closedTo, failureOf, isUnderway, receiverOf, retryAt, type WebhookSend } from "./rules";

const NOW = new Date("2026-03-01T12:00:00Z");
const HOUR = 3600;

const EVENT = { type: "payment.settled", body: "{}" } as const;
const answered = (status: number): Reply => ({ isAnswered: true, status, body: "", retryAfter: null });

test("only a response with status 200 to 299 counts as delivered", () => {
  const failures = [199, 200, 204, 299, 300, 302, 308, 399, 400, 404, 410, 500, 599].map((status) =>
    failureOf(answered(status), EVENT),
  );
  expect(failures).toEqual([
    "status",
    null,
    null,
    null,
    "redirect",
    "redirect",
    "redirect",
    "redirect",
    "status",
    "status",
    "gone",
    "status",
    "status",
  ]);
  expect(failureOf({ isAnswered: false, why: "timeout" }, EVENT)).toBe("timeout");
});

describe("a receiver's challenge", () => {
  const sent = message(VERIFICATION_TYPE, NOW, { webhookId: "whk_1", challenge: "abc123" });
  const reply = (body: string, status = 200): Reply => ({ isAnswered: true, status, body, retryAfter: null });

  test.each(["abc123", " abc123\n", '{"challenge":"abc123"}', '{"challenge":"abc123","more":[1]}'])(
    "is returned by the response %j",
    (body) => {
      expect(failureOf(reply(body), sent)).toBeNull();
    },
  );

  test.each([
    "",
    "ok",
    "ABC123",
    "abc1234",
    "xabc123",
    '"abc123"',
    '{"challenge":"abc12"}',
    '{"challenge":["abc123"]}',
    '{"Challenge":"abc123"}',
    '["abc123"]',
    '{"data":{"challenge":"abc123"}}',
    "{".repeat(100_000),
    "null",
    sent.body,
  ])("is not returned by the response %.60j", (body) => {
    expect(failureOf(reply(body), sent)).toBe("not_echoed");
  });

  test("is not returned by an error response, and is not needed for an event", () => {
    expect(failureOf(reply("abc123", 400), sent)).toBe("status");
    expect(failureOf(reply("abc123", 302), sent)).toBe("redirect");
    expect(failureOf(reply("ok"), EVENT)).toBeNull();
  });
});

test.each([
  ["https://example.com/hooks", "example.com"],
  ["https://EXAMPLE.com:8443/other?x", "example.com"],
  ["https://[2606:4700::1111]/x", "2606:4700::1111"],
  ["https://93.184.216.34:444/", "93.184.216.34"],
  ["http://localhost:5000/hooks", "localhost:5000"],
  ["http://127.0.0.1:5000/hooks", "127.0.0.1:5000"],
])("the URL %s has the receiver %s", (url, receiver) => {
  expect(receiverOf(url)).toBe(receiver);
});

describe("retries of a webhook delivery", () => {
  const waits = (chance: number) =>
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((tries) => {
      const next = retryAt({ tries, triedSince: NOW }, { now: NOW, chance });
      return next && (next.getTime() - NOW.getTime()) / 1000;
    });

  test("come after 5 s, 30 s, 2 min, 10 min, 30 min, 1 h, 3 h, 6 h and then every 12 h, a tenth more or less", () => {
    const said = [5, 30, 120, 600, 1800, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, 12 * HOUR];
    expect(waits(0.5)).toEqual(said);
    expect(waits(0)).toEqual(said.map((wait) => wait * 0.9));
  });

  /** Makes every attempt at the moment it is due, until there is none. */
  function attemptsUntilGivenUp(chance: () => number, retryAfter = 0): Date[] {
    const created = [NOW];
    for (;;) {
      const now = created.at(-1) ?? NOW;
      const next = retryAt(
        { tries: created.length, triedSince: NOW },
        { now, chance: chance(), retryAfterSeconds: retryAfter },
      );
      if (!next) return created;
      created.push(next);
    }
  }

  test("last exactly three days, for any random delays and any Retry-After", () => {
    fc.assert(
      fc.property(fc.integer(), fc.nat(10 * 24 * HOUR), (seed, retryAfter) => {
        const chances = fc.sample(fc.double({ min: 0, max: 0.999, noNaN: true }), { seed, numRuns: 30 });
        const created = attemptsUntilGivenUp(() => chances.pop() ?? 0, retryAfter);
        const times = created.map((time) => time.getTime());
        expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
        expect(created.at(-1)).toEqual(addSeconds(NOW, 72 * HOUR));
        expect(created.length).toBeLessThan(20);
      }),
    );
  });

  test("wait as long as Retry-After says, up to six hours, and never shorter than without it", () => {
    const after = (retryAfterSeconds: number) =>
      retryAt({ tries: 3, triedSince: NOW }, { now: NOW, chance: 0.5, retryAfterSeconds });
    expect([0, 60, 300, 6 * HOUR, 99 * HOUR].map(after)).toEqual(
      [120, 120, 300, 6 * HOUR, 6 * HOUR].map((wait) => addSeconds(NOW, wait)),
    );
  });
});

describe("after an attempt to deliver", () => {
  const tried = { type: "payment.settled" as const, tries: 1, triedSince: NOW };
  const webhook = { isEnabled: true, enabledAt: addSeconds(NOW, -HOUR), succeededAt: null };
  const ending = { retryAfter: null, now: NOW, chance: 0.5 };
  const late = { ...ending, now: addSeconds(NOW, 72 * HOUR), failure: "timeout" as const };

  test("that succeeded, the delivery is delivered", () => {
    expect(afterAttempt(tried, webhook, { ...ending, failure: null })).toEqual({ state: "delivered", disable: null });
  });

  test("that failed, the delivery waits for the next attempt, and is paused while its webhook is disabled", () => {
    const next = { nextAttemptAt: addSeconds(NOW, 5), disable: null };
    const failed = { ...ending, failure: "status" as const };
    expect(afterAttempt(tried, webhook, failed)).toEqual({ state: "waiting", ...next });
    expect(afterAttempt(tried, { ...webhook, isEnabled: false }, failed)).toEqual({ state: "paused", ...next });
  });

  test("with status 410, the webhook is disabled", () => {
    expect(afterAttempt(tried, webhook, { ...ending, failure: "gone" })).toEqual({ state: "failed", disable: "gone" });
  });

  test("at the end of three days without any success, the webhook is disabled", () => {
    expect(afterAttempt(tried, webhook, late)).toEqual({ state: "failed", disable: "failing" });
    const before = { ...webhook, succeededAt: addSeconds(NOW, -1) };
    expect(afterAttempt(tried, before, late)).toEqual({ state: "failed", disable: "failing" });
  });

  test("at the end of three days, the webhook stays enabled if another delivery succeeded or it was enabled since", () => {
    const other = { ...webhook, succeededAt: addSeconds(NOW, 1) };
    const again = { ...webhook, enabledAt: addSeconds(NOW, 1) };
    for (const standing of [other, again]) {
      expect(afterAttempt(tried, standing, late)).toEqual({ state: "failed", disable: null });
    }
  });

  test("of a test event, there is no retry, and the webhook is disabled only for status 410", () => {
    const one = { ...tried, type: "webhook.test" as const };
    expect(afterAttempt(one, webhook, late)).toEqual({ state: "failed", disable: null });
    expect(afterAttempt(one, webhook, { ...late, failure: "gone" })).toEqual({ state: "failed", disable: "gone" });
  });
});

describe("the simultaneous deliveries", () => {
  const good = (id: string): WebhookSend<string> => ({ id, receiver: id, isFailing: false, isVerified: true });
  const failing = (id: string): WebhookSend<string> => ({ id, receiver: id, isFailing: true, isVerified: true });
  const due = (...webhooks: WebhookSend<string>[]) => webhooks.map((webhook) => ({ webhook }));
  const ids = (chosen: { webhook: WebhookSend<string> }[]) => chosen.map(({ webhook }) => webhook.id);

  test("are at most two per receiver, and one for a failing receiver, including those in progress", () => {
    const many = due(...Array.from({ length: 9 }, () => good("a")), failing("b"), failing("b"), good("c"));
    expect(ids(choose(many, []))).toEqual(["a", "a", "b", "c"]);
    expect(ids(choose(many, [good("a"), failing("b")]))).toEqual(["a", "c"]);
  });

  test("are no more for a receiver that many webhooks name", () => {
    const many = due(
      ...Array.from({ length: 9 }, (_, index) => ({ ...good(`hook ${index}`), receiver: "one.example" })),
    );
    expect(ids(choose(many, []))).toEqual(["hook 0", "hook 1"]);
    expect(ids(choose(many, [{ ...failing("other"), receiver: "one.example" }]))).toEqual(["hook 0"]);
  });

  test("are at most 64, of which failing webhooks have at most half", () => {
    const bad = Array.from({ length: 100 }, (_, index) => failing(`bad ${index}`));
    const fine = Array.from({ length: 100 }, (_, index) => good(`good ${index}`));
    const chosen = choose(due(...bad, ...fine), []);
    expect(chosen.filter(({ webhook }) => webhook.isFailing)).toHaveLength(32);
    expect(chosen).toHaveLength(64);
  });

  test("leave room for verified receivers, however many host names an unverified one uses", () => {
    const unverified = (index: number) => ({ ...good(`${index}.wildcard.example`), isVerified: false });
    const names = Array.from({ length: 300 }, (_, index) => unverified(index));
    const known = Array.from({ length: 20 }, (_, index) => good(`good ${index}`));
    const bad = Array.from({ length: 20 }, (_, index) => failing(`bad ${index}`));
    const chosen = choose(due(...bad, ...names, ...known), []);
    expect(ids(chosen).filter((id) => id.startsWith("good"))).toHaveLength(16);
    expect(chosen).toHaveLength(64);
    expect(closedTo(chosen.map(({ webhook }) => webhook))).toEqual({ failing: true, unverified: true });
    expect(closedTo(names.slice(0, 47))).toEqual({ failing: false, unverified: false });
  });
});

test("a delivery is in progress from the beginning of an attempt to its end, or until its time is over", () => {
  const logged = (state: "waiting" | "paused", durationMs: number | null) => ({
    delivery: { state, nextAttemptAt: addSeconds(NOW, 60) },
    attempts: [{ durationMs: 5 }, { durationMs }],
  });
  expect(isUnderway(logged("waiting", null), NOW)).toBe(true);
  expect(isUnderway(logged("waiting", null), addSeconds(NOW, 60))).toBe(false);
  expect(isUnderway(logged("waiting", 5), NOW)).toBe(false);
  expect(isUnderway(logged("paused", null), NOW)).toBe(false);
  expect(isUnderway({ ...logged("waiting", null), attempts: [] }, NOW)).toBe(false);
});
