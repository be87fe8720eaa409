import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Address } from "@/lib/core/address";
import { recoverPayer } from "@/lib/x402/signature";
import type { TestAgent } from "../support/actors";
import { call } from "../support/http";
import { lieAbout } from "../support/lying-node";
import { freshAddress, type Json, owned, pay, signedMandate } from "../support/mandates";
import { connectV1, requiredV1 } from "../support/mcp";
import { startReceiver } from "../support/receiver";
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

const codeOf = ({ body }: { body: unknown }) => (body as Json).code ?? "ok";
const vaultOf = async (id: string): Promise<Json> => (await sql`select * from vaults where mandate_id = ${id}`)[0];
const readAgain = (id: string) => sql`update vaults set is_stale = true where mandate_id = ${id}`;

async function openVault(terms: VaultTerms = {}, how: Funding = {}) {
  const vaultSetup = await vaultMandate(world, terms, how);
  await eventually(async () => ((await vaultOf(vaultSetup.mandateId)).state === "open" ? true : null), "open");
  return vaultSetup;
}

/** A facilitator that recovers the signer's key and nothing else, as those do that know no contracts. */
function verify(proof: Json): { isValid: boolean; invalidReason?: string } {
  const { network, authorization, signature } = claimOf(proof);
  const isValid = recoverPayer(network, authorization, signature) === authorization.from;
  return isValid ? { isValid } : { isValid, invalidReason: "invalid_exact_evm_payload_signature" };
}

const report = (agent: TestAgent, id: string, reason = "invalid_exact_evm_payload_signature") =>
  call("POST", `/api/payments/${id}/refusal`, { bearer: agent.jwt, json: { reason } });

/** The refused proof is paid all the same. */
async function used(mandateId: string, proof: Json) {
  await submitDirectly(world, claimOf(proof));
  await eventually(async () => {
    await readAgain(mandateId);
    return (await vaultOf(mandateId)).committed === proof.xPayment.payload.authorization.value ? true : null;
  }, "the refused payment");
}

/** A vault whose seller has refused its first payment, with nothing of which can be paid any more. */
async function openWithRefusal(terms: VaultTerms = {}, how: Funding = {}) {
  const mandate = await refusing(terms, how);
  await used(mandate.mandateId, mandate.refusedProof);
  return mandate;
}

/** A vault whose seller has refused its first payment. */
async function refusing(terms: VaultTerms = {}, how: Funding = {}) {
  const vaultMandate = await openVault(terms, how);
  const first = freshAddress();
  const proof = await payWhenReady(vaultMandate.agent, vaultMandate.mandateId, { payTo: first });
  const { isValid, invalidReason = "" } = verify(proof);
  expect(isValid).toBe(false);
  const told = await report(vaultMandate.agent, proof.paymentRecordId, invalidReason);
  expect([told.status, told.body]).toEqual([200, { status: "ok", refusesContracts: true }]);
  return { ...vaultMandate, first, refusedProof: proof };
}

/** Signs again until the vault or its pocket has the money. */
const payWhenReady = (agent: TestAgent, mandateId: string, change: object) =>
  eventually(async () => {
    const response = await pay(agent, mandateId, change);
    if (response.status !== 200) expect(codeOf(response)).toBe("vault_not_ready");
    return response.status === 200 ? (response.body as Json) : null;
  }, "a signed payment");

