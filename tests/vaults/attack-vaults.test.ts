import { expect, test } from "vitest";
import type { Address } from "@/lib/core/address";
import { withdrawCall } from "@/lib/vaults/calls";
import { call } from "../support/http";
import { freshAddress, type Json, owned, pay, signatureOver } from "../support/mandates";
import { shareService } from "../support/service";
import { submitDirectly } from "../support/token";
import { openCall } from "../support/vault-calls";
import {
  claimed,
  claimOf,
  eventually,
  type Funding,
  termsOf,
  type VaultTerms,
  vaultData,
  vaultMandate,
  vaultSignatures,
} from "../support/vault-mandates";

/** Owners, agents and strangers who race the service for a vault's money. */
const service = shareService();

const FUNDS = 10_000_000n;
const codeOf = ({ body }: { body: unknown }): string => (body as Json).code ?? "ok";
const stateOf = async (id: string): Promise<string> =>
  (await service.opened.sql`select state from vaults where mandate_id = ${id}`)[0]?.state;
const reaches = (id: string, state: string) =>
  eventually(async () => ((await stateOf(id)) === state ? true : null), state);

async function openVault(terms: VaultTerms = {}, how: Funding = {}) {
  const vaultSetup = await vaultMandate(service.world, terms, how);
  await reaches(vaultSetup.mandateId, "open");
  return vaultSetup;
}

const sum = (list: readonly bigint[]) => list.reduce((a, b) => a + b, 0n);

test("of many simultaneous signatures for a vault and for the spending wallet, one takes effect", async () => {
  const { owner, mandateId } = await claimed({ limitAmount: FUNDS.toString() });
  await service.world.mint(owner.address, FUNDS);
  const bodies: Json[] = [
    await vaultSignatures(owner, mandateId, { amount: "4000000" }),
    await vaultSignatures(owner, mandateId, { amount: "5000000" }),
    await vaultSignatures(owner, mandateId, { funding: "permit" }),
    { signature: await signatureOver(mandateId, owner) },
  ];
  const sent = [...bodies, ...bodies, ...bodies].map((json) =>
    call("POST", `/api/mandates/${mandateId}/signature`, { session: owner.session, json }),
  );
  const responses = await Promise.all(sent);
  const winners = new Set(responses.flatMap(({ status }, index) => (status === 200 ? [index % bodies.length] : [])));
  expect(winners.size).toBe(1);
  const refusal = responses.filter(({ status }) => status !== 200).map(codeOf);
  expect(["mandate_changed", "mandate_not_pending"]).toEqual(expect.arrayContaining([...new Set(refusal)]));
  const openings = await service.opened.sql`select kind from vault_operations where mandate_id = ${mandateId}`;
  expect(openings.length).toBe(winners.has(3) ? 0 : 1);
});

test("a revocation at the moment of the signature leaves all the money with the owner", async () => {
  for (const delay of [0, 5, 20]) {
    const { owner, mandateId } = await claimed({ limitAmount: FUNDS.toString() });
    await service.world.mint(owner.address, FUNDS);
    const json = await vaultSignatures(owner, mandateId);
    const revoke = async () => {
      await new Promise((resolve) => setTimeout(resolve, delay));
      return call("POST", `/api/mandates/${mandateId}/revoke`, { session: owner.session, json: {} });
    };
    await Promise.all([
      call("POST", `/api/mandates/${mandateId}/signature`, { session: owner.session, json }),
      revoke(),
    ]);
    await owned(owner, mandateId, "revoke").catch(() => undefined);
    // The vault stays in closing as long as the owner's signature could still move money into it.
    const isOver = async () => ["proposed", "closed", "closing"].includes(await stateOf(mandateId));
    const hasAll = async () => (await service.world.balanceOf(owner.address)) === FUNDS;
    await eventually(async () => ((await isOver()) && (await hasAll()) ? true : null), "over");
  }
});

test("payments signed simultaneously from a vault with a permit, a release schedule and a cap can all be paid, and stay within the terms", async () => {
  const terms = {
    maxAmountPerPayment: "400000",
    limitAmount: FUNDS.toString(),
    vault: { release: { amount: "2000000", seconds: 1_800 } },
  };
  const { owner, agent, mandateId, vault } = await openVault(terms, { funding: "permit" });
  const signed: Json[] = [];
  const refusal = new Set<string>();
  const amounts = [400_000, 399_999, 250_000, 400_001].map(String);
  await eventually(async () => {
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        pay(agent, mandateId, { payTo: freshAddress(), amount: amounts[index % amounts.length] }),
      ),
    );
    const codes = responses.map(codeOf);
    for (const { status, body } of responses as { status: number; body: Json }[]) if (status === 200) signed.push(body);
    for (const code of codes) refusal.add(code);
    return codes.includes("ok") || codes.includes("vault_not_ready") ? null : true;
  }, "all that is released is signed");
  expect(refusal).toContain("vault_not_released");
  expect(refusal).toContain("mandate_payment_cap_exceeded");
  const values = signed.map((body) => BigInt(body.xPayment.payload.authorization.value));
  expect(sum(values)).toBeGreaterThan(1_500_000n);
  expect(sum(values)).toBeLessThanOrEqual(2_000_000n);
  // In an order of the payees' choosing.
  for (const body of signed.reverse()) await submitDirectly(service.world, claimOf(body));
  expect((await service.world.balanceOf(owner.address)) + (await service.world.balanceOf(vault))).toBe(
    FUNDS - sum(values),
  );
});

