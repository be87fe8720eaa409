import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { decodeHeader, encodeHeader } from "@/lib/x402/header";
import { NETWORKS } from "@/lib/x402/networks";
import { call } from "../support/http";
import { freshAddress, type Json, linkedPair, pay } from "../support/mandates";
import { walletOf } from "../support/payouts";
import { startReceiver } from "../support/receiver";
import { claimed, eventually, type VaultTerms, vaultMandate, vaultSignatures } from "../support/vault-mandates";
import { createWorld, type World } from "../support/world";

let world: World;
let sql: postgres.Sql;
let wiring: typeof import("../support/wiring");
let workers: { stop: () => Promise<void> };

beforeAll(async () => {
  world = await createWorld();
  process.env.RATE_LIMITS = `${process.env.RATE_LIMITS},vault_opening_per_owner=2/24h`;
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
const body = (response: { body: unknown }) => response.body as Json;

async function openVault(terms: VaultTerms = {}) {
  const vaultSetup = await vaultMandate(world, terms);
  await eventually(async () => ((await vaultOf(vaultSetup.mandateId)).state === "open" ? true : null), "open");
  return vaultSetup;
}

/** The x402 v2 requirement of another agent's link. */
async function sale() {
  const { owner, agent } = await linkedPair();
  const { paymentLink } = body(
    await call("POST", "/api/payment-links", { bearer: agent.jwt, json: { amount: "30000" } }),
  );
  const path = `/paymentlink/${paymentLink.linkId}`;
  const required = decodeHeader((await call("GET", path)).headers.get("payment-required") ?? "") as Json;
  return { owner, agent, path, required, linkId: paymentLink.linkId };
}

const signV2 = (bearer: string, mandateId: string, paymentRequest: object) =>
  call("POST", "/api/v2/payment/x402-payment", { bearer, json: { mandateId, paymentRequest } });

describe("at the x402 v2 endpoint", () => {
  test("a link is paid from a vault, and a refund of it can be spent again without raising a budget", async () => {
    const { owner, agent, mandateId, vault } = await openVault({ limitAmount: "50000" });
    const { owner: sellersOwner, agent: seller, path, required, linkId } = await sale();
    const signed = await signV2(agent.jwt, mandateId, required);
    expect([signed.status, body(signed).paymentPayload?.payload.authorization.from]).toEqual([200, vault]);
    const paidResponse = await call("GET", path, {
      headers: { "payment-signature": encodeHeader(body(signed).paymentPayload) },
    });
    expect(paidResponse.status).toBe(200);
    expect(await world.balanceOf(vault)).toBe(20_000n);
    await world.mint(await walletOf(sellersOwner), 1_000_000n);
    const bearer = seller.jwt;
    const [{ id: paymentId }] = body(await call("GET", `/api/payment-links/${linkId}/payments`, { bearer })).payments;
    const { refundId } = body(
      await call("POST", "/api/payment-links/refunds/initiate", { bearer, json: { paymentId } }),
    );
    const approved = await call("POST", `/api/refunds/${refundId}/approve`, { session: sellersOwner.session });
    expect(approved.status).toBe(200);
    const view = await eventually(async () => {
      const { mandate } = body(await call("GET", `/api/mandates/agent/${mandateId}`, { bearer: agent.jwt }));
      return mandate.vault.balance === "50000" && mandate.spentAmount === "30000" ? mandate : null;
    }, "the refund");
    const [{ owner_id: ownerId }] = (await sql`select owner_id from mandates where id = ${mandateId}`) as Json;
    const actor = { type: "owner", ownerId, address: owner.account.address };
    const { walletHistory } = await import("@/lib/payments/service");
    const { rows } = await walletHistory({ ...wiring.system(), requestId: "test", actor } as never, { limit: 10 });
    expect(rows.map((row) => (row.kind === "payment" ? row.isFromVault : row.kind))).toEqual([
      "received",
      true,
      "vault_in",
    ]);
    expect(view).toMatchObject({ remainingAmount: "20000", vault: { spent: "0", funded: "50000" } });
    expect(body(await pay(agent, mandateId, { amount: "20001" })).code).toBe("mandate_insufficient_budget");
    expect((await pay(agent, mandateId, { amount: "20000", payTo: freshAddress() })).status).toBe(200);
  });

  test("an offer that the vault cannot pay is refused as at the other endpoint", async () => {
    const { agent, mandateId } = await openVault({ vault: { payees: [freshAddress()] } });
    const { required } = await sale();
    expect(body(await signV2(agent.jwt, mandateId, required)).code).toBe("payee_not_listed");
  });
});

test("a new payee is confirmed with its host before a vault pays it", async () => {
  const { agent, mandateId, vault } = await openVault({ hostAllowlist: ["localhost"], confirmPayees: true });
  const shop = await startReceiver();
  const payTo = freshAddress();
  const accepts = [
    {
      scheme: "exact",
      network: "base",
      maxAmountRequired: "10000",
      resource: shop.url,
      payTo,
      asset: NETWORKS.base.usdc,
      description: "data",
      mimeType: "text/plain",
      maxTimeoutSeconds: 60,
    },
  ];
  shop.answer((_, res) => void res.writeHead(402).end(JSON.stringify({ x402Version: 1, accepts })));
  const paidResponse = await pay(agent, mandateId, { payTo, resource: shop.url });
  expect([paidResponse.status, body(paidResponse).xPayment?.payload.authorization.from]).toEqual([200, vault]);
  const otherResponse = await pay(agent, mandateId, { payTo: freshAddress(), resource: shop.url });
  expect([otherResponse.status, body(otherResponse).approvalUrl]).toEqual([
    202,
    expect.stringContaining("/authorize/payee/"),
  ]);
  await shop.close();
});

test("an owner's new vaults per day are limited, and further ones are refused before anything is stored", async () => {
  const first = await vaultMandate(world);
  const pair = { owner: first.owner, agent: first.agent };
  await vaultMandate(world, {}, {}, pair);
  const { owner, mandateId } = await claimed({}, pair);
  const sign = async () =>
    call("POST", `/api/mandates/${mandateId}/signature`, {
      session: owner.session,
      json: await vaultSignatures(owner, mandateId, { amount: "10000" }),
    });
  await world.mint(owner.account.address, 10_000n);
  const refusal = await sign();
  expect([refusal.status, body(refusal).code, Number(refusal.headers.get("retry-after")) > 80_000]).toEqual([
    429,
    "vault_openings_used",
    true,
  ]);
  expect((await vaultOf(mandateId)).state).toBe("proposed");
  expect((await vaultMandate(world)).mandate.vault.state).toBe("opening");
});