describe("a seller that refuses payments from contracts", () => {
  test("is paid through the vault's pocket, which the vault fills with that payment", async () => {
    const { agent, mandateId, vault } = await openWithRefusal({ maxAmountPerPayment: "2000000" });
    const payTo = freshAddress();
    const response = await pay(agent, mandateId, { payTo, amount: "2000000" });
    expect([response.status, codeOf(response)]).toEqual([503, "vault_not_ready"]);
    const proof = await payWhenReady(agent, mandateId, { payTo, amount: "2000000" });
    const { pocket } = await vaultOf(mandateId);
    expect([proof.xPayment.payload.authorization.from, verify(proof)]).toEqual([pocket, { isValid: true }]);
    expect([await world.balanceOf(pocket), await world.balanceOf(vault)]).toEqual([2_000_000n, 7_990_000n]);
    await submitDirectly(world, claimOf(proof));
    expect([await world.balanceOf(payTo), await world.balanceOf(pocket)]).toEqual([2_000_000n, 0n]);
    const view = await eventually(async () => {
      const { body } = await call("GET", `/api/mandates/agent/${mandateId}`, { bearer: agent.jwt });
      const { spentAmount, vault: shown } = body as Json;
      return spentAmount === "2010000" && shown.pocket.balance === "0" ? shown : null;
    }, "the chain shows it");
    expect(view).toMatchObject({ spent: "2010000", balance: "7990000", pocket: { address: pocket } });
    // Another host is paid by the vault itself.
    const elsewhere = (await pay(agent, mandateId, { resource: "https://other.example/x" })) as { body: Json };
    expect(elsewhere.body.xPayment.payload.authorization.from).toBe(vault);
  });

  test("gets no new proof before the refused one has expired", async () => {
    const { agent, mandateId, first, refusedProof } = await refusing();
    const response = await pay(agent, mandateId, { payTo: first });
    expect([response.status, response.body]).toMatchObject([422, { code: "pocket_busy", retry: "wait" }]);
    const { validBefore } = refusedProof.xPayment.payload.authorization;
    expect(Date.parse((response.body as Json).availableAt)).toBe(Number(validBefore) * 1_000);
  });

  test("is not paid a second time at another address, or under another spelling of its host", async () => {
    const { agent, mandateId, first } = await refusing();
    const elsewhere = "https://other.example/weather";
    const [{ owner_id: ownerId, agent_id: agentId }] =
      (await sql`select owner_id, agent_id from mandates where id = ${mandateId}`) as Json;
    await sql`insert into contract_refusals (owner_id, agent_id, network, host, reason, seen_at, is_witnessed)
      values (${ownerId}, ${agentId}, 'base', 'other.example', 'signature', now(), false)`;
    const paying = async (change: object) => codeOf(await pay(agent, mandateId, change));
    expect(await paying({ payTo: freshAddress() })).toBe("pocket_busy");
    expect(await paying({ payTo: first, resource: elsewhere })).toBe("pocket_busy");
    // Nothing was moved for either. Another seller need not wait.
    const fills = () => sql`select 1 from vault_operations where mandate_id = ${mandateId} and kind = 'fill_pocket'`;
    expect(await fills()).toHaveLength(0);
    expect(await paying({ payTo: freshAddress(), resource: elsewhere })).toBe("vault_not_ready");
    expect(await fills()).toHaveLength(1);
  });

  test("is paid one payment at a time, however many are requested at once", async () => {
    const { agent, mandateId } = await openWithRefusal();
    const [payTo, otherAddress] = [freshAddress(), freshAddress()];
    await payWhenReady(agent, mandateId, { payTo, amount: "30000" });
    const { pocket } = await vaultOf(mandateId);
    await world.mint(pocket, 10_000_000n);
    expect(codeOf(await pay(agent, mandateId, { payTo: otherAddress }))).toBe("pocket_busy");
    await sql`update reservations set state = 'released', ended_at = now() where payer = ${pocket}`;
    await sql`update mandates set pending_amount = pending_amount - 30000 where id = ${mandateId}`;
    await eventually(async () => {
      await readAgain(mandateId);
      return (await vaultOf(mandateId)).pocket_balance === "10030000" ? true : null;
    }, "the reading");
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => pay(agent, mandateId, { payTo: freshAddress() })),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(new Set(responses.filter(({ status }) => status !== 200).map(codeOf))).toEqual(new Set(["pocket_busy"]));
  });

  test("is not paid by a vault with a list of payees or an agent's key", async () => {
    const payTo = freshAddress();
    const listed = await openVault({ vault: { payees: [payTo] } });
    const { body } = (await pay(listed.agent, listed.mandateId, { payTo })) as { body: Json };
    expect((await report(listed.agent, body.paymentRecordId)).body).toMatchObject({ refusesContracts: true });
    const response = await pay(listed.agent, listed.mandateId, { payTo });
    expect([response.status, codeOf(response)]).toEqual([422, "contract_payer_refused"]);
    const keyed = await openVault({ vault: { agentKey: AGENT_KEY.address } });
    const [{ owner_id: ownerId, agent_id: agentId }] =
      (await sql`select owner_id, agent_id from mandates where id = ${keyed.mandateId}`) as Json;
    await sql`insert into contract_refusals (owner_id, agent_id, network, host, reason, seen_at, is_witnessed)
      values (${ownerId}, ${agentId}, 'base', 'api.example.com', 'signature', now(), false)`;
    expect(codeOf(await pay(keyed.agent, keyed.mandateId))).toBe("contract_payer_refused");
    await sql`update contract_refusals set seen_at = now() - interval '31 days' where owner_id = ${ownerId}`;
    expect(codeOf(await pay(keyed.agent, keyed.mandateId))).toBe("agent_authorization_required");
  });

  test("is not recorded after a refusal for another reason, a payment by another payer, or a payment that the chain shows as made", async () => {
    const { agent, mandateId } = await openVault({}, { amount: "20000" });
    const { body } = (await pay(agent, mandateId)) as { body: Json };
    const reportRefusal = async (id: string, reason?: string) => (await report(agent, id, reason)).body as Json;
    expect((await reportRefusal(body.paymentRecordId, "insufficient_funds")).refusesContracts).toBe(false);
    expect((await report(agent, "pay_unknown")).status).toBe(404);
    expect((await report((await signedMandate()).agent, body.paymentRecordId)).status).toBe(404);
    const wallet = await signedMandate();
    const ordinary = (await pay(wallet.agent, wallet.mandateId)) as { body: Json };
    expect((await report(wallet.agent, ordinary.body.paymentRecordId)).body).toMatchObject({ refusesContracts: false });
    await submitDirectly(world, claimOf(body));
    expect((await reportRefusal(body.paymentRecordId)).refusesContracts).toBe(false);
    expect(codeOf(await pay(agent, mandateId, { payTo: freshAddress() }))).toBe("ok");
  });

  test("gets no proof before the pocket is filled, even if a node claims that it is", async () => {
    const { agent, mandateId, vault } = await openWithRefusal();
    const change = { payTo: freshAddress(), amount: "2000000" };
    lieAbout(world, vault, "FiatTokenV2: authorization is used or canceled");
    try {
      expect(codeOf(await pay(agent, mandateId, change))).toBe("vault_not_ready");
      const refusedTwice = await eventually(async () => {
        const [fill] = await sql`select state, attempts from vault_operations
          where mandate_id = ${mandateId} and kind = 'fill_pocket'`;
        return fill?.state === "waiting" && fill.attempts < 2 ? null : fill;
      }, "the fill is refused");
      expect(refusedTwice).toMatchObject({ state: "waiting", attempts: 2 });
    } finally {
      world.node().heal();
    }
    const proof = await payWhenReady(agent, mandateId, change);
    const { pocket } = await vaultOf(mandateId);
    expect([verify(proof), await world.balanceOf(pocket)]).toEqual([{ isValid: true }, 2_000_000n]);
  });

  test("waits for a pull if the money is still in the owner's wallet", async () => {
    const { agent, mandateId } = await openWithRefusal({}, { funding: "permit" });
    const proof = await payWhenReady(agent, mandateId, { payTo: freshAddress(), amount: "4000000" });
    expect(verify(proof)).toEqual({ isValid: true });
  });
});

