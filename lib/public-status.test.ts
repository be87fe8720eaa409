import { expect, test } from "vitest";
import { toPublicStatus } from "./public-status";

const chain = {
  network: "base" as const,
  head: "120",
  hasSettler: true,
  relayerGasWei: ["12345678900000"],
  isReady: true,
};
const queue = {
  network: "base" as const,
  open: 3,
  oldestSeconds: 4,
  stuck: 0,
  declined: 0,
  useNotShown: 0,
  atFeeCap: 0,
  readUpToBlock: "118",
  isReading: true,
  isSending: true,
};
const report = {
  status: "ok" as const,
  database: true,
  chains: [chain],
  queues: [queue],
  webhooks: null,
  pausedRelayers: [
    { network: "base" as const, signer: `0x${"ab".repeat(20)}` as never, pausedReason: "secret reason" },
  ],
};
const time = new Date("2026-11-24T00:00:00Z");
const only = (given: Parameters<typeof toPublicStatus>[0]) => toPublicStatus(given, time).networks[0];

test("the public status shows a network's blocks and queue, and nothing about its keys", () => {
  const shownPublicStatus = toPublicStatus(report, time);
  expect(shownPublicStatus).toMatchObject({ isWorking: true, readAt: time });
  expect(only(report)).toMatchObject({ state: "working", head: "120", blocksBehind: 2, open: 3, oldestSeconds: 4 });
  const text = JSON.stringify(shownPublicStatus);
  for (const secret of ["12345678900000", "ab".repeat(20), "secret reason"]) expect(text).not.toContain(secret);
});

test.each([
  ["no_answer", { chains: [{ ...chain, head: null, isReady: false }] }],
  ["unknown", { queues: [], database: false }],
  ["not_reading", { queues: [{ ...queue, isReading: false }] }],
  ["not_sending", { queues: [{ ...queue, isSending: false }] }],
  ["not_sending", { chains: [{ ...chain, isReady: false }] }],
  ["slow", { queues: [{ ...queue, stuck: 1 }] }],
] as const)("the public status of a network can be %s", (state, change) => {
  expect(only({ ...report, ...change } as never)).toMatchObject({ network: "base", state });
});
