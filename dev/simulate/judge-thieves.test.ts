import { expect, test } from "vitest";
import { toAddress } from "@/lib/core/address";
import { judgeThieves, REFUSED_THEFTS, refusalsOf } from "./judge-thieves";

const LOOT = toAddress("0x70997970C51812dc3A010C7d01b50e0d17dc79C8");
const OWNER = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";
const respond = (status: number, code = "x") => ({ status, body: { code }, text: "{}", headers: new Headers() });
const memory = (reply: ReturnType<typeof respond> | null) => ({
  thefts: [{ kind: "token", answer: reply }],
  loot: new Set([LOOT]),
});
const none = { transfers: [] };
const transfer = (from: string, to: string, value = 1n) => ({ transfers: [{ from, to, value }] });

test.each([200, 201, 202, 500])(
  "the simulation's judge reports a response that a session alone must not get: %i",
  (status) => {
    expect(judgeThieves(memory(respond(status)), none)).toHaveLength(1);
  },
);

test.each([400, 403, 404, 409, 503])("the simulation's judge accepts the refusal of a thief: %i", (status) => {
  expect(judgeThieves(memory(respond(status)), none)).toEqual([]);
});

test("the simulation's judge accepts a broken connection, but still reports money that a thief received", () => {
  expect(judgeThieves(memory(null), none)).toEqual([]);
  expect(judgeThieves(memory(null), transfer(OWNER, LOOT.toLowerCase()))).toHaveLength(1);
  expect(judgeThieves(memory(null), transfer(LOOT.toLowerCase(), OWNER))).toEqual([]);
  expect(judgeThieves(memory(null), transfer(OWNER, LOOT.toLowerCase(), 0n))).toEqual([]);
});

test("a thief's attempt counts as refused only if the response requests the owner's signature", () => {
  expect(refusalsOf(memory(respond(403, "signature_required")))).toEqual([REFUSED_THEFTS[0]]);
  expect(refusalsOf(memory(respond(404, "agent_not_found")))).toEqual([]);
});
