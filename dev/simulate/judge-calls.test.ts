import { expect, test } from "vitest";
import type { Fact } from "./chain";
import { keyName } from "./chain";
import type { Row } from "./facts";
import { type AskedRequest, type Claims, judgeCall, judgePass, judgeRequest, type PassTruth } from "./judge-calls";
import type { PassMemory, Proof } from "./memory";
import type { SoldPass } from "./passes";

const PAYER = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
const PAYEE = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";
const PAID = "http://front/paid/lnk_x";

const row: Row = {
  id: "stl_x",
  payer: PAYER,
  nonce: "0x12",
  payee: PAYEE,
  amount: "301",
  purpose: "link",
  subject: "lnk_x",
  state: "settled",
  failure_code: null,
  claimed_at: "1",
};
const used: Fact = {
  end: "used",
  from: PAYER,
  nonce: "0x12",
  to: PAYEE,
  value: 301n,
  txHash: "0x",
  sender: "",
  block: 9n,
};
const key = keyName(PAYER, "0x12");
const facts = (hasMoved: boolean) => ({ byKey: new Map(hasMoved ? [[key, used]] : []) });
const memory = (wasUndone = false) => ({ undone: new Set(wasUndone ? [key] : []) });
// Only these members are read.
const proof = { act: "call", key } as Proof;
const respond = (status: number, body: object | string = {}) => ({
  status,
  body,
  text: typeof body === "string" ? body : JSON.stringify(body),
  headers: new Headers(),
});

const request = (change: Partial<AskedRequest> = {}, claims: Partial<Claims> = {}): AskedRequest => {
  const path = change.path ?? "/a";
  const told = { sub: "stl_x", payer: PAYER, linkId: "lnk_x", amount: "301", method: "GET", path };
  return { at: 0, method: "GET", path, key: "stl_x", answer: "one", claims: { ...told, ...claims }, ...change };
};

test("the simulation's judge accepts a request that was paid, and one whose payment was in a replaced block", () => {
  expect(judgeRequest(request(), row, facts(true), memory())).toEqual([]);
  expect(judgeRequest(request(), row, facts(false), memory(true))).toEqual([]);
});

test.each([
  ["without claims", { ...request(), claims: null }, row, true],
  ["for no payment", request(), undefined, true],
  ["for a refund", request(), { ...row, purpose: "refund" }, true],
  ["for a payment that the chain does not show", request(), row, false],
  ["with another amount", request({}, { amount: "1" }), row, true],
  ["with another path", request({}, { path: "/b" }), row, true],
  ["with the key of another payment", request({ key: "stl_y" }), row, true],
  ["with the key of another call", request({ key: "psc_y" }, { passCall: "psc_x" }), row, true],
])("the simulation's judge reports a request to an API %s", (_, asked, payment, hasMoved) => {
  expect(judgeRequest(asked, payment, facts(hasMoved), memory())).toHaveLength(1);
});

const call = (...replies: [url: string, status: number, text?: string][]) => ({
  proof,
  urls: [`${PAID}/a`],
  replies: replies.map(([url, status, text = ""]) => ({ url: `${PAID}${url}`, answer: respond(status, text) })),
});
const none = () => 0;

test("the simulation's judge accepts the same answer twice, and another one that could not be kept or came much later", () => {
  const two = [request(), request({ answer: "two" })];
  expect(judgeCall(call(["/a", 503], ["/a", 200, "one"], ["/a", 200, "one"]), row, two, none)).toEqual([]);
  expect(judgeCall(call(["/a", 200, "one"], ["/a", 200, "two"]), row, two, () => 1)).toEqual([]);
  const late = [request(), request({ answer: "two", at: 60_000 })];
  expect(judgeCall(call(["/a", 200, "one"], ["/a", 200, "two"]), row, late, none)).toEqual([]);
  expect(judgeCall(call(["/a", 402]), undefined, [], none)).toEqual([]);
});

test.each([
  ["an answer that the API has not given", call(["/a", 200, "made up"]), [request()]],
  ["the answer of another path", call(["/b", 200, "one"]), [request()]],
  ["two answers", call(["/a", 200, "one"], ["/a", 200, "two"]), [request(), request({ answer: "two" })]],
  ["a payment without an answer", call(["/a", 503]), [request({ answer: null })]],
  ["two paths for one payment", call(["/a", 200, "one"]), [request(), request({ path: "/b", answer: null })]],
  ["an eleventh try", call(["/a", 200, "one"]), Array.from({ length: 11 }, () => request())],
])("the simulation's judge reports %s", (_, made, requests) => {
  expect(judgeCall(made, row, requests, none)).toHaveLength(1);
});

