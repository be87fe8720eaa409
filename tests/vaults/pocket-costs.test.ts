import { expect, test } from "vitest";
import { countCall } from "@/lib/vaults/calls";
import { VAULT_CONTRACTS } from "@/lib/vaults/contracts";
import { freshAddress, type Json, pay } from "../support/mandates";
import { runService } from "../support/service";
import { submitDirectly } from "../support/token";
import { claimOf, eventually } from "../support/vault-mandates";
import { outcome, vaultsIn } from "../support/vault-service";

const service = runService();
const vaults = vaultsIn(service);

const fillsOf = async (id: string) => (await vaults.operationsOf(id)).filter((one) => one.startsWith("fill_pocket"));

/** Asks for a payment to the seller that refuses contracts, and pays nothing once the pocket has the money. */
async function filled({ agent, mandateId }: { agent: Parameters<typeof pay>[0]; mandateId: string }, amount: string) {
  expect(outcome(await pay(agent, mandateId, { payTo: freshAddress(), amount }))).toEqual([503, "vault_not_ready"]);
  await eventually(
    async () => ((await vaults.rowOf(mandateId)).pocket_balance === amount ? true : null),
    "the pocket is filled",
  );
}

/** Simulates that some time has passed since the fills, and empties the pocket. */
async function emptied(mandateId: string, minutes: number) {
  await service.opened.sql`update vault_operations set created_at = created_at - ${minutes} * interval '1 minute'
    where mandate_id = ${mandateId}`;
  await eventually(async () => {
    await vaults.readAgain(mandateId);
    return (await vaults.rowOf(mandateId)).pocket_balance === "0" ? true : null;
  }, "the pocket is empty");
}

test("a seller that refused a proof and names a second address is paid nothing more until that proof has expired", async () => {
  const { agent, mandateId } = await vaults.opened();
  const [one, two] = [freshAddress(), freshAddress()];
  const resource = "https://seller.example/report";
  const { body } = await vaults.paid(agent, mandateId, { payTo: one, amount: "1000000", resource });
  await vaults.refusedBySeller(agent, body);
  const second = await pay(agent, mandateId, { payTo: two, amount: "1000000", resource });
  expect(outcome(second)).toEqual([422, "pocket_busy"]);
  const { validBefore } = body.xPayment.payload.authorization;
  expect(Date.parse((second.body as Json).availableAt)).toBe(Number(validBefore) * 1_000);
  // Nor for another resource there, or under another port's name.
  const elsewhere = { payTo: two, amount: "1000000", resource: "https://seller.example:443/other?x=1" };
  expect(outcome(await pay(agent, mandateId, elsewhere))).toEqual([422, "pocket_busy"]);
  await submitDirectly(service.world, claimOf(body));
  await eventually(
    async () => ((await vaults.readAgain(mandateId)).committed === "1000000" ? true : null),
    "the refused payment is seen",
  );
  const third = await vaults.paid(agent, mandateId, { payTo: two, amount: "1000000", resource });
  expect(third.body.xPayment.payload.authorization.from).toBe((await vaults.rowOf(mandateId)).pocket);
});

test("a proof that is never submitted occupies the pocket for two minutes at most, whatever the seller offers", async () => {
  const { agent, mandateId } = await vaults.opened();
  await vaults.refusedOnce(agent, mandateId);
  const { body } = await vaults.paid(agent, mandateId, { payTo: freshAddress(), validityWindowSeconds: 3_600 });
  const validBefore = Number(body.xPayment.payload.authorization.validBefore);
  expect(validBefore - Date.now() / 1_000).toBeLessThanOrEqual(120);
  const busy = await pay(agent, mandateId, { payTo: freshAddress() });
  expect(outcome(busy)).toEqual([422, "pocket_busy"]);
  expect(Date.parse((busy.body as Json).availableAt)).toBe(validBefore * 1_000);
});

