import { Tessera } from "@tessera/client";
import { withAgentKey } from "@tessera/client/agent-key";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Address } from "@/lib/core/address";
import { accountOf, newPrivateKey } from "@/packages/client/src/cli/key.ts";
import { BASE_URL, call, fetchPath } from "../support/http";
import { type Json, linkedPair, owned, pay } from "../support/mandates";
import { connectV1 } from "../support/mcp";
import { eventually, vaultSignatures } from "../support/vault-mandates";
import { createWorld, type World } from "../support/world";

/** The agent's own process makes its key, proposes the mandate with it and signs with it; the service never has it. */
let world: World;
let sql: postgres.Sql;
let wiring: typeof import("../support/wiring");
let workers: { stop: () => Promise<void> };

beforeAll(async () => {
  world = await createWorld();
  sql = postgres(world.databaseUrl, { max: 2 });
  wiring = await import("../support/wiring");
  workers = wiring.startWorkers();
});
afterAll(async () => {
  await workers.stop();
  await wiring.closeSystem();
  await sql.end();
  await world.stop();
});

const toService: typeof globalThis.fetch = async (input, init = {}) => {
  const { pathname, search } = new URL(String(input));
  const { body, signal } = init;
  return fetchPath(init.method ?? "GET", pathname + search, {
    headers: new Headers(init.headers),
    ...(body && { body }),
    ...(signal && { signal }),
  });
};

async function opened() {
  const { owner, agent } = await linkedPair();
  const key = accountOf(newPrivateKey());
  const account = { baseUrl: BASE_URL, agentId: agent.agentId, token: agent.token };
  const tessera = new Tessera({ ...account, fetch: withAgentKey(key, toService) });
  const { mandateId } = await tessera.mandates.create({
    ...{ naturalLanguage: "Weather", limitAmount: "1000000", validForSeconds: 3600 },
    vault: { agentKey: key.address },
  });
  await owned(owner, mandateId, "claim");
  await world.mint(owner.account.address as Address, 10_000_000n);
  const mandate = await owned(owner, mandateId, "signature", await vaultSignatures(owner, mandateId));
  expect(mandate.vault.agentKey).toBe(key.address);
  await eventually(async () => {
    const { vault } = (await tessera.mandates.get(mandateId)) as Json;
    return vault.state === "open" ? true : null;
  }, "open");
  return { owner, agent, tessera, mandateId, vault: mandate.vault.address as Address };
}

describe("an agent with a key of its own", () => {
  test("pays from the vault by the client, once for each idempotency key", async () => {
    const { tessera, mandateId, vault } = await opened();
    const seller = (await linkedPair()).agent;
    const url = `${BASE_URL}/unifypaymentlink/agentid/${seller.agentId}?amount=20000&asset=usdc`;
    const { receipt } = await tessera.pay(url, {}, { maxAmount: "20000", mandateId, idempotencyKey: "weather" });
    expect(receipt).toMatchObject({ amount: "20000", payer: vault });
    expect(await world.balanceOf(vault)).toBe(980_000n);
    const again = await tessera.pay(url, {}, { maxAmount: "20000", mandateId, idempotencyKey: "weather" });
    expect(again.receipt?.paymentRecordId).toBe(receipt?.paymentRecordId);
    expect(await world.balanceOf(vault)).toBe(980_000n);
  });

  test("keeps its Idempotency-Key free while its signature is missing, or the vault is not ready", async () => {
    const { agent, tessera, mandateId } = await opened();
    const json = { mandateId, amount: "10000", payTo: `0x${"5b".repeat(20)}`, resource: "https://a.example/" };
    const headers = { "Idempotency-Key": "one", "Content-Type": "application/json" };
    const path = "/api/payment/x402V3Payment";
    const unsigned = () => call("POST", path, { bearer: agent.jwt, json, headers: { "idempotency-key": "one" } });
    expect([(await unsigned()).status, (await unsigned()).status]).toEqual([422, 422]);
    await sql`update vaults set read_block = null where mandate_id = ${mandateId}`;
    expect((await unsigned()).status).toBe(503);
    await sql`update vaults set is_stale = true where mandate_id = ${mandateId}`;
    const signed = async () => tessera.fetch(path, { method: "POST", headers, body: JSON.stringify(json) });
    const first = await eventually(async () => {
      const answer = await signed();
      return answer.status === 200 ? ((await answer.json()) as Json) : null;
    }, "the signed payment");
    expect(((await (await signed()).json()) as Json).paymentRecordId).toBe(first.paymentRecordId);
  });

  test("is told by the hosted MCP server to pay from its own process", async () => {
    const { agent, mandateId } = await opened();
    const client = await connectV1(agent.token);
    const payment_required = {
      x402Version: 1,
      accepts: [
        {
          ...{ scheme: "exact", network: "base", maxAmountRequired: "10000", resource: "https://a.example/" },
          ...{
            payTo: `0x${"5b".repeat(20)}`,
            asset: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
            maxTimeoutSeconds: 60,
          },
        },
      ],
    };
    const { isError, value } = await client.call("request_x402_v3_payment", {
      mandate_id: mandateId,
      payment_required,
    });
    expect({ isError, value }).toMatchObject({
      isError: true,
      value: {
        error: {
          code: "agent_authorization_required",
          nextStep: expect.stringContaining("npx tessera mcp"),
          typedData: { message: { value: "10000" } },
        },
      },
    });
    await client.close();
    expect((await pay(agent, mandateId)).status).toBe(422);
  });
});
