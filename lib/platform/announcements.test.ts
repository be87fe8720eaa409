import { expect, test } from "vitest";
import { newId } from "@/lib/core/ids";
import { type AnnouncedChange, changesIn, payloadsOf } from "./announcements";

const change = (kind = "payment.settled"): AnnouncedChange => ({ ownerId: newId("owner"), id: newId("event"), kind });

test("database notifications are read back as they were written", () => {
  const changes = [change(), { ...change("payment.signed"), id: null }];
  expect(payloadsOf(changes).flatMap(changesIn)).toEqual(changes);
  expect(payloadsOf([])).toEqual([]);
});

test("no database notification is larger than PostgreSQL allows, and none is lost", () => {
  const changes = Array.from({ length: 500 }, () => change());
  const payloads = payloadsOf(changes);
  expect(payloads.length).toBeGreaterThan(1);
  expect(Math.max(...payloads.map((payload) => Buffer.byteLength(payload)))).toBeLessThan(8_000);
  expect(payloads.flatMap(changesIn)).toEqual(changes);
});
