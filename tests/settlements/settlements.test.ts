import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Address } from "@/lib/core/address";
import { newId } from "@/lib/core/ids";
import type { Claim } from "@/lib/settlements/service";
import { NETWORKS } from "@/lib/x402/networks";
import { setReceivingAddress } from "../support/confirmations";
import { BASE_URL, call } from "../support/http";
import { type Json, linkedPair, type Parties } from "../support/mandates";
import { expectRefused } from "../support/refused";
import { claimFrom, freshAddress, openSystem, paying } from "../support/system";
import { changeToken } from "../support/token";
import { createWorld, type World } from "../support/world";

const AMOUNT = 250_000n;
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

let world: World;
let testSystem: ReturnType<typeof openSystem>;
let wiring: typeof import("../support/wiring");
let workers: { stop: () => Promise<void> } | undefined;
let seller: Parties;
let payTo: Address;
let path: string;

beforeAll(async () => {
  world = await createWorld({ networks: ["base", "base-sepolia"] });
  Object.assign(process.env, { POLL_MILLISECONDS: "200", SETTLE_WAIT_SECONDS: "0.1" });
  testSystem = openSystem();
  wiring = await import("../support/wiring");
  seller = await linkedPair();
  payTo = freshAddress();
  await setReceivingAddress(seller, payTo);
  path = `/unifypaymentlink/agentid/${seller.agent.agentId}?amount=${AMOUNT}&asset=usdc`;
});

afterAll(async () => {
  await workers?.stop();
  await wiring?.closeSystem();
  await testSystem?.close();
  await world?.stop();
});

const payer = (index: number) => {
  const account = world.accounts[index];
  if (!account) throw new Error("no such account");
  return account;
};
const read = (id: string, headers: Record<string, string> = {}) => call("GET", `/api/settlements/${id}`, { headers });

/** Presents a proof while no relayer runs, so that it stays pending. */
async function present(proof: Claim): Promise<string> {
  await world.mint(proof.authorization.from, proof.authorization.value);
  const { status, body } = await call("GET", path, { headers: paying(proof) });
  expect(status).toBe(202);
  return (body as Json).settlementId;
}

async function ended(id: string): Promise<Json> {
  for (let tries = 0; tries < 300; tries++) {
    const { body } = await read(id);
    const { settlementStatus, failureCode } = body as Json;
    // A declined settlement is pending until the chain ends it.
    if (settlementStatus !== "pending" || failureCode !== null) return body;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${id} does not end`);
}

const viewOf = (id: string, proof: Claim) => ({
  status: "ok",
  settlementId: id,
  settlementStatus: "pending",
  txHash: null,
  network: "base",
  payer: proof.authorization.from,
  payee: payTo,
  amount: AMOUNT.toString(),
  asset: NETWORKS.base.usdc,
  purpose: "upl",
  resource: `${BASE_URL}${path}`,
  description: "Payment to Test agent",
  failureCode: null,
  stillValidUntil: null,
  refundedAmount: "0",
  blockNumber: null,
  createdAt: expect.stringMatching(ISO),
  endedAt: null,
  receiptUrl: `${BASE_URL}/receipt/${id}`,
});

describe("GET /api/settlements/{settlementId}", () => {
  test("returns a settlement from claim to end: pending, then settled or declined, with every member at every stage", async () => {
    const [good, poor] = [claimFrom(payer(0), payTo, AMOUNT), claimFrom(payer(1), payTo, AMOUNT)];
    const [settled, failed] = [await present(good), await present(poor)];
    expect((await read(settled)).body).toEqual(viewOf(settled, good));
    expect((await read(failed)).body).toEqual(viewOf(failed, poor));

    // Its payer spends the money between the claim and the transfer.
    await changeToken(world, "transfer", [freshAddress(), AMOUNT], payer(1).address);
    workers = wiring.startWorkers();
    expect(await ended(settled)).toEqual({
      ...viewOf(settled, good),
      settlementStatus: "settled",
      txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      blockNumber: expect.stringMatching(/^\d+$/),
      endedAt: expect.stringMatching(ISO),
    });
    expect(await ended(failed)).toEqual({
      ...viewOf(failed, poor),
      failureCode: "INSUFFICIENT_FUNDS",
      stillValidUntil: expect.stringMatching(ISO),
    });
    const { txHash, blockNumber } = await ended(settled);
    const receipt = await world.client().getTransactionReceipt({ hash: txHash });
    expect([receipt.status, receipt.blockNumber.toString()]).toEqual(["success", blockNumber]);
    expect(await world.balanceOf(payTo)).toBe(AMOUNT);
    await workers.stop();
    workers = undefined;
  });

  test("never returns what could be presented again, such as the signature or the nonce", async () => {
    const proof = claimFrom(payer(2), payTo, AMOUNT);
    const { text } = await read(await present(proof));
    expect(text).not.toContain(proof.authorization.nonce.slice(2));
    expect(text).not.toContain(proof.signature.slice(2, 66));
  });

  test("requires no login, and any origin may read it, because the id itself is the secret", async () => {
    const id = await present(claimFrom(payer(3), payTo, AMOUNT));
    const response = await read(id, { authorization: "Bearer nonsense", origin: "https://other.example" });
    expect(response.status).toBe(200);
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(response.headers.get("access-control-allow-credentials")).toBeNull();
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect((await call("OPTIONS", `/api/settlements/${id}`)).status).toBe(204);
  });

  test("is 404 SETTLEMENT_NOT_FOUND for an unknown id", async () => {
    const response = await read(newId("settlement"));
    expectRefused(response, 404, "SETTLEMENT_NOT_FOUND");
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
  });

  test.each(["x", "stl_", "stl_short", newId("payment"), `stl_${"a".repeat(41)}`, "__proto__", "'%20or%201=1--"])(
    "is 400 INVALID_REQUEST for %j, which cannot be a settlement's id",
    async (id) => {
      const response = await read(id);
      expect([response.status, response.body]).toMatchObject([
        400,
        { status: "error", code: "INVALID_REQUEST", field: "settlementId" },
      ]);
    },
  );
});
