import { setTimeout as sleep } from "node:timers/promises";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { z } from "zod";
import type { AgentActor } from "../actors/agents";
import { codeOf, expectBody } from "../actors/api";
import type { OwnerActor } from "../actors/owners";
import type { Transcript } from "./transcript";

const SHARED = 30_000n;
const SINGLE = 20_000n;
const LIMIT = 100_000n;

const leg = z.object({
  toAddress: z.string(),
  amount: z.string(),
  status: z.string().nullable(),
  txHash: z.string().nullable(),
});
const payout = z.object({
  payoutRecordId: z.string(),
  status: z.string(),
  txHash: z.string().nullable(),
  legs: z.array(leg),
  approvalUrl: z.url().nullable(),
});
const decided = z.object({ payout });

export type PayoutParties = { buyer: AgentActor; owner: OwnerActor };

/** An agent splits a sum between three payees under a mandate, and pays an address that its owner approves. `held` reads a balance. */
export async function playPayout(
  say: Transcript,
  { buyer, owner }: PayoutParties,
  held: () => Promise<bigint>,
): Promise<void> {
  say.heading("The research agent will share a report's earnings: it requests a mandate for payouts only");
  const intent = await buyer.tessera.mandates.create({
    naturalLanguage: "Share the earnings of the weekly report",
    limitAmount: LIMIT.toString(),
    validForSeconds: 3600,
    hostAllowlist: ["payout"],
  });
  const mandateId = await owner.claim(intent.authorizationUrl);
  await owner.signMandate(mandateId);

  say.heading("It splits a sum among three authors, in one transaction");
  const balanceBefore = await held();
  const recipients = [3333, 3333, 3334].map((shareBps) => ({ toAddress: newAddress(), shareBps }));
  const shares = { payoutId: "report-1", amount: `${SHARED + 1n}`, recipients, mandateId };
  const created = await buyer.call("POST", "/api/payouts", shares);
  say.check(
    "the payout is authorized immediately",
    expectBody(created, 201, payout, "the payout").status,
    "authorized",
  );
  const shared = await ended(buyer, "report-1");
  say.check("the payout has succeeded", shared.status, "succeeded");
  say.check(
    "each author gets their share, and the first also gets the remainder",
    shared.legs.map((one) => one.amount),
    ["10000", "9999", "10002"],
  );
  say.check("in one transaction", new Set(shared.legs.map((one) => one.txHash)).size, 1);
  const repeatedResponse = await buyer.call("POST", "/api/payouts", shares);
  say.check(
    "the same request again returns the same payout",
    [repeatedResponse.status, codeOf(repeatedResponse)],
    [200, undefined],
  );
  say.check("the payout was paid once", balanceBefore - (await held()), SHARED + 1n);

  say.heading("Without a mandate the owner approves the payout, signed with their wallet");
  const requested = await buyer.call("POST", "/api/payouts", {
    payoutId: "bonus-1",
    toAddress: newAddress(),
    amount: SINGLE.toString(),
    description: "A bonus",
  });
  const waiting = expectBody(requested, 201, payout, "the payout");
  say.check(
    "the payout waits for the owner",
    [waiting.status, waiting.approvalUrl !== null],
    ["pending_authorization", true],
  );
  const approve = () => owner.confirm(`/api/wallet/payouts/${waiting.payoutRecordId}/approve`);
  expectBody(await approve(), 200, decided, "the approval");
  expectBody(await approve(), 200, decided, "the repeated approval");
  say.check("the payout has succeeded", (await ended(buyer, "bonus-1")).status, "succeeded");
  say.check("the payout was paid once", balanceBefore - (await held()), SHARED + 1n + SINGLE);
}

const newAddress = () => privateKeyToAddress(generatePrivateKey());

const LOOK_MS = 200;

/** Waits for the end of a payout. Its transfers are valid for minutes, so it always ends. */
async function ended(agent: AgentActor, payoutId: string): Promise<z.output<typeof payout>> {
  for (;;) {
    const found = expectBody(await agent.call("GET", `/api/payouts/${payoutId}`), 200, payout, "the payout");
    if (found.status === "succeeded" || found.status === "failed") return found;
    await sleep(LOOK_MS);
  }
}
