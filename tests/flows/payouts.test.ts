import type { Hex } from "viem";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { violations } from "@/lib/dev/invariants";
import type { Lease } from "@/lib/platform/lease";
import { NETWORKS } from "@/lib/x402/networks";
import { call } from "../support/http";
import { freshAddress, type Json, signedMandate } from "../support/mandates";
import { ask, body, funded, look, payout, walletOf } from "../support/payouts";
import { cranks, leaseFor, openSystem } from "../support/system";
import { changeToken } from "../support/token";
import { createWorld, type World } from "../support/world";

let world: World;
let opened: ReturnType<typeof openSystem>;
let wiring: typeof import("@/lib/wiring");
let payouts: typeof import("@/lib/payouts/service");
let crank: Awaited<ReturnType<typeof cranks>>;
let lease: Lease;

beforeAll(async () => {
  world = await createWorld();
  process.env.LOG_LEVEL = "silent";
  wiring = await import("@/lib/wiring");
  payouts = await import("@/lib/payouts/service");
  const payments = await import("@/lib/payments/service");
  opened = openSystem({ subscribers: [payments.subscriber, payouts.subscriber] }, { CONFIRMATIONS: "3" });
  crank = await cranks(opened.system);
  await crank.observe();
  lease = await leaseFor(opened.system, "payouts");
});

afterEach(async () => {
  expect(await violations(opened.system, ["base"])).toEqual([]);
});

afterAll(async () => {
  await wiring?.closeSystem();
  await opened?.close();
  await world?.stop();
});

const finish = () => payouts.finishEnded(opened.system, lease);

async function ready() {
  const parties = await signedMandate();
  await funded(world, parties.owner);
  const statusOf = async (payoutId: string): Promise<string> => {
    await finish();
    return body(await look(parties.agent, payoutId)).status;
  };
  const budget = async (): Promise<[string, string]> => {
    const answer = await call("GET", `/api/mandates/agent/${parties.mandateId}`, { bearer: parties.agent.jwt });
    const { pendingSpentAmount, spentAmount } = body(answer).mandate as Json;
    return [pendingSpentAmount, spentAmount];
  };
  return { ...parties, statusOf, budget };
}

const two = () => [freshAddress(), freshAddress()].map((toAddress) => ({ toAddress, amount: "10" }));

test("a payout has succeeded once it lies as deep as CONFIRMATIONS says, and says so from then on", async () => {
  const { agent, mandateId, statusOf, budget } = await ready();
  await ask(agent, { payoutId: "deep", recipients: two(), mandateId });
  expect([await statusOf("deep"), await budget()]).toEqual(["authorized", ["20", "0"]]);
  await crank.drain();
  expect([await statusOf("deep"), await budget()]).toEqual(["processing", ["0", "20"]]);
  expect(body(await look(agent, "deep"))).toMatchObject({ confirmations: 1, executedAt: expect.any(String) });
  await world.mine(1);
  await crank.observe();
  expect(await statusOf("deep")).toBe("processing");
  await world.mine(1);
  await crank.observe();
  expect(await statusOf("deep")).toBe("succeeded");
  // Shallower blocks may go: what was told stays true.
  await world.reorg(2);
  await crank.observe();
  expect([await statusOf("deep"), await budget()]).toEqual(["succeeded", ["0", "20"]]);
});

test("transfers that a reorganisation takes back are made again; meanwhile the payout is under way, its budget reserved", async () => {
  const { agent, mandateId, statusOf, budget } = await ready();
  const recipients = two();
  await ask(agent, { payoutId: "taken", recipients, mandateId });
  await crank.drain();
  expect(await budget()).toEqual(["0", "20"]);
  await world.reorg(1);
  await world.mine(1);
  await crank.observe();
  expect([await statusOf("taken"), await budget()]).toEqual(["processing", ["20", "0"]]);
  await expect
    .poll(
      async () => {
        await crank.relay();
        await crank.observe();
        return budget();
      },
      { timeout: 20_000, interval: 200 },
    )
    .toEqual(["0", "20"]);
  await world.mine(2);
  await crank.observe();
  expect(await statusOf("taken")).toBe("succeeded");
  expect(await Promise.all(recipients.map(({ toAddress }) => world.balanceOf(toAddress)))).toEqual([10n, 10n]);
});

