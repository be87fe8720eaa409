import { expect, test } from "vitest";
import { toAddress } from "@/lib/core/address";
import { toUsdc } from "@/lib/core/money";
import type { Fact } from "./chain";
import type { Row } from "./facts";
import { judgeSellers } from "./judge-sellers";
import { keyOfProof, newMemory, type Proof } from "./memory";

const PAYER = toAddress("0x70997970C51812dc3A010C7d01b50e0d17dc79C8");
const SHOP = toAddress("0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC");
const NONCE = `0x${"12".repeat(32)}` as const;
const HASH = `0x${"34".repeat(32)}`;

const KEY = { id: "fky_1", secret: "" };
const OTHER = { id: "fky_2", secret: "" };
const reply = (body: object, key = KEY, status = 200) => ({
  key,
  answer: { status, body, text: JSON.stringify(body), headers: new Headers() },
});
const extra = { settlementId: "stl_x" };
const paidReply = (key = KEY, transaction = HASH) => reply({ success: true, transaction, extra }, key);
const refusedReply = (errorReason: string, { isClaimed = false, key = KEY } = {}) =>
  reply({ success: false, errorReason, transaction: "", ...(isClaimed && { extra }) }, key);
const unavailable = reply({ code: "unavailable" }, KEY, 503);
const pending = refusedReply("settlement_pending", { isClaimed: true });
const duplicate = refusedReply("duplicate_settlement", { key: OTHER });

const proof = (settles: Proof["settles"], more: Partial<Proof> = {}): Proof => {
  const authorization = {
    from: PAYER,
    to: SHOP,
    value: toUsdc(5n),
    nonce: NONCE,
    validAfter: 0n,
    validBefore: 1_800_000_000n,
  };
  return {
    act: "settle",
    authorization,
    isHonest: false,
    key: keyOfProof(authorization),
    payTo: SHOP,
    signature: "0x",
    header: "",
    account: null,
    network: "base",
    linkId: null,
    content: null,
    url: "https://shop.example/goods",
    replies: [],
    settles,
    verifies: [],
    ...more,
  };
};

const fact: Fact = {
  end: "used",
  from: PAYER.toLowerCase(),
  nonce: NONCE,
  to: SHOP.toLowerCase(),
  value: 5n,
  txHash: HASH,
  sender: "",
  block: 9n,
};

const row = (state: string, purpose = "facilitator"): Row => ({
  id: "stl_x",
  payer: PAYER,
  nonce: NONCE,
  payee: SHOP,
  amount: "5",
  purpose,
  subject: KEY.id,
  state,
  failure_code: state === "void" ? "EXPIRED" : null,
  claimed_at: "1",
});

const judgeProof = (proof: Proof, shown: Fact | null, claim?: Row) =>
  judgeSellers(proof, { byKey: new Map(shown ? [[proof.key, shown]] : []), transfers: [] }, claim, newMemory());

const delivered = { at: 0, by: "presented" as const, answer: reply({}).answer };
const valid = { ...reply({ isValid: true }), wasPaid: true };
const invalid = { ...reply({ isValid: false }), wasPaid: false };
const insufficient = refusedReply("insufficient_funds");
const voided = refusedReply("insufficient_funds", { isClaimed: true });

test.each<[string, Proof, Fact | null, Row?]>([
  ["paid, and nothing moved", proof([paidReply()]), null],
  ["paid by another transaction", proof([paidReply(KEY, "0x")]), fact, row("settled")],
  ["paid, and the settlement is for a link", proof([paidReply()]), fact, row("settled", "link")],
  ["paid to two keys", proof([paidReply()], { replies: [delivered] }), fact, row("settled")],
  ["void, and it has moved", proof([voided, paidReply()]), fact, row("settled")],
  ["a duplicate of itself", proof([refusedReply("duplicate_settlement")]), fact, row("settled")],
  ["paid, and another authorization with its nonce has moved", proof([paidReply()]), { ...fact, value: 4n }],
  ["pending after everything has ended", proof([pending]), fact, row("settled")],
  ["unknown after everything has ended", proof([unavailable]), null],
  ["an undocumented error", proof([reply({}, KEY, 500), duplicate, insufficient]), null],
  ["refused, and settled", proof([{ ...insufficient, key: OTHER }]), fact, { ...row("settled"), subject: OTHER.id }],
  ["paid, and then valid", proof([paidReply()], { verifies: [valid] }), fact, row("settled")],
  ["honest, and refused", proof([insufficient], { isHonest: true }), null],
  ["honest, and invalid", proof([], { isHonest: true, verifies: [invalid] }), null],
])("the simulation's judge reports contradictory responses to a seller: %s", (_, proof, shown, claim) => {
  expect(judgeProof(proof, shown, claim)).not.toEqual([]);
});

test.each<[string, Proof, Fact | null, Row?]>([
  ["pending, and then paid", proof([unavailable, pending, paidReply(), duplicate]), fact, row("settled")],
  [
    "paid, and a duplicate at the same moment",
    proof([paidReply(), refusedReply("duplicate_settlement")]),
    fact,
    row("settled"),
  ],
  ["pending, and then void", proof([pending, voided]), null, row("void")],
  ["refused, and submitted by a stranger", proof([insufficient]), fact],
  ["a duplicate of a link's payment", proof([duplicate], { replies: [delivered] }), fact, row("settled", "link")],
])("the simulation's judge accepts the responses to a seller: %s", (_, proof, shown, claim) => {
  expect(judgeProof(proof, shown, claim)).toEqual([]);
});
