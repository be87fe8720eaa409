import { z } from "zod";
import type { AgentActor } from "../actors/agents";
import { type Api, answerOf, codeOf, expectBody } from "../actors/api";
import type { OwnerActor } from "../actors/owners";
import type { Transcript } from "./transcript";

const PRICE = 200_000n;
const REFUND = 50_000n;
const REPORT = '{"report":"Prices rose."}';

const madeLink = z.object({ paymentLink: z.object({ linkId: z.string(), url: z.string() }) });
const bought = z.object({ resource: z.string(), settlementId: z.string() });
const sales = z.object({ payments: z.array(z.object({ id: z.number() })) });
const refundAnswer = z.object({ refundId: z.string(), refundUrl: z.string(), status: z.string() });

export type LinkParties = { buyer: AgentActor; vendor: AgentActor; seller: OwnerActor; mandateId: string };

/** A link is created, paid by an agent, sold out and partly refunded. `held` reads a balance from the chain. */
export async function playLink(
  api: Api,
  say: Transcript,
  { buyer, vendor, seller, mandateId }: LinkParties,
  held: () => Promise<bigint>,
): Promise<void> {
  say.heading("The vendor creates a payment link with a payment limit of one");
  const createdResponse = await vendor.call("POST", "/api/payment-links", {
    amount: PRICE.toString(),
    description: "Weekly report",
    resourceContent: REPORT,
    maxUses: 1,
  });
  const { linkId, url } = expectBody(createdResponse, 200, madeLink, "the link").paymentLink;
  const page = await api.call("Browser", "GET", url, { headers: { accept: "text/html" } });
  say.check("a browser gets the checkout page", [page.status, page.text.includes("Weekly report")], [200, true]);

  say.heading("The research agent pays at the same address and receives the content");
  const { response } = await buyer.tessera.pay(url, {}, { maxAmount: `${PRICE}`, mandateId });
  const paid = expectBody(await answerOf(response), 200, bought, "the purchase");
  say.check("the response to the payment contains the content", paid.resource, REPORT);
  const lateResponse = await api.call("Somebody", "GET", url);
  say.check(
    "the link is sold out for other payers",
    [lateResponse.status, codeOf(lateResponse)],
    [410, "LINK_SOLD_OUT"],
  );

  say.heading("The vendor requests a partial refund; its owner approves it");
  const listed = await vendor.call("GET", `/api/payment-links/${linkId}/payments`);
  const [sale] = expectBody(listed, 200, sales, "payments").payments;
  const requested = await vendor.call("POST", "/api/payment-links/refunds/initiate", {
    paymentId: sale?.id,
    amount: REFUND.toString(),
    reason: "One table was missing",
  });
  const refund = expectBody(requested, 201, refundAnswer, "the refund");
  const balanceBefore = await held();
  const approved = await seller.call("POST", `/api/refunds/${refund.refundId}/approve`);
  const { status } = expectBody(approved, 200, z.object({ refund: refundAnswer }), "the approval").refund;
  say.check("the refund is settled", status, "settled");
  say.check("the payer received it", (await held()) - balanceBefore, REFUND);
}
