import { TRANSFER_TYPES } from "@tessera/x402/transfer";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Address, toAddress } from "@/lib/core/address";
import { call } from "../support/http";
import { freshAddress, type Json, pay } from "../support/mandates";
import { submitDirectly } from "../support/token";
import { AGENT_KEY, claimOf, eventually, type Funding, type VaultTerms, vaultMandate } from "../support/vault-mandates";
import { createWorld, type World } from "../support/world";

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

const vaultOf = async (id: string): Promise<Json> => (await sql`select * from vaults where mandate_id = ${id}`)[0];
const outcome = ({ status, body }: { status: number; body: unknown }) => [status, (body as Json).code ?? "ok"];

async function openVault(terms: VaultTerms = {}, how: Funding = {}) {
  const vaultSetup = await vaultMandate(world, terms, how);
  await eventually(async () => ((await vaultOf(vaultSetup.mandateId)).state === "open" ? true : null), "open");
  return vaultSetup;
}

describe("a payment from a vault", () => {
  test("is a proof that any facilitator can submit, paid with the vault's money", async () => {
    const { agent, mandateId, vault, owner } = await openVault();
    const payTo = freshAddress();
    const { status, body } = (await pay(agent, mandateId, { payTo, amount: "70000" })) as {
      status: number;
      body: Json;
    };
    expect([status, body.xPayment.payload.authorization.from]).toEqual([200, vault]);
    await submitDirectly(world, claimOf(body));
    expect(await world.balanceOf(payTo)).toBe(70_000n);
    const mandate = await eventually(async () => {
      const response = await call("GET", `/api/mandates/agent/${mandateId}`, { bearer: agent.jwt });
      const view = response.body as Json;
      return view.vault.spent === "70000" && view.spentAmount === "70000" ? view : null;
    }, "the chain shows it");
    expect(mandate).toMatchObject({ pendingSpentAmount: "0", vault: { balance: "9930000", funded: "10000000" } });
    expect(await world.balanceOf(owner.account.address as Address)).toBe(0n);
  });

  test("that leaves a low balance is reported once; a deposit below the threshold is not reported", async () => {
    const { agent, mandateId, vault } = await openVault({}, { amount: "4000000" });
    const reports = async (): Promise<Json[]> => [
      ...(await sql`select meta from events where subject = ${mandateId} and type = 'vault.low'`),
    ];
    expect(await reports()).toEqual([]);
    for (const [amount, spent] of [
      ["1000000", "1000000"],
      ["500000", "1500000"],
    ]) {
      const { body } = (await pay(agent, mandateId, { payTo: freshAddress(), amount })) as { body: Json };
      await submitDirectly(world, claimOf(body));
      await eventually(async () => ((await vaultOf(mandateId)).spent === spent ? true : null), `${spent} are spent`);
    }
    const meta = { network: "base", vault, balance: "3000000", threshold: "5000000" };
    expect(await reports()).toEqual([{ meta }]);
  });

  test("at the service's own link is settled by the service", async () => {
    const { agent, mandateId } = await openVault();
    const { body: link } = (await call("POST", "/api/payment-links", {
      bearer: agent.jwt,
      json: { amount: "30000" },
    })) as { body: Json };
    const url = new URL(link.url ?? link.link?.url ?? link.paymentLink?.url);
    const path = url.pathname.replace("/pay/", "/paymentlink/");
    const required = (await call("GET", path)) as { status: number; body: Json };
    expect(required.status).toBe(402);
    const [offer] = required.body.accepts;
    const signed = (await pay(agent, mandateId, {
      amount: offer.maxAmountRequired ?? offer.amount,
      payTo: offer.payTo,
      resource: offer.resource,
    })) as { status: number; body: Json };
    expect(outcome(signed)).toEqual([200, "ok"]);
    const paidResponse = await call("GET", path, { headers: { "x-payment": signed.body.xPaymentB64 } });
    expect(outcome(paidResponse)).toEqual([200, "ok"]);
    expect(await world.balanceOf(toAddress(offer.payTo))).toBe(30_000n);
  });

  test("never exceeds the vault's balance, however many payments are signed at once", async () => {
    const { agent, mandateId } = await openVault({}, { amount: "100000" });
    const responses = await Promise.all(Array.from({ length: 8 }, () => pay(agent, mandateId, { amount: "30000" })));
    const codes = responses.map((response) => outcome(response)[1]);
    expect(codes.filter((code) => code === "ok")).toHaveLength(3);
    expect(new Set(codes.filter((code) => code !== "ok"))).toEqual(new Set(["vault_not_funded"]));
  });

  test("waits for a pull from the owner's wallet, if the owner signed a permit", async () => {
    const { agent, mandateId } = await openVault({}, { funding: "permit" });
    const first = await pay(agent, mandateId, { amount: "5000000" });
    expect(outcome(first)).toEqual([503, "vault_not_ready"]);
    expect(first.headers.get("retry-after")).toBe("2");
    await eventually(async () => {
      const response = await pay(agent, mandateId, { amount: "5000000" });
      return response.status === 200 ? response : null;
    }, "the pull");
    expect((await vaultOf(mandateId)).funded).toBe("5000000");
  });

  test("is refused while the vault is not open", async () => {
    await workers.stop();
    const { agent, mandateId } = await vaultMandate(world);
    expect(outcome(await pay(agent, mandateId))).toEqual([503, "vault_not_ready"]);
    workers = wiring.startWorkers();
  });

  test("is refused if its payee is not listed or its amount is not released yet", async () => {
    const [payTo, otherAddress] = [freshAddress(), freshAddress()];
    const vault = { payees: [payTo, freshAddress(), freshAddress()], release: { amount: "100000", seconds: 86_400 } };
    const { agent, mandateId } = await openVault({ vault, validForSeconds: 300_000 });
    expect(outcome(await pay(agent, mandateId, { payTo: otherAddress }))).toEqual([403, "payee_not_listed"]);
    const earlyResponse = await pay(agent, mandateId, { payTo, amount: "100001" });
    expect([...outcome(earlyResponse), (earlyResponse.body as Json).availableAt > new Date().toISOString()]).toEqual([
      422,
      "vault_not_released",
      true,
    ]);
    const good = (await pay(agent, mandateId, { payTo, amount: "100000" })) as { status: number; body: Json };
    expect(outcome(good)).toEqual([200, "ok"]);
    await submitDirectly(world, claimOf(good.body));
    expect(await world.balanceOf(payTo)).toBe(100_000n);
    expect(outcome(await pay(agent, mandateId, { payTo, amount: "1" }))).toEqual([422, "vault_not_released"]);
  });

  test("contains the signature of the agent's key, if the terms name one", async () => {
    const { agent, mandateId, vault } = await openVault({ vault: { agentKey: AGENT_KEY.address } });
    const payTo = freshAddress();
    const missing = (await pay(agent, mandateId, { payTo })) as { status: number; body: Json };
    expect(outcome(missing)).toEqual([422, "agent_authorization_required"]);
    const { typedData } = missing.body;
    expect([missing.body.vault, typedData.message.from, typedData.message.to]).toEqual([vault, vault, payTo]);
    const { validAfter, validBefore, nonce } = typedData.message;
    const signed = await AGENT_KEY.signTypedData({ ...typedData, types: TRANSFER_TYPES });
    const agentAuthorization = { validAfter, validBefore, nonce, signature: signed };
    for (const change of [
      { amount: "10001", agentAuthorization },
      { agentAuthorization: { ...agentAuthorization, nonce: `0x${"7".repeat(64)}` } },
      { agentAuthorization: { ...agentAuthorization, validBefore: "9999999999" } },
    ])
      expect(outcome(await pay(agent, mandateId, { payTo, ...change }))).toEqual([422, "agent_authorization_invalid"]);
    const both = await Promise.all([1, 2].map(() => pay(agent, mandateId, { payTo, agentAuthorization })));
    expect(both.map((response) => outcome(response)[1]).sort()).toEqual(["agent_nonce_used", "ok"]);
    const good = both.find(({ status }) => status === 200);
    await submitDirectly(world, claimOf(good?.body));
    expect(await world.balanceOf(payTo)).toBe(10_000n);
  });

  test("is no longer counted as spent after its block was replaced, can be submitted again, and the vault stays open", async () => {
    const { agent, mandateId, vault } = await openVault();
    const payTo = freshAddress();
    const { body } = (await pay(agent, mandateId, { payTo })) as { body: Json };
    await submitDirectly(world, claimOf(body));
    const spent = (sum: string) =>
      eventually(async () => {
        await sql`update vaults set is_stale = true where mandate_id = ${mandateId}`;
        const row = await vaultOf(mandateId);
        return row.spent === sum && row.committed === sum && row.read_block !== null ? row : null;
      }, `spent ${sum}`);
    await spent("10000");
    await world.reorg(1);
    await world.mine();
    expect(await spent("0")).toMatchObject({ state: "open", balance: "10000000" });
    await submitDirectly(world, claimOf(body));
    await spent("10000");
    expect(await world.balanceOf(vault)).toBe(9_990_000n);
  });

  test("violates no invariant", async () => {
    const { violations } = await import("@/ops/invariants");
    await workers.stop();
    expect(await violations(wiring.system())).toEqual([]);
    workers = wiring.startWorkers();
  });

  test("cannot be a payout, and is refused with an agent signature that the terms do not require", async () => {
    const { agent, mandateId } = await openVault();
    const json = { toAddress: freshAddress(), amount: "10000", mandateId };
    expect(outcome(await call("POST", "/api/payouts", { bearer: agent.jwt, json }))).toEqual([
      422,
      "vault_wallet_only",
    ]);
    const agentAuthorization = { validAfter: "0", validBefore: "1", nonce: `0x${"0".repeat(64)}`, signature: "0x00" };
    const refusal = await pay(agent, mandateId, { agentAuthorization });
    expect(outcome(refusal)).toEqual([422, "agent_authorization_unexpected"]);
  });
});
