import { afterEach, expect, test, vi } from "vitest";
import type { TypedDataResult } from "@/components/wallet/typed-data";
import { collectFunding, collectPermit, problemOf, type Signing, type Turn } from "./signing";
import type { VaultDraft } from "./vaults/types";

const OWNER = `0x${"1".repeat(40)}`;
const VAULT = `0x${"2".repeat(40)}`;
const HASH = `0x${"3".repeat(64)}`;

const mandate = { domain: {}, types: {}, primaryType: "SpendingMandate", message: { limitAmount: "25" } };
const shown = { address: VAULT, terms: { limit: "25" }, mandateHash: HASH, mandate } as unknown as VaultDraft;
const transfer = { from: OWNER, to: VAULT, value: "10", validAfter: "0", validBefore: "99", nonce: HASH };
const permit = { owner: OWNER, spender: VAULT, value: "25", nonce: "0", deadline: "99" };

const funding = (change: object = {}, vault: object = {}) => ({
  domain: {},
  types: {},
  primaryType: "ReceiveWithAuthorization",
  message: { ...transfer, ...change },
  vault: { ...shown, ...vault },
});
const withPermit = (change: object = {}) => ({
  ...mandate,
  permit: { domain: {}, types: {}, primaryType: "Permit", message: { ...permit, ...change } },
  vault: shown,
});

afterEach(() => vi.unstubAllGlobals());

function prepared(json: object) {
  const fetched = vi.fn(async (_: string) => new Response(JSON.stringify(json)));
  vi.stubGlobal("fetch", fetched);
  return fetched;
}

function walletThat(...results: TypedDataResult[]) {
  const turns: [string, Turn][] = [];
  const ask: Signing["ask"] = async (typedData, turn) => {
    turns.push([typedData.primaryType, turn]);
    return results[turns.length - 1] ?? { type: "rejected" };
  };
  return { turns, signing: { mandateId: "mand_1", owner: OWNER, ask } };
}

test("one signature funds exactly the vault that the page shows", async () => {
  const fetched = prepared(funding());
  const { signing, turns } = walletThat({ type: "signed", signature: "0xaa" });
  expect(await collectFunding(signing, shown, 10n)).toEqual({
    type: "signed",
    body: { mode: "vault", funding: "now", signature: "0xaa", amount: "10", validBefore: "99" },
  });
  expect(fetched.mock.calls[0]?.[0]).toBe("/api/mandates/mand_1/typed-data?mode=vault&funding=now&amount=10");
  expect(turns).toEqual([["ReceiveWithAuthorization", { turn: 1, of: 1 }]]);
});

test.each([
  ["another vault", funding({}, { address: OWNER })],
  ["another recipient", funding({ to: OWNER })],
  ["another payer", funding({ from: VAULT })],
  ["another value", funding({ value: "11" })],
  ["another mandate", funding({ nonce: `0x${"4".repeat(64)}` })],
])("data with %s is not signed", async (_, data) => {
  prepared(data);
  const { signing, turns } = walletThat({ type: "signed", signature: "0xaa" });
  expect(await collectFunding(signing, shown, 10n)).toMatchObject({
    type: "failed",
    problem: { title: "Read it again" },
  });
  expect(turns).toEqual([]);
});

test("a permit takes two signatures, and refusing the second one sends nothing", async () => {
  prepared(withPermit());
  const both = walletThat({ type: "signed", signature: "0xaa" }, { type: "signed", signature: "0xbb" });
  expect(await collectPermit(both.signing, shown)).toEqual({
    type: "signed",
    body: { mode: "vault", funding: "permit", signature: "0xaa", permitSignature: "0xbb", deadline: "99" },
  });
  expect(both.turns).toEqual([
    ["SpendingMandate", { turn: 1, of: 2 }],
    ["Permit", { turn: 2, of: 2 }],
  ]);
  const one = walletThat({ type: "signed", signature: "0xaa" }, { type: "rejected" });
  expect(await collectPermit(one.signing, shown)).toMatchObject({
    type: "failed",
    problem: { title: "You did not sign" },
  });
});

test("a permit above the limit, or for another spender, is not signed", async () => {
  for (const change of [{ value: "26" }, { spender: OWNER }, { owner: VAULT }]) {
    prepared(withPermit(change));
    const { signing, turns } = walletThat();
    expect(await collectPermit(signing, shown)).toMatchObject({ type: "failed", problem: { title: "Read it again" } });
    expect(turns).toEqual([]);
  }
});

test("too little USDC is reported with amounts, and after a lost connection the outcome stays open", () => {
  const refusal = { ok: false, status: 422, code: "insufficient_owner_funds", message: "" } as const;
  expect(problemOf({ ...refusal, details: { balance: "5000000", amount: "10000000" } }).text).toMatch(
    /^It holds 5\.00 USDC of 10\.00 USDC\. Nothing was stored\./,
  );
  expect(problemOf({ ...refusal, details: {} }).text).toMatch(/^Nothing was stored\./);
  expect(problemOf({ ...refusal, status: 0, code: "unreachable" }).title).toBe("We could not be reached");
});