test("an agent that has pockets filled without paying waits twice as long for each further filling", async () => {
  const vaultMandate = await vaults.opened();
  await vaults.refusedOnce(vaultMandate.agent, vaultMandate.mandateId);
  await filled(vaultMandate, "100000");
  await emptied(vaultMandate.mandateId, 11);
  await filled(vaultMandate, "200000");
  await emptied(vaultMandate.mandateId, 11);
  const ask = () => pay(vaultMandate.agent, vaultMandate.mandateId, { payTo: freshAddress(), amount: "300000" });
  const paused = await ask();
  expect([outcome(paused), (paused.body as Json).retry]).toEqual([[422, "pocket_busy"], "wait"]);
  const minutes = (Date.parse((paused.body as Json).availableAt) - Date.now()) / 60_000;
  expect(minutes).toBeGreaterThan(8);
  expect(minutes).toBeLessThan(10);
  expect(await fillsOf(vaultMandate.mandateId)).toEqual(["fill_pocket done", "fill_pocket done"]);
  await emptied(vaultMandate.mandateId, 10);
  await filled(vaultMandate, "300000");
  await emptied(vaultMandate.mandateId, 35);
  expect(outcome(await ask())).toEqual([422, "pocket_busy"]);
  // One that is paid ends the pause.
  await emptied(vaultMandate.mandateId, 10);
  const { body } = await vaults.paid(vaultMandate.agent, vaultMandate.mandateId, {
    payTo: freshAddress(),
    amount: "300000",
  });
  await submitDirectly(service.world, claimOf(body));
  await eventually(async () => {
    await vaults.readAgain(vaultMandate.mandateId);
    return (await vaults.mandateOf(vaultMandate.agent, vaultMandate.mandateId)).mandate.spentAmount === "310000"
      ? true
      : null;
  }, "the payment is seen");
  await filled(vaultMandate, "100000");
});

test("a stranger who makes a vault of the first version count while a pocket is filled prevents one payment a day at most", async () => {
  await service.restart({ VAULT_FACTORY: VAULT_CONTRACTS[1].factory.address });
  const vaultMandate = await vaults.opened();
  const { agent, mandateId, vault } = vaultMandate;
  await vaults.refusedOnce(agent, mandateId);
  await filled(vaultMandate, "3000000");
  await service.restart({ VAULT_FACTORY: VAULT_CONTRACTS[2].factory.address });
  const { to, data } = countCall(vault);
  const sent = { account: service.payer(8).address, chain: null, to, data };
  const hash = await service.world.client().sendTransaction(sent);
  await service.world.client().waitForTransactionReceipt({ hash });
  await emptied(mandateId, 30);
  await eventually(async () => {
    await vaults.readAgain(mandateId);
    return (await vaults.rowOf(mandateId)).spent === "3010000" ? true : null;
  }, "the count is seen");
  const next = await eventually(async () => {
    const asked = await pay(agent, mandateId, { payTo: freshAddress(), amount: "3000000" });
    // Until the fill is known to have ended.
    return asked.status === 503 ? null : asked;
  }, "the fill has ended");
  expect(outcome(next)).toEqual([422, "pocket_busy"]);
  expect(Date.parse((next.body as Json).availableAt) - Date.now()).toBeGreaterThan(23 * 3_600_000);
  expect(await fillsOf(mandateId)).toEqual(["fill_pocket done"]);
  // Other sellers are paid by the vault meanwhile.
  await vaults.paid(agent, mandateId, {
    payTo: freshAddress(),
    amount: "5000000",
    resource: "https://other.example/x",
  });
});

test("a failed filling of the pocket counts until its signature has expired, because whoever saw it can still submit it", async () => {
  const vaultMandate = await vaults.opened();
  const { agent, mandateId } = vaultMandate;
  await vaults.refusedOnce(agent, mandateId);
  const until = Math.floor(Date.now() / 1_000) + 300;
  await service.opened
    .sql`insert into vault_operations (mandate_id, network, kind, amount, state, failure, valid_before, created_at)
    values (${mandateId}, 'base', 'fill_pocket', 3000000, 'failed', 'The chain did not make the transfer', ${until}, now())`;
  const second = await pay(agent, mandateId, { payTo: freshAddress(), amount: "3000000" });
  expect([outcome(second), Date.parse((second.body as Json).availableAt)]).toEqual([
    [422, "pocket_busy"],
    until * 1_000,
  ]);
  const elsewhere = { payTo: freshAddress(), resource: "https://other.example/x" };
  expect(outcome(await pay(agent, mandateId, { ...elsewhere, amount: "7000000" }))).toEqual([
    403,
    "mandate_insufficient_budget",
  ]);
  expect(outcome(await pay(agent, mandateId, { ...elsewhere, amount: "6000000" }))).toEqual([200, "ok"]);
  await service.opened
    .sql`update vault_operations set valid_before = ${until - 600} where state = 'failed' and mandate_id = ${mandateId}`;
  await filled(vaultMandate, "3000000");
  const [fill] = await service.opened
    .sql`select valid_before from vault_operations where kind = 'fill_pocket' and state = 'done'
    and mandate_id = ${mandateId}`;
  expect(Number(fill?.valid_before)).toBeGreaterThan(until - 60);
});
