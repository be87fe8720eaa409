import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { NOTICE_KINDS } from "./kinds";
import { PER_HOUR, type Quota, quotaOf, quotas } from "./quotas";
import { noticeOf } from "./rules";

const received = (amount: string, network: string) => {
  const about = { id: "evt_1", type: "settlement.settled", subject: "stl_1", agentName: null };
  const notice = noticeOf({ ...about, meta: { purpose: "upl", amount, network } });
  return notice && quotaOf(notice);
};

test.each([
  ["1", "base", "small_sum"],
  ["999999", "base", "small_sum"],
  ["1000000", "base", "money_received"],
  ["1000000000", "base-sepolia", "small_sum"],
] as const)("%s atomic USDC received on %s count towards the quota %s", (amount, network, quota) => {
  expect(received(amount, network)).toBe(quota);
});

test("requests that need a person, and sign-ins, share their quota with no other kind", () => {
  const of = (wanted: Quota) => NOTICE_KINDS.filter((kind) => quotaOf({ kind }) === wanted);
  expect([of("approval_wanted"), of("sign_in")]).toEqual([["approval_wanted"], ["sign_in"]]);
});

test("each owner and kind is counted separately, including notices sent before", () => {
  const take = quotas([{ id: "own_1", quota: "sign_in", count: PER_HOUR.sign_in - 1 }]);
  expect([take("own_1", "sign_in"), take("own_1", "sign_in"), take("own_2", "sign_in")]).toEqual([true, false, true]);
  for (let i = 0; i < PER_HOUR.small_sum; i++) expect(take("own_1", "small_sum")).toBe(true);
  expect(take("own_1", "small_sum")).toBe(false);
  expect(take("own_1", "approval_wanted")).toBe(true);
});

test("docs/operations.md lists the quotas", () => {
  const names = {
    approval_wanted: "Something waits for approval",
    sign_in: "Somebody signed in",
    money_received: "Money arrived: at least 1 USDC on Base",
    small_sum: "Money arrived: less, or test money",
    other: "Everything else together",
  } satisfies Record<Quota, string>;
  const docs = readFileSync("docs/operations.md", "utf8");
  for (const [quota, name] of Object.entries(names))
    expect(docs).toContain(`| ${name} | ${PER_HOUR[quota as Quota]} |`);
});