type Use = PassMemory["uses"][number];
const use = (path: string, answer: Use["answer"], from = 0): Use => ({ path, from, to: from + 1, answer });
const served = (index: number, from = index) => use(`/${index}`, respond(200, `answer ${index}`), from);
const refused = (code: string, from = 90) => use("/x", respond(402, { code }), from);
const failed = (callEnd: string, from = 0) => use("/f", respond(503, { code: "UPSTREAM_FAILED", callEnd }), from);
const lost = use("/l", null);
const onPass = (index: number, answer: string | null = `answer ${index}`) =>
  request({ path: `/${index}`, key: `psc_${index}`, answer }, { passCall: `psc_${index}` });

const refund = { refundId: "rfd_x", askedAt: 50, approvedAt: 60 };
const pass = (uses: Use[], refunds: PassMemory["refunds"] = []): PassMemory => ({
  proof,
  linkId: "lnk_x",
  owner: 0,
  paidUrl: PAID,
  calls: 3,
  token: "pass_x",
  uses,
  refunds,
});
const listed = (change: Partial<SoldPass> = {}): SoldPass => ({
  settlementId: "stl_x",
  paymentId: 1,
  status: "used_up",
  callsLeft: 0,
  callsUnderWay: 0,
  callsFailed: 0,
  unusedAmount: "0",
  ...change,
});
const truth = (count: number, change: Partial<PassTruth> = {}): PassTruth => ({
  requests: Array.from({ length: count }, (_, index) => onPass(index)),
  price: 301n,
  refunded: new Map(),
  unstored: 0,
  ...change,
});
const REFUNDED = { refunded: new Map([["rfd_x", 100n]]) };
const three = [served(0), served(1), served(2), refused("PASS_USED_UP")];
const refundedOnce = listed({ status: "refunded", callsLeft: 2 });
const leftOver = listed({ status: "usable", callsLeft: 1, unusedAmount: "100" });

test.each([
  ["used up", pass(three), listed(), truth(3)],
  ["with a lost answer", pass([served(0), served(1), lost]), listed(), truth(3)],
  ["with a lost call that came back", pass([...three, lost]), listed({ callsFailed: 1 }), truth(4)],
  ["with a failed call", pass([failed("back"), ...three]), listed({ callsFailed: 1 }), truth(4)],
  ["with a free answer whose end was not stored", pass([...three, served(3)]), listed(), truth(4, { unstored: 1 })],
  ["refunded", pass([served(0), refused("PASS_HELD")], [refund]), refundedOnce, truth(1, REFUNDED)],
])("the simulation's judge accepts a pass %s", (_, memory, said, known) => {
  expect(judgePass(memory, said, known)).toEqual([]);
});

test.each([
  ["was answered 4 times", pass([...three, served(3)]), listed({ callsLeft: -1, unusedAmount: "-100" }), truth(4)],
  ["counts 3 answers, and its buyer got 2 and lost at most 0", pass([served(0), served(1)]), listed(), truth(3)],
  ["counts 2 answers, and its buyer got 3", pass(three), listed({ callsLeft: 1, unusedAmount: "100" }), truth(3)],
  ["counts 1 failures, and at most 0 calls failed", pass(three), listed({ callsFailed: 1 }), truth(3)],
  ["asked the API 31 times", pass(three), listed(), truth(31)],
  ["has 1 calls under way", pass(three), listed({ callsUnderWay: 1 }), truth(3)],
  ["is usable after its buyer has used what was left", pass([served(0), served(1)]), leftOver, truth(2)],
  ["has 1 unused, and not 0 of 301", pass(three), listed({ unusedAmount: "1" }), truth(3)],
  ["was answered 500", pass([...three, use("/x", respond(500))]), listed(), truth(3)],
  [
    "got at /2 an answer that the API has not given to it",
    pass([served(0), served(1), use("/2", respond(200, "answer 7"))]),
    listed(),
    truth(3),
  ],
  [
    "was refunded 1, and 3 calls were answered before",
    pass(three, [refund]),
    listed({ status: "refunded" }),
    truth(3, { refunded: new Map([["rfd_x", 1n]]) }),
  ],
  [
    "was refunded 201, and 1 calls were answered before",
    pass([served(0)], [refund]),
    refundedOnce,
    truth(1, { refunded: new Map([...REFUNDED.refunded, ["rfd_y", 101n]]) }),
  ],
  ["admitted 1 calls after the approval", pass([served(0, 70)], [refund]), refundedOnce, truth(1, REFUNDED)],
  [
    "admitted 1 calls after the approval",
    pass([served(0), failed("blocked", 70)], [refund]),
    { ...refundedOnce, callsFailed: 1 },
    truth(2, REFUNDED),
  ],
])("the simulation's judge reports that a pass %s", (lie, memory, said, known) => {
  expect(judgePass(memory, said, known)).toContainEqual(expect.stringContaining(lie));
});

test("the simulation's judge reports one answer or one key for two calls", () => {
  const twice = [served(0), served(0), served(1)];
  expect(judgePass(pass(twice), listed(), truth(3))).toHaveLength(1);
  const requests = [onPass(0), onPass(1), { ...onPass(2), key: "psc_1" }];
  expect(judgePass(pass(three), listed(), truth(3, { requests }))).toHaveLength(1);
});
