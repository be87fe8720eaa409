import { expect, test } from "vitest";
import { toAddress } from "@/lib/core/address";
import { toUsdc } from "@/lib/core/money";
import type { Fact } from "./chain";
import type { Row } from "./facts";
import { judgeAnswer } from "./judge-answers";
import { keyOfProof, newMemory, type Proof } from "./memory";

const PAYER = toAddress("0x70997970C51812dc3A010C7d01b50e0d17dc79C8");
const SELLER = toAddress("0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC");
const NONCE = `0x${"12".repeat(32)}` as const;
const VALID_BEFORE = 1_800_000_000n;

type Given = { act?: string; isHonest?: boolean; by?: "presented" | "looked up" };

const proof = (
  status: number,
  body: object,
  { act = "drain", isHonest = false, by = "presented" }: Given = {},
): Proof => {
  const authorization = {
    from: PAYER,
    to: SELLER,
    value: toUsdc(5n),
    nonce: NONCE,
    validAfter: 0n,
    validBefore: VALID_BEFORE,
  };
  const response = { status, body, text: JSON.stringify(body), headers: new Headers() };
  return {
    act,
    authorization,
    isHonest,
    key: keyOfProof(authorization),
    payTo: SELLER,
    url: "http://localhost/pay/x",
    signature: "0x",
    header: "",
    account: null,
    network: "base",
    linkId: null,
    content: null,
    replies: [{ at: 0, by, answer: response }],
    settles: [],
    verifies: [],
  };
};

const fact = (change: Partial<Fact> = {}): Fact => ({
  end: "used",
  from: PAYER.toLowerCase(),
  nonce: NONCE,
  to: SELLER.toLowerCase(),
  value: 5n,
  txHash: "0x",
  sender: "",
  block: 9n,
  ...change,
});

const row = (state: string): Row => ({
  id: "stl_x",
  payer: PAYER,
  nonce: NONCE,
  payee: SELLER,
  amount: "5",
  purpose: "upl",
  subject: "",
  state,
  failure_code: null,
  claimed_at: "1",
});

const judgeProof = (proof: Proof, shown: Fact | null, claim?: Row) => {
  const byKey = new Map(shown ? [[proof.key, shown]] : []);
  return judgeAnswer(proof, { byKey, transfers: [] }, claim, newMemory());
};

const FAILED = { code: "SETTLEMENT_FAILED", failureCode: "INSUFFICIENT_FUNDS" };
const UNTIL = new Date(Number(VALID_BEFORE) * 1000).toISOString();

test.each<[string, Proof, Fact | null, Row?]>([
  ["paid, and nothing moved", proof(200, {}), null],
  ["paid, and another amount moved", proof(200, {}), fact({ value: 4n })],
  ["paid, and it was cancelled", proof(200, {}), fact({ end: "canceled", to: null, value: null })],
  ["no money moved, and it has", proof(500, FAILED), fact()],
  ["expired, and it has moved", proof(402, { code: "PAYMENT_EXPIRED" }), fact()],
  ["valid until another time", proof(500, { ...FAILED, stillValidUntil: "2030-01-01T00:00:00Z" }), null],
  ["an undocumented error", proof(500, { code: "internal_error" }), null],
  ["used before and failed, and it has moved", proof(409, { settlementStatus: "failed" }), fact()],
  ["settled when looked up, and nothing moved", proof(200, { settlementStatus: "settled" }, { by: "looked up" }), null],
  ["pending after everything has ended", proof(200, { settlementStatus: "pending" }, { by: "looked up" }), null],
  ["not found when looked up, and it has moved", proof(404, {}, { by: "looked up" }), fact()],
  ["refused, and settled", proof(410, { code: "LINK_SOLD_OUT" }), fact(), row("settled")],
  ["honest, and not served", proof(202, {}, { isHonest: true }), null, row("void")],
  ["without a signer, and still valid", proof(500, { ...FAILED, stillValidUntil: UNTIL }, { act: "precompile" }), null],
  ["claimed without money", proof(202, {}, { act: "empty_wallet" }), null, row("void")],
])("the simulation's judge reports the contradictory responses: %s", (_, proof, shown, claim) => {
  expect(judgeProof(proof, shown, claim)).toHaveLength(1);
});

test.each<[string, Proof, Fact | null, Row?]>([
  ["paid, and it has moved", proof(200, {}), fact(), row("settled")],
  ["no money moved, and none has", proof(500, FAILED), null, row("void")],
  ["can still be paid, and was", proof(500, { ...FAILED, stillValidUntil: UNTIL }), fact(), row("settled")],
  ["pending, and then paid", proof(202, {}, { isHonest: true }), fact(), row("settled")],
  ["used before in another", proof(409, { settlementStatus: "failed" }, { act: "double_nonce" }), fact()],
  ["sold out, and submitted by a stranger", proof(410, { code: "LINK_SOLD_OUT" }), fact()],
])("the simulation's judge accepts the responses: %s", (_, proof, shown, claim) => {
  expect(judgeProof(proof, shown, claim)).toEqual([]);
});
