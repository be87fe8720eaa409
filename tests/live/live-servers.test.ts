import { afterAll, beforeAll, expect, test } from "vitest";
import { newId, type OwnerId } from "@/lib/core/ids";
import { record } from "@/lib/platform/events";
import { newOwner } from "../support/actors";
import { listenTo } from "../support/event-stream";
import { startReplica } from "../support/replica";
import { openSystem } from "../support/system";
import { createWorld, type World } from "../support/world";

/** What `npm start` waits for at most when a response does not end. */
const ANSWER_SECONDS = 5;

let world: World;
let testSystem: ReturnType<typeof openSystem>;

beforeAll(async () => {
  world = await createWorld();
  testSystem = openSystem();
});
afterAll(async () => {
  const { closeSystem } = await import("../support/wiring");
  await closeSystem();
  await testSystem?.close();
  await world?.stop();
});

test("every server process streams new events, uncompressed, and an open stream does not delay its shutdown", async () => {
  const owner = await newOwner();
  const [row] = await testSystem.sql`select id from owners where address = ${owner.address}`;
  const ownerId: OwnerId = row?.id;
  const [one, two] = await Promise.all([startReplica(), startReplica()]);
  const streams = await Promise.all(
    [one, two].map(({ port }) => listenTo({ ...owner, port, headers: { "accept-encoding": "gzip, br" } })),
  );
  const [first, second] = streams;
  if (!first || !second) throw new Error("two were opened");
  expect(first.headers.get("content-encoding")).toBeNull();

  const began = performance.now();
  const event = { type: "credits.taken_back", subject: newId("creditTransaction"), ownerId, meta: { amount: "5" } };
  await record(testSystem.system.db, new Date(), event);
  for (const stream of streams) {
    for (;;) {
      const change = await stream.next();
      if (change?.data.kind === event.type) break;
      expect(change).not.toBeNull();
    }
  }
  expect(performance.now() - began).toBeLessThan(10_000);

  const stopping = performance.now();
  one.process.kill("SIGTERM");
  expect(await first.next()).toBeNull();
  await one.died;
  expect((performance.now() - stopping) / 1000).toBeLessThan(ANSWER_SECONDS);
  second.close();
  await two.kill();
});
