import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Address } from "@/lib/core/address";
import type { Usdc } from "@/lib/core/money";
import { addSeconds } from "@/lib/core/time";
import { countCall, openAndFundCall } from "@/lib/vaults/calls";
import { NETWORKS } from "@/lib/x402/networks";
import { call } from "../support/http";
import { freshAddress, type Json, pay } from "../support/mandates";
import { changeToken } from "../support/token";
import { openCall } from "../support/vault-calls";
import { claimed, eventually, termsOf, vaultData, vaultMandate, vaultSignatures } from "../support/vault-mandates";
import { createWorld, type World } from "../support/world";

let world: World;
let sql: postgres.Sql;
let wiring: typeof import("../support/wiring");
let workers: { stop: () => Promise<void> } | null = null;

beforeAll(async () => {
  world = await createWorld();
  sql = postgres(world.databaseUrl, { max: 2 });
  wiring = await import("../support/wiring");
  workers = wiring.startWorkers();
});
afterAll(async () => {
  await workers?.stop();
  await wiring.closeSystem();
  await sql.end();
  await world.stop();
});

const vaultOf = async (id: string): Promise<Json> => (await sql`select * from vaults where mandate_id = ${id}`)[0];
const isIn = (id: string, state: string) =>
  eventually(async () => {
    const vault = await vaultOf(id);
    return vault.state === state ? vault : null;
  }, `${id} is ${state}`);
const eventsOf = async (id: string) =>
  (await sql`select type from events where subject = ${id} order by created_at, id`).map((event): string => event.type);
const operationsOf = async (id: string) =>
  (await sql`select kind, state from vault_operations where mandate_id = ${id} order by id`).map(
    ({ kind, state }) => `${kind} ${state}`,
  );

const emptyTerms = {
  contractVersion: 2 as const,
  token: NETWORKS.base.usdc,
  agent: null,
  perPayment: null,
  release: null,
  payees: null,
};

async function send({ to, data }: { to: Address; data: `0x${string}` }, from = world.accounts[8]?.address ?? "0x") {
  const hash = await world.client().sendTransaction({ account: from, chain: null, to, data });
  await world.mine();
  expect((await world.client().waitForTransactionReceipt({ hash })).status).toBe("success");
}

describe("a vault is opened", () => {
  test("with its money, and its owner pays no gas", async () => {
    const { mandateId, vault, agent, owner } = await vaultMandate(world, {}, { amount: "4000000" });
    await isIn(mandateId, "open");
    expect(await world.balanceOf(vault)).toBe(4_000_000n);
    expect(await world.balanceOf(owner.account.address as Address)).toBe(6_000_000n);
    const { body } = (await call("GET", `/api/mandates/agent/${mandateId}`, { bearer: agent.jwt })) as { body: Json };
    expect(body.vault).toMatchObject({
      address: vault,
      state: "open",
      funded: "4000000",
      balance: "4000000",
      spent: "0",
      released: "10000000",
      isRevoked: false,
      failure: null,
      readAtBlock: expect.stringMatching(/^\d+$/),
    });
    expect(await operationsOf(mandateId)).toEqual(["open_and_fund done"]);
    expect(await eventsOf(mandateId)).toContain("vault.opened");
  });

  test("with a first tranche by permit, and the rest stays in the owner's wallet", async () => {
    const { mandateId, vault } = await vaultMandate(world, {}, { funding: "permit" });
    expect(await isIn(mandateId, "open")).toMatchObject({ funded: "1000000", allowance: "9000000" });
    expect(await world.balanceOf(vault)).toBe(1_000_000n);
  });

  test.each([
    { funding: "permit" as const, row: { funded: "1000000", allowance: "9000000" } },
    { funding: "now" as const, row: { funded: "10000000" } },
  ])("and pays at once, although the chain's clock is behind the service's: $funding", async ({ funding, row }) => {
    await world.setTime(addSeconds(new Date(), -5));
    try {
      const { mandateId, agent } = await vaultMandate(world, {}, { funding });
      expect(await isIn(mandateId, "open")).toMatchObject(row);
      expect((await pay(agent, mandateId)).status).toBe(200);
    } finally {
      await world.setTime(new Date());
    }
  });

  test.each([
    { what: "a part of the limit", gift: 4_000_000n, balance: "5000000", allowance: "9000000" },
    { what: "more than the limit", gift: 12_000_000n, balance: "12000000", allowance: "10000000" },
  ])("although a stranger has sent $what to its address before", async ({ gift, balance, allowance }) => {
    const { owner, mandateId } = await claimed({ limitAmount: "10000000" });
    await world.mint(owner.account.address as Address, 10_000_000n);
    const { body } = (await vaultData(owner, mandateId, { funding: "permit" })) as { body: Json };
    await world.mint(body.vault.address, gift);
    const json = await vaultSignatures(owner, mandateId, { funding: "permit" });
    await call("POST", `/api/mandates/${mandateId}/signature`, { session: owner.session, json });
    expect(await isIn(mandateId, "open")).toMatchObject({ balance, allowance });
    expect(await operationsOf(mandateId)).toContain("open_and_pull done");
  });

  test("with a permit of an owner who has no money yet", async () => {
    const { owner, mandateId } = await claimed();
    const json = await vaultSignatures(owner, mandateId, { funding: "permit" });
    await call("POST", `/api/mandates/${mandateId}/signature`, { session: owner.session, json });
    expect(await isIn(mandateId, "open")).toMatchObject({ funded: "0", allowance: "1000000" });
  });

  test("although strangers opened it before, and sent money to it", async () => {
    const { owner, mandateId } = await claimed({ limitAmount: "10000000" });
    await world.mint(owner.account.address as Address, 10_000_000n);
    const { body } = (await vaultData(owner, mandateId)) as { body: Json };
    await send(openCall(termsOf(body.vault.terms)));
    await world.mint(body.vault.address, 50n);
    const json = await vaultSignatures(owner, mandateId);
    await call("POST", `/api/mandates/${mandateId}/signature`, { session: owner.session, json });
    expect(await isIn(mandateId, "open")).toMatchObject({ funded: "10000050", balance: "10000050" });
  });

  test("by a permit, although strangers opened it before and sent money to it, and the owner had the contract count it", async () => {
    await workers?.stop();
    const { mandateId, vault, owner } = await vaultMandate(world, {}, { funding: "permit" });
    const row = await vaultOf(mandateId);
    const terms = { ...emptyTerms, owner: owner.address, signer: row.signer, mandate: row.mandate_hash };
    await send(
      openCall({ ...terms, start: Number(row.starts_at), end: Number(row.ends_at), limit: 10_000_000n as Usdc }),
    );
    await world.mint(vault, 50n);
    await expect(send(countCall(vault))).rejects.toThrow();
    await world.client().impersonateAccount({ address: owner.account.address });
    await world.client().setBalance({ address: owner.account.address, value: 10n ** 18n });
    await send(countCall(vault), owner.account.address);
    workers = wiring.startWorkers();
    // The permit was submitted all the same.
    expect(await isIn(mandateId, "open")).toMatchObject({ funded: "1000050", allowance: "9000000" });
  });

  test("although somebody else submitted the owner's signature first", async () => {
    const { owner, mandateId } = await claimed({ limitAmount: "10000000" });
    await world.mint(owner.account.address as Address, 10_000_000n);
    const { body } = (await vaultData(owner, mandateId)) as { body: Json };
    const json = await vaultSignatures(owner, mandateId);
    const { amount, validBefore, signature } = json;
    const funding = { value: BigInt(amount) as never, validAfter: 0n, validBefore: BigInt(validBefore), signature };
    await send(openAndFundCall(termsOf(body.vault.terms), { ...funding, nonce: body.vault.mandateHash }));
    // The owner's wallet no longer holds the mandate's amount.
    await world.mint(owner.account.address as Address, 10_000_000n);
    await call("POST", `/api/mandates/${mandateId}/signature`, { session: owner.session, json });
    await isIn(mandateId, "open");
    expect(await world.balanceOf(body.vault.address)).toBe(10_000_000n);
    expect(await world.balanceOf(owner.account.address as Address)).toBe(10_000_000n);
  });
});