describe("the hosted pay_url tool", () => {
  test("remembers a seller that refuses contracts, and pays its next price through the pocket", async () => {
    const shop = await startReceiver();
    const payees: Record<string, string> = { "/report": freshAddress(), "/map": freshAddress() };
    const shown: Json[] = [];
    shop.answer(({ headers, path }, res) => {
      const required = JSON.parse(requiredV1(`http://localhost:${shop.port}${path}`, payees[path] ?? "", "20000"));
      const given = headers["x-payment"];
      if (typeof given !== "string") return void res.writeHead(402).end(JSON.stringify(required));
      const proof = JSON.parse(Buffer.from(given, "base64").toString());
      shown.push(proof);
      const { isValid, invalidReason } = verify({ xPayment: proof });
      if (!isValid) return void res.writeHead(402).end(JSON.stringify({ ...required, error: invalidReason }));
      submitDirectly(world, claimOf({ xPayment: proof })).then(
        () => res.writeHead(200).end("goods"),
        (error: Error) => res.destroy(error),
      );
    });
    const host = `localhost:${shop.port}`;
    const { agent, mandateId, vault } = await openVault({ hostAllowlist: [host] });
    const client = await connectV1(agent.token);
    const buy = async (path: string, idempotencyKey: string) =>
      (await client.call("pay_url", { url: `http://${host}${path}`, maxAmount: "20000", mandateId, idempotencyKey }))
        .value;
    try {
      const first = await buy("/report", "one");
      expect(first).toMatchObject({ outcome: "unknown", nextStep: expect.stringContaining("another key") });
      expect(shown.map(({ payload }) => payload.authorization.from)).toEqual([vault]);
      const [remembered] = await sql`select reason, is_witnessed from contract_refusals where host = ${host}`;
      expect(remembered).toEqual({ reason: "invalid_exact_evm_payload_signature", is_witnessed: true });
      // The refused proof can still be paid, so the seller gets no second one, at whatever address.
      expect((await buy("/report", "two")).error).toMatchObject({ code: "pocket_busy" });
      expect((await buy("/map", "four")).error).toMatchObject({ code: "pocket_busy" });
      await used(mandateId, { xPayment: shown[0] });

      const bought = await eventually(async () => {
        const response = await buy("/map", "three");
        if (response.error) expect(response.error.code).toBe("vault_not_ready");
        return response.error ? null : response;
      }, "the purchase");
      expect(bought).toMatchObject({ outcome: "delivered", answer: { status: 200, body: "goods" } });
      const { pocket } = await vaultOf(mandateId);
      expect(shown.map(({ payload }) => payload.authorization.from)).toEqual([vault, pocket]);
      expect(await world.balanceOf(payees["/map"] as Address)).toBe(20_000n);
      // Delivered once, however often the payment is requested.
      expect(await buy("/map", "three")).toMatchObject({ outcome: "delivered", answer: { body: "goods" } });
      expect([shown.length, await world.balanceOf(pocket), await world.balanceOf(vault)]).toEqual([2, 0n, 9_960_000n]);
    } finally {
      await client.close();
      await shop.close();
    }
  });
});

