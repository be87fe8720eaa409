import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import { Tessera } from "@tessera/client";
import { authorize, paymentsIn, withAgentKey } from "@tessera/client/agent-key";
import { describe, expect, test } from "vitest";
import type { Address } from "@/lib/core/address";
import { accountOf, newPrivateKey } from "@/packages/client/src/cli/key.ts";
import { run } from "@/packages/client/src/cli/run.ts";
import { newAgent, newOwner, type TestAgent } from "../support/actors";
import { BASE_URL, call, fetchPath } from "../support/http";
import { freshAddress, type Json, linkedPair, owned, pay } from "../support/mandates";
import { connectV1, requiredV1 } from "../support/mcp";
import { shareService } from "../support/service";
import { submitDirectly } from "../support/token";
import { claimOf, eventually, vaultSignatures } from "../support/vault-mandates";

/** The agent's own process makes its key, proposes the mandate with it and signs with it; the service never has it. */
const service = shareService();

const toService: typeof globalThis.fetch = async (input, init = {}) => {
  const { pathname, search } = new URL(String(input));
  const { body, signal } = init;
  return fetchPath(init.method ?? "GET", pathname + search, {
    headers: new Headers(init.headers),
    ...(body && { body }),
    ...(signal && { signal }),
  });
};

async function openVault() {
  const { owner, agent } = await linkedPair();
  const key = accountOf(newPrivateKey());
  const account = { baseUrl: BASE_URL, agentId: agent.agentId, token: agent.token };
  const tessera = new Tessera({ ...account, fetch: withAgentKey(key, toService) });
  const { mandateId } = await tessera.mandates.create({
    naturalLanguage: "Weather",
    limitAmount: "1000000",
    validForSeconds: 3600,
    vault: { agentKey: key.address },
  });
  await owned(owner, mandateId, "claim");
  await service.world.mint(owner.account.address as Address, 10_000_000n);
  const mandate = await owned(owner, mandateId, "signature", await vaultSignatures(owner, mandateId));
  expect(mandate.vault.agentKey).toBe(key.address);
  await eventually(async () => {
    const { vault } = (await tessera.mandates.get(mandateId)) as Json;
    return vault.state === "open" ? true : null;
  }, "open");
  return { owner, agent, key, tessera, mandateId, vault: mandate.vault.address as Address };
}