describe("a vault that cannot be opened yet", () => {
  test("waits while the owner's money is gone, and is opened when the money is back", async () => {
    await workers?.stop();
    const { owner, mandateId } = await vaultMandate(world);
    const away = world.accounts[7]?.address ?? "";
    await world.client().impersonateAccount({ address: owner.account.address });
    await world.client().setBalance({ address: owner.account.address, value: 10n ** 18n });
    await changeToken(world, "transfer", [away, 10_000_000n], owner.account.address);
    workers = wiring.startWorkers();
    await eventually(async () => {
      const [row] = await sql`select failure from vault_operations where mandate_id = ${mandateId}`;
      return row?.failure ?? null;
    }, "a refusal");
    expect((await vaultOf(mandateId)).state).toBe("opening");
    await world.mint(owner.account.address as Address, 10_000_000n);
    await isIn(mandateId, "open");
  });

  test("fails once the chain's time is past the expiry of the owner's signature", async () => {
    await workers?.stop();
    const { agent, mandateId } = await vaultMandate(world, { validForSeconds: 7_200 });
    await world.increaseTime(3_700);
    workers = wiring.startWorkers();
    const { failure } = await isIn(mandateId, "failed");
    expect(failure).toMatch(/signature ended/);
    expect(await eventsOf(mandateId)).toContain("vault.failed");
    expect(await operationsOf(mandateId)).toEqual(["open_and_fund failed"]);
    const { jwt: bearer } = agent;
    const refusal = await pay(agent, mandateId);
    expect([refusal.status, refusal.body]).toMatchObject([403, { code: "vault_failed", failure }]);
    const json = { toAddress: freshAddress(), amount: "10000", mandateId };
    expect((await call("POST", "/api/payouts", { bearer, json })).body).toMatchObject({ code: "vault_failed" });
    const view = await call("GET", `/api/mandates/agent/${mandateId}`, { bearer });
    expect((view.body as Json).mandate).toMatchObject({ status: "revoked", vault: { state: "failed", failure } });
    const eligible = await call("GET", "/api/mandates/eligible?host=a.example&amount=1", { bearer });
    expect(eligible.body).toMatchObject({
      eligibleMandates: [],
      uncovered: { code: "mandate_revoked", mandateId, message: expect.stringContaining("could not be opened") },
    });
  });
});
