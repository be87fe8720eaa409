import { expect } from "vitest";
import { toAddress } from "@/lib/core/address";
import { newOwner, type TestOwner } from "./actors";
import { confirmedCall } from "./confirmations";
import { newKey, requestV1, settle } from "./facilitator";
import { BASE_URL, call } from "./http";
import { freshAddress, linkedPair, owned, pay, signatureOver, signedMandate, v3 } from "./mandates";
import { body, createPayout, ended, endedOwned, funded, payout, requestedPayout, requestPayout } from "./payouts";
import { startReceiver } from "./receiver";
import { until } from "./replica";
import { INVOICE } from "./requests";
import type { Service } from "./service";
import { claimFrom, paying } from "./system";
import { eventually, vaultMandate } from "./vault-mandates";

const SCAN = "/api/transaction-firewall/sentinel/api/prompt-scan";
const AMOUNT = 250_000n;

/** Creates one of each thing that the invariants check, through the public API, and then stops the jobs. */
export async function createEverything(service: Service): Promise<void> {
  await service.world.mint(toAddress(service.payer(1).address), AMOUNT);
  const buyer = await signedMandate({ limitAmount: "5000000" });
  await funded(service.world, buyer.owner, 5_000_000n);
  await payInCreditsAndUsdc(service, buyer);
  await payOut(buyer);
  await sellAndRefund(service);
  await sendInvoice();
  await settleForSeller(service);
  await payOnApproval(service);
  await payFromVault(service);
  await moveMandate();
  await hear(service, buyer.owner);
  await service.workers.stop();
}

type Buyer = Awaited<ReturnType<typeof signedMandate>>;

async function payInCreditsAndUsdc(service: Service, { agent, mandateId }: Buyer): Promise<void> {
  const topUp = { json: { amount: "1000000", agentId: agent.agentId } };
  const {
    maxAmountRequired: amount,
    payTo,
    resource,
  } = body(await call("POST", "/api/credits/top-up", topUp)).accepts[0];
  const bought = body(await pay(agent, mandateId, { amount, payTo, resource }));
  await done(call("POST", "/api/credits/top-up", { ...topUp, headers: { "x-payment": bought.xPaymentB64 } }));

  const json = { text: "What is the weather in Bern?" };
  const price = body(await call("POST", SCAN, { json })).accepts[0];
  await done(
    call("POST", SCAN, {
      json,
      headers: paying(claimFrom(service.payer(), price.payTo, BigInt(price.maxAmountRequired))),
    }),
  );
  const credits = { network: "service-credits", assetAddress: "service-credit", amount: "50", payTo: "sentinel" };
  const spent = body(await pay(agent, mandateId, { ...credits, resource: `${BASE_URL}${SCAN}` }));
  await done(call("POST", SCAN, { json, headers: { "x-payment": spent.xPaymentB64 } }));
  // Stays signed and is never presented.
  expect((await pay(agent, mandateId)).status).toBe(200);
}

async function payOut(buyer: Buyer): Promise<void> {
  const { mandateId } = await signedMandate({}, buyer);
  const recipients = [freshAddress(), freshAddress()].map((toAddress) => ({ toAddress, amount: "10000" }));
  await requestPayout(buyer.agent, { payoutId: "shared", recipients, mandateId });
  await ended(buyer.agent, "shared");
  const own = body(await createPayout(buyer.owner, payout({ payoutId: "own", approve: true }))).payout;
  await endedOwned(buyer.owner, own.payoutRecordId);
  await requestedPayout(buyer.agent, { payoutId: "waiting" });
}

