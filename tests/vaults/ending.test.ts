import postgres from "postgres";
import type { LocalAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Address } from "@/lib/core/address";
import { withdrawCall } from "@/lib/vaults/calls";
import { call } from "../support/http";
import { freshAddress, type Json, owned, pay, signedMandate } from "../support/mandates";
import { revokeCall } from "../support/vault-calls";
import { eventually, type Funding, type VaultTerms, vaultMandate } from "../support/vault-mandates";
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
/** Without waiting for the minute after which a vault is read again. */
const readAgain = (id: string) => sql`update vaults set is_stale = true where mandate_id = ${id}`;
const isIn = (id: string, state: string) =>
  eventually(async () => {
    await readAgain(id);
    return (await vaultOf(id)).state === state ? true : null;
  }, `${id} is ${state}`);
const codeOf = ({ body }: { body: unknown }) => (body as Json).code ?? "ok";
const operationsOf = async (id: string) =>
  (await sql`select kind, state from vault_operations where mandate_id = ${id} order by id`).map(
    ({ kind, state }) => `${kind} ${state}`,
  );

async function openVault(terms: VaultTerms = {}, how: Funding = {}) {
  const vaultSetup = await vaultMandate(world, terms, how);
  await isIn(vaultSetup.mandateId, "open");
  return vaultSetup;
}

describe("the revocation of a vault's mandate", () => {
  test("without the owner's signature sends the money to the owner with a signature of the service", async () => {
    const { owner, agent, mandateId, vault } = await openVault();
    expect(codeOf(await pay(agent, mandateId))).toBe("ok");
    expect(await owned(owner, mandateId, "revoke")).toMatchObject({ status: "revoked", vault: { state: "closing" } });
    expect(codeOf(await pay(agent, mandateId))).toBe("mandate_revoked");
    await isIn(mandateId, "closed");
    expect(await world.balanceOf(owner.account.address as Address)).toBe(10_000_000n);
    expect(await operationsOf(mandateId)).toEqual(["open_and_fund done", "return done"]);
    expect(await vaultOf(mandateId)).toMatchObject({ balance: "0", is_revoked: false });
    // Nothing has it read again but the transfer.
    await world.mint(vault, 10_500n);
    await eventually(async () => ((await world.balanceOf(vault)) === 0n ? true : null), "later money goes home too");
  });

  test("with the owner's signature is enforced by the chain", async () => {
    const { owner, mandateId } = await openVault();
    const { body } = await call("GET", `/api/mandates/${mandateId}/revocation`, { session: owner.session });
    const sign = owner.account.signTypedData as (data: unknown) => ReturnType<LocalAccount["signTypedData"]>;
    const vaultSignature = await sign(body);
    const bad = { vaultSignature: `0x${"1".repeat(130)}` };
    expect(codeOf(await call("POST", `/api/mandates/${mandateId}/revoke`, { session: owner.session, json: bad }))).toBe(
      "signature_invalid",
    );
    await owned(owner, mandateId, "revoke", { vaultSignature });
    await isIn(mandateId, "closed");
    expect(await vaultOf(mandateId)).toMatchObject({ balance: "0", is_revoked: true });
    expect(await world.balanceOf(owner.account.address as Address)).toBe(10_000_000n);
    await owned(owner, mandateId, "revoke", { vaultSignature });
    expect((await operationsOf(mandateId)).filter((one) => one.startsWith("revoke"))).toEqual(["revoke_signed done"]);
  });

  test("is queued by the transaction that revokes the mandate, so that no reading requests a return besides", async () => {
    const { owner, mandateId } = await openVault();
    const { body } = await call("GET", `/api/mandates/${mandateId}/revocation`, { session: owner.session });
    const vaultSignature = await owner.account.signTypedData(body as never);
    const stateOf = async () => (await sql`select state from mandates where id = ${mandateId}`)[0]?.state;
    const revoking = await sql.begin(async (tx) => {
      await tx`lock table vault_operations in share mode`;
      const request = owned(owner, mandateId, "revoke", { vaultSignature });
      const isWaiting = () => sql`select 1 from pg_stat_activity
        where wait_event_type = 'Lock' and query like 'insert into "vault_operations"%'`;
      await eventually(async () => (await isWaiting()).length > 0 || null, "the revocation waits");
      expect(await stateOf()).toBe("signed");
      return [request];
    });
    await Promise.all(revoking);
    await isIn(mandateId, "closed");
    expect(await operationsOf(mandateId)).toEqual(["open_and_fund done", "revoke_signed done"]);
  });

  test("before the vault is open leaves the money where it is", async () => {
    await workers.stop();
    const { owner, mandateId } = await vaultMandate(world);
    await owned(owner, mandateId, "revoke");
    workers = wiring.startWorkers();
    expect(await operationsOf(mandateId)).toEqual(["open_and_fund failed"]);
    expect(await world.balanceOf(owner.account.address as Address)).toBe(10_000_000n);
  });

  test("has nothing to sign if the mandate has no vault", async () => {
    const { owner, mandateId } = await signedMandate();
    const response = await call("GET", `/api/mandates/${mandateId}/revocation`, { session: owner.session });
    expect([response.status, codeOf(response)]).toEqual([409, "mandate_has_no_vault"]);
    await owned(owner, mandateId, "revoke");
  });
});