describe("the money in a pocket", () => {
  test("goes back to the vault when no payment uses it", async () => {
    const { agent, mandateId, vault } = await openWithRefusal();
    const fill = () => pay(agent, mandateId, { payTo: freshAddress(), amount: "3000000" });
    expect(codeOf(await fill())).toBe("vault_not_ready");
    await eventually(async () => ((await vaultOf(mandateId)).pocket_balance === "3000000" ? true : null), "the pocket");
    await sql`update vault_operations set created_at = now() - interval '1 hour' where mandate_id = ${mandateId}`;
    await eventually(async () => {
      await readAgain(mandateId);
      return (await world.balanceOf(vault)) === 9_990_000n ? true : null;
    }, "it is back");
    await eventually(async () => ((await vaultOf(mandateId)).pocket_balance === "0" ? true : null), "the reading");
    expect((await vaultOf(mandateId)).spent).toBe("10000");
  });

  test("goes to the owner with the rest when the mandate is revoked", async () => {
    const { owner, agent, mandateId } = await openWithRefusal();
    await payWhenReady(agent, mandateId, { payTo: freshAddress(), amount: "3000000" });
    await owned(owner, mandateId, "revoke");
    await eventually(async () => {
      await readAgain(mandateId);
      return (await vaultOf(mandateId)).state === "closed" ? true : null;
    }, "closed");
    expect(await world.balanceOf(owner.account.address as Address)).toBe(9_990_000n);
  });
});

test("every invariant of vaults holds after the payments", async () => {
  const { violations } = await import("@/ops/invariants");
  await workers.stop();
  const found = await violations(wiring.system());
  // A test above has rewritten a reservation.
  expect(found.filter(({ invariant }) => /^I(18|2[01])/.test(invariant))).toEqual([]);
  workers = wiring.startWorkers();
});