async function sellAndRefund(service: Service): Promise<void> {
  const { owner, agent } = await linkedPair();
  const { jwt: bearer } = agent;
  const upl = `/unifypaymentlink/agentid/${agent.agentId}?amount=${AMOUNT}&asset=usdc`;
  const { payTo } = body(await call("GET", upl)).accepts[0];
  await done(call("GET", upl, { headers: paying(claimFrom(service.payer(1), payTo, AMOUNT)) }));
  const json = { amount: AMOUNT.toString(), maxUses: 1 };
  const { linkId } = body(await call("POST", "/api/payment-links", { bearer, json })).paymentLink;
  await done(call("GET", `/paymentlink/${linkId}`, { headers: paying(claimFrom(service.payer(), payTo, AMOUNT)) }));
  const [{ id: paymentId }] = body(await call("GET", `/api/payment-links/${linkId}/payments`, { bearer })).payments;
  const { refundId } = body(await call("POST", "/api/payment-links/refunds/initiate", { bearer, json: { paymentId } }));
  await done(call("POST", `/api/refunds/${refundId}/approve`, { session: owner.session }));
  const statusOf = async () => body(await call("GET", `/api/payment-links/refunds/${refundId}`, { bearer })).status;
  await until(async () => (await statusOf()) === "settled", "the refund to settle");
}

async function sendInvoice(): Promise<void> {
  const { agent } = await linkedPair();
  await done(call("POST", "/api/invoices", { bearer: agent.jwt, json: INVOICE }));
}

async function settleForSeller(service: Service): Promise<void> {
  const key = await newKey((await newOwner()).session);
  const json = requestV1(claimFrom(service.payer(), freshAddress(), AMOUNT));
  expect((await settle(key, json)).body).toMatchObject({ success: true });
}

async function payOnApproval(service: Service): Promise<void> {
  const { owner, agent } = await linkedPair();
  await funded(service.world, owner);
  const upl = `/unifypaymentlink/agentid/${(await linkedPair()).agent.agentId}?amount=10000&asset=usdc`;
  const { payTo } = body(await call("GET", upl)).accepts[0];
  const { mandateId: _, ...json } = v3("", { payTo, resource: `${BASE_URL}${upl}` });
  const request = (more: object) =>
    call("POST", "/api/payment/x402V1Payment", { bearer: agent.jwt, json: { ...json, ...more } });
  const { approvalId } = body(await request({}));
  await done(confirmedCall(owner, `/api/approvals/${approvalId}/approve`, {}));
  const { xPaymentB64 } = body(await request({ approvalId }));
  await done(call("GET", upl, { headers: { "x-payment": xPaymentB64 } }));
}

async function payFromVault({ world, opened }: Service): Promise<void> {
  const payee = freshAddress();
  const { agent, mandateId } = await vaultMandate(world, { maxAmountPerPayment: "10000", vault: { payees: [payee] } });
  const isOpen = async () => (await opened.sql`select 1 from vaults where state = 'open'`).length > 0;
  await eventually(async () => (await isOpen()) || null, "the vault to open");
  const paidResponse = await eventually(async () => {
    const response = await pay(agent, mandateId, { amount: "10000", payTo: payee });
    // The documentation says to send the same request again.
    return body(response).code === "vault_not_ready" ? null : response;
  }, "the vault to pay");
  expect(paidResponse).toMatchObject({ status: 200 });
}

async function moveMandate(): Promise<void> {
  const { owner, agent, mandateId } = await signedMandate({ maxAmountPerDay: "500000", maxAmountPerMonth: "600000" });
  for (const _ of [1, 2]) expect((await pay(agent, mandateId)).status).toBe(200);
  const move = `/api/mandates/${mandateId}/move-to-vault`;
  const { mandate: next } = body(await call("POST", move, { session: owner.session }));
  await owned(owner, next.mandateId, "signature", { signature: await signatureOver(next.mandateId, owner) });
}

async function hear(service: Service, owner: TestOwner): Promise<void> {
  const receiver = await startReceiver();
  receiver.answer(({ body }, res) => void res.end(JSON.parse(body).data.challenge));
  const added = await confirmedCall(owner, "/api/webhooks", { url: receiver.url });
  await call("POST", `/api/webhooks/${body(added).webhook.webhookId}/verify`, { session: owner.session });
  const delivered = () => service.opened.sql`select id from webhook_deliveries where state = 'delivered'`;
  await until(async () => (await delivered()).length > 0, "the webhook's delivery");
  await receiver.close();
}

async function done(answered: ReturnType<typeof call>): Promise<void> {
  const { status, body } = await answered;
  expect({ status, body }).toMatchObject({ status: 200 });
}