describe("an agent that signs with its own key", () => {
  test("pays from the vault with the client, once for each idempotency key", async () => {
    const { tessera, mandateId, vault } = await openVault();
    const seller = (await linkedPair()).agent;
    const url = `${BASE_URL}/unifypaymentlink/agentid/${seller.agentId}?amount=20000&asset=usdc`;
    const { receipt } = await tessera.pay(url, {}, { maxAmount: "20000", mandateId, idempotencyKey: "weather" });
    expect(receipt).toMatchObject({ amount: "20000", payer: vault });
    expect(await service.world.balanceOf(vault)).toBe(980_000n);
    const secondPayResult = await tessera.pay(url, {}, { maxAmount: "20000", mandateId, idempotencyKey: "weather" });
    expect(secondPayResult.receipt?.paymentRecordId).toBe(receipt?.paymentRecordId);
    expect(await service.world.balanceOf(vault)).toBe(980_000n);
  });

  test("can repeat a call with the same Idempotency-Key while its signature is missing or the vault is not ready", async () => {
    const { agent, tessera, mandateId } = await openVault();
    const json = { mandateId, amount: "10000", payTo: `0x${"5b".repeat(20)}`, resource: "https://a.example/" };
    const headers = { "Idempotency-Key": "one", "Content-Type": "application/json" };
    const path = "/api/payment/x402V3Payment";
    const unsigned = () => call("POST", path, { bearer: agent.jwt, json, headers: { "idempotency-key": "one" } });
    expect([(await unsigned()).status, (await unsigned()).status]).toEqual([422, 422]);
    await service.opened.sql`update vaults set read_block = null where mandate_id = ${mandateId}`;
    expect((await unsigned()).status).toBe(503);
    await service.opened.sql`update vaults set is_stale = true where mandate_id = ${mandateId}`;
    const signed = async () => tessera.fetch(path, { method: "POST", headers, body: JSON.stringify(json) });
    const first = await eventually(async () => {
      const response = await signed();
      return response.status === 200 ? ((await response.json()) as Json) : null;
    }, "the signed payment");
    expect(((await (await signed()).json()) as Json).paymentRecordId).toBe(first.paymentRecordId);
  });

  test("gets from the hosted MCP server the hint to pay from its own process, and may send its signature there", async () => {
    const { agent, key, mandateId, vault } = await openVault();
    const payTo = freshAddress();
    const client = await connectV1(agent.token);
    const payment_required = JSON.parse(requiredV1("https://a.example/", payTo));
    const request = { mandate_id: mandateId, payment_required };
    const { isError, value } = await client.call("request_x402_v3_payment", request);
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
    expect((await pay(agent, mandateId)).status).toBe(422);
    const now = Math.floor(Date.now() / 1_000);
    const agentAuthorization = await authorize(key, value.error, paymentsIn(payment_required), now);
    const paidResponse = await client.call("request_x402_v3_payment", { ...request, agentAuthorization });
    expect(paidResponse).toMatchObject({
      isError: false,
      value: { xPayment: { payload: { authorization: { from: vault } } } },
    });
    await submitDirectly(service.world, claimOf(paidResponse.value));
    expect(await service.world.balanceOf(payTo)).toBe(10_000n);
    await client.close();
  });

  test("pays with `tessera mcp` through the hosted server, which never sees the key", async () => {
    const owner = await newOwner();
    const agent = await newAgent();
    const mcp = startMcp(agent);
    await mcp.call("initialize", INITIALIZE);
    const intent = { naturalLanguage: "Weather", limitAmount: "1000000", validForSeconds: 3600 };
    const proposed = toolResult(await mcp.call("tools/call", { name: "create_intent_mandate", arguments: { intent } }));
    const { mandateId, authorizationUrl } = proposed.structuredContent;
    await owned(owner, mandateId, "claim", { token: new URL(authorizationUrl).searchParams.get("token") });
    await service.world.mint(owner.account.address as Address, 1_000_000n);
    const { vault } = await owned(owner, mandateId, "signature", await vaultSignatures(owner, mandateId));
    await eventually(async () => {
      const { body } = await call("GET", `/api/mandates/agent/${mandateId}`, { bearer: agent.jwt });
      return (body as Json).vault.state === "open" ? true : null;
    }, "open");

    const payTo = freshAddress();
    const payment_required = JSON.parse(requiredV1("https://a.example/", payTo, "30000"));
    const order = { name: "request_x402_v3_payment", arguments: { mandate_id: mandateId, payment_required } };
    const paidResponse = toolResult(await mcp.call("tools/call", order));
    expect(paidResponse.isError ?? false).toBe(false);
    await submitDirectly(service.world, claimOf(paidResponse.structuredContent));
    expect([await service.world.balanceOf(payTo), await service.world.balanceOf(vault.address)]).toEqual([
      30_000n,
      970_000n,
    ]);

    const { privateKey, address, exchanged } = await mcp.stop();
    expect(vault.agentKey).toBe(address);
    // The hosted server requested the signature, and got nothing else.
    expect(exchanged).toContain("agent_authorization_required");
    expect(exchanged).toContain("agentAuthorization");
    expect(exchanged).toContain(address);
    expect(exchanged).not.toContain(privateKey.slice(2));
  });
});

const INITIALIZE = {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "test", version: "1.0.0" },
};

function toolResult(reply: Json): Json {
  expect(reply).toMatchObject({ result: { structuredContent: expect.any(Object) } });
  return reply.result;
}

/** `tessera mcp` in this process, with the agent's account and a separate directory. Records all messages to and from the service. */
function startMcp({ agentId, token }: TestAgent) {
  const directory = mkdtempSync(join(tmpdir(), "tessera-mcp-"));
  const [exchanged, replies, lines] = [[] as string[], [] as Json[], new PassThrough()];
  const running = run(["mcp"], {
    env: { TESSERA_URL: BASE_URL, TESSERA_AGENT_ID: agentId, TESSERA_TOKEN: token, TESSERA_CONFIG_DIR: directory },
    out: (text) => void replies.push(JSON.parse(text)),
    err: () => {},
    isTerminal: false,
    readIn: async () => "",
    lines: () => createInterface({ input: lines }),
    fetch: async (input, init) => {
      const response = await toService(input, init);
      exchanged.push(
        JSON.stringify([input, init?.body, [...new Headers(init?.headers)]]),
        await response.clone().text(),
      );
      return response;
    },
    signal: new AbortController().signal,
  });
  let calls = 0;
  return {
    call: (method: string, params: object): Promise<Json> => {
      const id = ++calls;
      lines.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
      return eventually(async () => replies.find((reply) => reply.id === id) ?? null, `a reply to ${method}`);
    },
    stop: async () => {
      lines.end();
      expect(await running).toBe(0);
      const [name = ""] = readdirSync(join(directory, "agent-keys"));
      const { privateKey, address } = JSON.parse(readFileSync(join(directory, "agent-keys", name), "utf8"));
      rmSync(directory, { recursive: true });
      return { privateKey: privateKey as string, address: address as string, exchanged: exchanged.join("\n") };
    },
  };
}
