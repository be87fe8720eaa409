import { expect, test } from "vitest";
import type { Fact, Facts } from "./chain";
import { keyName } from "./chain";
import type { Row } from "./facts";
import { judgeMove, judgeRefund } from "./judge-moves";
import { newMemory } from "./memory";

const PAYER = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
const PAYEE = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";

const row: Row = {
  id: "stl_x",
  payer: PAYER,
  nonce: "0x12",
  payee: PAYEE,
  amount: "5",
  purpose: "refund",
  subject: "rfd_x",
  state: "settled",
  failure_code: null,
  claimed_at: "1",
};
const used: Fact = {
  end: "used",
  from: PAYER,
  nonce: "0x12",
  to: PAYEE,
  value: 5n,
  txHash: "0x",
  sender: "",
  block: 9n,
};
const facts = (hasMoved: boolean): Facts => ({
  byKey: new Map(hasMoved ? [[keyName(PAYER, "0x12"), used]] : []),
  transfers: [],
});
const respond = (status: number, body: object) => ({
  status,
  body,
  text: JSON.stringify(body),
  headers: new Headers(),
});

const FAILED = { code: "settlement_failed", failureCode: "EXPIRED" };
const UNTIL = { ...FAILED, stillValidUntil: "2026-01-01T00:00:00Z" };
const SETTLED = respond(200, { settlementStatus: "settled" });
const ENDED = respond(200, { settlementStatus: "failed" });
const OPEN = respond(200, { settlementStatus: "pending" });

test.each([
  ["settled, and nothing moved", respond(200, {}), false, ENDED],
  ["failed for good, and it has moved", respond(500, FAILED), true, SETTLED],
  ["settled in the end, and nothing moved", respond(202, {}), false, SETTLED],
  ["failed in the end, and it has moved", respond(202, {}), true, ENDED],
  ["pending after everything has ended", respond(202, {}), true, OPEN],
  ["an undocumented error", respond(500, { code: "internal_error" }), true, SETTLED],
])("the simulation's judge reports a false response about a deposit: %s", (_, reply, hasMoved, ended) => {
  const move = { kind: "deposit", owner: 0, reply, from: PAYER, nonce: "0x12" } as const;
  expect(judgeMove(move, row, facts(hasMoved), newMemory(), ended)).toHaveLength(1);
});

test.each([
  ["settled", respond(200, {}), true, SETTLED],
  ["pending, and then settled", respond(202, {}), true, SETTLED],
  ["still valid, and submitted by a stranger", respond(500, UNTIL), true, SETTLED],
  ["still valid, and void in the end", respond(500, UNTIL), false, ENDED],
])("the simulation's judge accepts a true response about a deposit: %s", (_, reply, hasMoved, ended) => {
  const move = { kind: "deposit", owner: 0, reply, from: PAYER, nonce: "0x12" } as const;
  expect(judgeMove(move, row, facts(hasMoved), newMemory(), ended)).toEqual([]);
});

const refund = (status: string) => ({
  refundId: "rfd_x",
  owner: 0,
  replies: [respond(200, { refund: { status } }), null],
});
const says = (status: string) => respond(200, { status });

test.each([
  ["settled, and nothing moved", refund("settled"), [row], false, says("failed")],
  ["failed, and it has moved", refund("failed"), [row], true, says("settled")],
  ["paid twice", refund("pending"), [row, row], true, says("settled")],
  ["pending after everything has ended", refund("pending"), [row], true, says("pending")],
  ["settled in the end, and nothing moved", refund("pending"), [row], false, says("settled")],
])("the simulation's judge reports a false response about a refund: %s", (_, memory, rows, hasMoved, ended) => {
  expect(judgeRefund(memory, rows, facts(hasMoved), newMemory(), ended)).toHaveLength(1);
});

test.each([
  ["settled", refund("settled"), [row], true, says("settled")],
  ["pending, and void in the end", refund("pending"), [row], false, says("failed")],
  ["never sent", refund("pending"), [], false, says("pending")],
])("the simulation's judge accepts a true response about a refund: %s", (_, memory, rows, hasMoved, ended) => {
  expect(judgeRefund(memory, rows, facts(hasMoved), newMemory(), ended)).toEqual([]);
});