test("the rest goes to the owner when nothing more can be paid", async () => {
  const { agent, mandateId, owner, vault } = await openVault({ limitAmount: "20000" }, { amount: "20000" });
  await world.mint(vault, 7n);
  const responses = [await pay(agent, mandateId), await pay(agent, mandateId)] as { body: Json }[];
  for (const { body } of responses) {
    const { authorization: a, signature } = body.xPayment.payload;
    const { submitDirectly } = await import("../support/token");
    const [value, validAfter, validBefore] = [a.value, a.validAfter, a.validBefore].map(BigInt);
    await submitDirectly(world, { authorization: { ...a, value, validAfter, validBefore }, signature } as never);
  }
  const balanceBefore = 10_000_000n - 20_000n;
  await eventually(
    async () => ((await world.balanceOf(owner.account.address as Address)) === balanceBefore + 7n ? true : null),
    "the rest",
  );
  expect(await world.balanceOf(vault)).toBe(0n);
});

test("money that others sent is counted into the vault, so that payments go on", async () => {
  const { agent, mandateId, vault } = await openVault();
  await world.mint(vault, 2_000_000n);
  await eventually(async () => {
    await readAgain(mandateId);
    return (await operationsOf(mandateId)).includes("count done") ? true : null;
  }, "the count");
  expect(codeOf(await pay(agent, mandateId, { payTo: freshAddress() }))).toBe("ok");
  expect((await vaultOf(mandateId)).funded).toBe("12000000");
});

test.each([
  ["revokes it", revokeCall],
  ["takes its money", withdrawCall],
] as const)("when an owner %s directly on the chain, the service notices the vault's event", async (_, callOf) => {
  const { agent, mandateId, owner, vault } = await openVault();
  // Only what happens at the vault can have it read now.
  await sql`update vaults set read_at = now() + interval '1 hour' where mandate_id = ${mandateId}`;
  const client = world.client();
  const account = owner.account.address;
  await client.impersonateAccount({ address: account });
  await client.setBalance({ address: account, value: 10n ** 18n });
  await client.sendTransaction({ account, chain: null, ...callOf(vault) });
  await eventually(async () => ((await vaultOf(mandateId)).balance === "0" ? true : null), "the return to be noticed");
  expect((await vaultOf(mandateId)).is_revoked).toBe(callOf === revokeCall);
  if (callOf === revokeCall) expect(codeOf(await pay(agent, mandateId))).toBe("mandate_revoked");
});

// Last: the chain's time stays ahead.
test("after the mandate's end the money goes to the owner", async () => {
  const { agent, mandateId, owner } = await openVault({ validForSeconds: 3_000 });
  await world.increaseTime(3_100);
  await isIn(mandateId, "closed");
  expect(await world.balanceOf(owner.account.address as Address)).toBe(10_000_000n);
  expect(await operationsOf(mandateId)).toEqual(["open_and_fund done", "withdraw done"]);
  expect(codeOf(await pay(agent, mandateId))).toMatch(/mandate_(revoked|expired)/);
});