test("a block that goes although it was confirmed is told as it is: the payout is under way again", async () => {
  const { agent, mandateId, statusOf, budget } = await ready();
  await ask(agent, { ...payout(), payoutId: "deeper", mandateId });
  await crank.drain();
  await world.mine(2);
  await crank.observe();
  expect(await statusOf("deeper")).toBe("succeeded");
  await world.reorg(3);
  await world.mine(1);
  await crank.observe();
  expect([await statusOf("deeper"), await budget()]).toEqual(["processing", ["10000", "0"]]);
  await expect
    .poll(
      async () => {
        await crank.relay();
        await crank.observe();
        return budget();
      },
      { timeout: 20_000, interval: 200 },
    )
    .toEqual(["0", "10000"]);
  await world.mine(2);
  await crank.observe();
  expect(await statusOf("deeper")).toBe("succeeded");
});

/** A payout whose transaction reverted where everybody can read it, for want of funds that are there again now. */
async function revertedInPublic(payoutId: string) {
  const parties = await ready();
  const { owner, agent, mandateId } = parties;
  const wallet = await walletOf(owner);
  const json = { ...payout(), payoutId, bizId: `biz_${payoutId}`, mandateId };
  expect((await ask(agent, json)).status).toBe(201);
  await world.setAutomine(false);
  await crank.relay();
  const [sent] = await opened.sql`select calldata from relayer_transactions order by nonce desc limit 1`;
  const held = await world.balanceOf(wallet);
  await world.client().impersonateAccount({ address: wallet });
  await world.client().setBalance({ address: wallet, value: 10n ** 18n });
  await changeToken(world, "transfer", [freshAddress(), held], wallet, { isFirst: true });
  await world.setAutomine(true);
  await expect
    .poll(
      async () => {
        await crank.drain();
        const [row] =
          await opened.sql`select s.state from settlements s join payouts p on p.id = s.subject where p.payout_id = ${payoutId}`;
        return row?.state;
      },
      { timeout: 20_000, interval: 200 },
    )
    .toBe("failed");
  await world.mint(wallet, held);
  return { ...parties, json, calldata: sent?.calldata as Hex };
}

test("a payout that everybody could still submit has not failed, and pays once if somebody does", async () => {
  const { agent, json, calldata, statusOf } = await revertedInPublic("shown");
  expect(await statusOf("shown")).toBe("processing");
  const again = await ask(agent, { ...json, payoutId: "shown_again" });
  expect([again.status, body(again).code]).toEqual([409, "duplicate_biz_id"]);
  const stranger = world.accounts[8];
  if (!stranger) throw new Error("no such account");
  const client = world.client();
  const hash = await client.sendTransaction({ account: stranger, chain: null, to: NETWORKS.base.usdc, data: calldata });
  await client.waitForTransactionReceipt({ hash });
  await world.mine(3);
  await crank.observe();
  expect(await statusOf("shown")).toBe("succeeded");
  expect(await world.balanceOf(json.toAddress)).toBe(10_000n);
});

test("the budget of a payout that failed comes back when the chain's time shows that it never can be paid", async () => {
  const everybodys = await revertedInPublic("ran_out");
  expect(await everybodys.statusOf("ran_out")).toBe("processing");
  const { agent, mandateId, statusOf, budget } = await ready();
  const recipients = two();
  await changeToken(world, "blacklist", [recipients[1]?.toAddress ?? ""]);
  await ask(agent, { payoutId: "refused", recipients, mandateId });
  await crank.drain();
  expect([await statusOf("refused"), await budget()]).toEqual(["failed", ["20", "0"]]);
  const release = async () => payouts.releaseExpired(opened.system, "base", await opened.system.chains.base.head());
  await crank.observe();
  expect(await release()).toEqual([]);
  expect(await budget()).toEqual(["20", "0"]);
  await world.increaseTime(700);
  await crank.observe();
  expect(await release()).toEqual([]);
  expect([await statusOf("refused"), await budget()]).toEqual(["failed", ["0", "0"]]);
  expect([await everybodys.statusOf("ran_out"), await everybodys.budget()]).toEqual(["failed", ["0", "0"]]);
  expect((await ask(everybodys.agent, { ...everybodys.json, payoutId: "another_try" })).status).toBe(201);
});