test("an owner who withdraws the money with the wallet alone stops signed payments, and the service reports that", async () => {
  const { owner, agent, mandateId, vault } = await openVault();
  const payTo = freshAddress();
  const { body } = (await pay(agent, mandateId, { payTo, amount: "300000" })) as { body: Json };
  const client = service.world.client();
  await client.impersonateAccount({ address: owner.address as Address });
  await client.setBalance({ address: owner.address as Address, value: 10n ** 18n });
  const { to, data } = withdrawCall(vault);
  await client.sendTransaction({ account: owner.address as Address, chain: null, to, data });
  await service.world.mine();
  expect(await service.world.balanceOf(owner.address)).toBe(FUNDS);
  await submitDirectly(service.world, claimOf(body));
  expect(await service.world.balanceOf(payTo)).toBe(0n);
  await eventually(async () => {
    // Simulates that the minute is over after which a live vault is read again: the observer does not follow the owner's call.
    await service.opened.sql`update vaults set read_at = read_at - interval '1 minute' where mandate_id = ${mandateId}`;
    const [row] = await service.opened.sql`select balance from vaults where mandate_id = ${mandateId}`;
    return row?.balance === "0" ? true : null;
  }, "the withdrawal is read");
  expect(codeOf(await pay(agent, mandateId, { amount: "300000" }))).toBe("mandate_insufficient_budget");
  const view = (await call("GET", `/api/mandates/agent/${mandateId}`, { bearer: agent.jwt })).body as Json;
  expect(view).toMatchObject({ spentAmount: "0", vault: { balance: "0" } });
});

test("a stranger who opens the vault first and sends it tiny amounts before each payment delays none", async () => {
  const { owner, agent, mandateId } = await claimed({ limitAmount: FUNDS.toString() });
  await service.world.mint(owner.address, FUNDS);
  const { body } = (await vaultData(owner, mandateId)) as { body: Json };
  const vault = body.vault.address as Address;
  const [stranger] = service.world.accounts.slice(-1);
  const { to, data } = openCall(termsOf(body.vault.terms));
  await service.world.client().sendTransaction({ account: stranger?.address as Address, chain: null, to, data });
  await service.world.mint(vault, 999_999n);
  await owned(owner, mandateId, "signature", await vaultSignatures(owner, mandateId));
  await reaches(mandateId, "open");
  for (let round = 0; round < 4; round++) {
    const payTo = freshAddress();
    const response = await eventually(async () => {
      const { status, body: signed } = (await pay(agent, mandateId, { payTo, amount: "1000000" })) as {
        status: number;
        body: Json;
      };
      return status === 200 ? signed : null;
    }, "it is signed");
    await submitDirectly(service.world, claimOf(response));
    expect(await service.world.balanceOf(payTo)).toBe(1_000_000n);
    await service.world.mint(vault, 250_000n);
  }
});

test("another agent, another owner and a stranger cannot read or change anything about a vault", async () => {
  const { agent, mandateId, owner } = await openVault();
  const { agent: otherAgent, owner: otherOwner } = await claimed();
  expect(codeOf(await pay(otherAgent, mandateId))).toBe("mandate_not_found");
  for (const [method, path] of [
    ["GET", "typed-data?mode=vault&funding=now"],
    ["GET", "revocation"],
    ["POST", "revoke"],
    ["POST", "move-to-vault"],
  ] as const) {
    const json = method === "POST" ? { json: {} } : {};
    const response = await call(method, `/api/mandates/${mandateId}/${path}`, { session: otherOwner.session, ...json });
    expect([path, response.status, codeOf(response)]).toEqual([path, 404, "mandate_not_found"]);
  }
  const { body } = (await pay(agent, mandateId)) as { body: Json };
  const refusal = { json: { reason: "invalid_exact_evm_payload_signature" } };
  const id = body.paymentRecordId ?? body.paymentId;
  expect(id).toEqual(expect.any(String));
  const reported = await call("POST", `/api/payments/${id}/refusal`, { bearer: otherAgent.jwt, ...refusal });
  expect(reported.status).toBe(404);
  expect(await service.world.balanceOf(owner.address)).toBe(0n);
});
