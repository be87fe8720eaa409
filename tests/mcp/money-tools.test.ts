import { afterAll, beforeAll, expect, test } from "vitest";
import { call } from "../support/http";
import { freshAddress, type Json, signedMandate } from "../support/mandates";
import { connectV2, type McpClient } from "../support/mcp";
import { walletOf } from "../support/payouts";
import { until } from "../support/replica";
import { runService } from "../support/service";
import { claimFrom, paying } from "../support/system";
import { changeToken } from "../support/token";

const service = runService();
const WALLET = 20_000_000n;

let mandate: Awaited<ReturnType<typeof signedMandate>>;
let client: McpClient;

beforeAll(async () => {
  mandate = await signedMandate({ limitAmount: "5000000" });
  await service.world.mint(await walletOf(mandate.owner), WALLET);
  client = await connectV2("auto")(mandate.agent.token);
});
afterAll(() => client?.close());

/** The value of a tool that must succeed. */
async function done(name: string, args: object = {}): Promise<Json> {
  const { isError, value } = await client.call(name, args);
  expect({ name, isError, value }).toMatchObject({ isError: false });
  return value;
}

test("an agent creates an invoice once per idempotency key, lists it, reads it and cancels it", async () => {
  const order = {
    buyer: { name: "Ada Lovelace" },
    dueDate: "2099-12-31",
    idempotencyKey: "invoice-1",
    lines: [{ description: "Consulting", unitAmount: "1500000", quantity: "1.5" }],
  };
  const { invoice } = await done("create_invoice", order);
  expect(invoice).toMatchObject({ state: "open", total: "2250000", paymentUrl: expect.stringContaining("/pay") });
  expect((await done("create_invoice", order)).invoice.invoiceId).toBe(invoice.invoiceId);
  const { invoices } = await done("list_invoices");
  expect(invoices.map(({ invoiceId }: Json) => invoiceId)).toEqual([invoice.invoiceId]);
  expect((await done("get_invoice", { invoiceId: invoice.invoiceId })).invoice.lines).toHaveLength(1);
  await done("cancel_invoice", { invoiceId: invoice.invoiceId });
  expect((await done("get_invoice", { invoiceId: invoice.invoiceId })).invoice.state).toBe("cancelled");
  const wrong = await client.call("create_invoice", { ...order, lines: [], idempotencyKey: "invoice-2" });
  expect(wrong.isError).toBe(true);
  expect((await done("list_invoices")).invoices).toHaveLength(1);
});

test("an agent lists mandates and payouts, and cancels a waiting payout", async () => {
  const { mandates } = await done("list_mandates");
  expect(mandates.find(({ mandateId }: Json) => mandateId === mandate.mandateId)).toMatchObject({ status: "signed" });
  const to = freshAddress();
  await done("request_payout", { to_address: to, amount: "70000", payout_id: "rent-1" });
  expect((await done("list_payouts")).payouts).toMatchObject([
    { payoutId: "rent-1", status: "pending_authorization", toAddress: to, amount: "70000" },
  ]);
  await done("cancel_payout", { payout_id: "rent-1" });
  expect((await done("get_payout_status", { payout_id: "rent-1" })).status).toBe("cancelled");
  expect(await service.world.balanceOf(to)).toBe(0n);
});

test("an agent buys credits under its mandate once per idempotency key, and reads the payment back", async () => {
  const order = { amount: "1000000", idempotencyKey: "credits-1" };
  const bought = await done("top_up_credits", order);
  expect(bought).toMatchObject({ outcome: "delivered", payment: { amount: "1000000", mandateId: mandate.mandateId } });
  const { paymentRecordId } = bought.payment;
  expect((await done("top_up_credits", order)).payment.paymentRecordId).toBe(paymentRecordId);
  expect(((await call("GET", "/api/credits", { session: mandate.owner.session })).body as Json).balance).toBe("100");
  const status = async () => (await done("get_payment", { paymentRecordId })).payment.status;
  await until(async () => (await status()) === "settled", "the payment to settle");
  expect(await service.world.balanceOf(await walletOf(mandate.owner))).toBe(WALLET - 1_000_000n);
  const { payments } = await done("list_payments");
  expect(payments.map((payment: Json) => payment.paymentRecordId)).toEqual([paymentRecordId]);
  const refusal = await client.call("top_up_credits", { amount: "1000001", idempotencyKey: "credits-2" });
  expect([refusal.isError, refusal.value.error.code]).toEqual([true, "invalid_amount"]);
  const otherMcpClient = await connectV2("auto")((await signedMandate()).agent.token);
  expect((await otherMcpClient.call("get_payment", { paymentRecordId })).value.error.code).toBe("payment_not_found");
  await otherMcpClient.close();
});

// Last: it starts the server again.
test("a payer cancels a declined payment that could still be made", async () => {
  await service.restart({ SETTLE_WAIT_SECONDS: "0" });
  await service.workers.stop();
  const { linkId, payTo } = (await done("create_payment_link", { amount: "10000", description: "Report" })).paymentLink;
  const payer = service.payer(5);
  await service.world.mint(payer.address as never, 10_000n);
  const headers = paying(claimFrom(payer, payTo, 10_000n));
  const presented = await call("GET", `/paymentlink/${linkId}`, { headers });
  expect(presented.status).toBe(202);
  const { settlementId } = presented.body as Json;
  await changeToken(service.world, "transfer", [freshAddress(), 10_000n], payer.address as never);
  service.workers.start();
  await until(async () => !(await client.call("get_cancellation", { settlementId })).isError, "the offer to cancel");
  const { typedData } = await done("get_cancellation", { settlementId });
  const forged = await service.payer(6).signTypedData(typedData);
  const refusal = await client.call("submit_cancellation", { settlementId, signature: forged });
  expect(refusal.value.error.code).toBe("cancellation_signature_invalid");
  const signature = await payer.signTypedData(typedData);
  expect(await done("submit_cancellation", { settlementId, signature })).toMatchObject({ status: "pending" });
  const ended = async () => ((await call("GET", `/api/settlements/${settlementId}`)).body as Json).failureCode;
  await until(async () => (await ended()) === "CANCELED", "the chain to show the cancellation");
});
