import { PaymentError } from "@tessera/client";
import { z } from "zod";
import type { AgentActor } from "../actors/agents";
import { expectBody } from "../actors/api";
import type { OwnerActor } from "../actors/owners";
import { startApi } from "./calls";
import type { Transcript } from "./transcript";

const PRICE = 10_000n;
const CALLS = 3;
const PASS_PRICE = 24_000n;

const madeLink = z.object({
  paymentLink: z.object({ linkId: z.string(), upstream: z.object({ paidUrl: z.string() }) }),
});
type SoldPass = z.output<typeof soldPass>;
const soldPass = z.object({
  paymentId: z.number(),
  status: z.string(),
  callsLeft: z.number(),
  unusedAmount: z.string(),
});
const soldPasses = z.object({ passes: z.array(soldPass) });
const requested = z.object({ refundId: z.string() });
const approved = z.object({ refund: z.object({ status: z.string() }) });

export type PassParties = { buyer: AgentActor; vendor: AgentActor; seller: OwnerActor; mandateId: string };

/** An agent buys calls as one payment, uses them up, buys again, and is paid back what is unused. `held` reads its balance from the chain. */
export async function playPasses(
  say: Transcript,
  { buyer, vendor, seller, mandateId }: PassParties,
  held: () => Promise<bigint>,
): Promise<void> {
  say.heading(`The vendor offers a pass for ${CALLS} calls beside the price of one`);
  const small = await startApi();
  try {
    const created = await vendor.call("POST", "/api/payment-links", {
      amount: PRICE.toString(),
      title: "Quotes by the pass",
      upstream: { url: small.url, pass: { calls: CALLS, amount: PASS_PRICE.toString(), isRefundable: true } },
    });
    const { linkId, upstream } = expectBody(created, 200, madeLink, "the link").paymentLink;
    /** What one call paid, for a pass or for itself, and how many calls the pass then has; null without. */
    const call = async ({ passMax = PASS_PRICE, callMax = PRICE } = {}) => {
      const order = { preferPass: `${passMax}`, maxAmount: `${callMax}`, mandateId };
      const { response, receipt } = await buyer.tessera.pay(`${upstream.paidUrl}/quotes/ETH`, {}, order);
      if (!response.ok) throw new Error(`the call answered ${response.status}: ${await response.text()}`);
      return [receipt?.amount ?? null, response.headers.get("tessera-pass-calls-left")];
    };
    const readRest = async () => BigInt((await buyer.tessera.mandates.get(mandateId)).remainingAmount);
    const listPasses = async () =>
      expectBody(await vendor.call("GET", `/api/payment-links/${linkId}/passes`), 200, soldPasses, "the passes").passes;

    say.heading("The research agent prefers the pass: its first call buys it, the next one pays nothing");
    const [balanceBefore, restBefore] = [await held(), await readRest()];
    say.check("the first call paid the pass", await call(), [`${PASS_PRICE}`, "2"]);
    say.check("the second call paid nothing", await call(), [null, "1"]);
    say.check("the API answered both", small.asked.length, 2);
    say.check("the price of the pass moved once", balanceBefore - (await held()), PASS_PRICE);
    say.check("the mandate's rest is lower by it", restBefore - (await readRest()), PASS_PRICE);

    say.heading("The API fails once. The call comes back to the pass, and the agent sends it again");
    small.state.failures = 1;
    say.check("the answer took the last call of the pass", await call(), [null, "0"]);
    say.check("the API was asked twice for it", small.asked.length, 4);
    say.check("nothing moved", balanceBefore - (await held()), PASS_PRICE);

    say.heading("The pass is used up. The agent decides whether it pays the next call, alone or by another pass");
    const refused = await call({ passMax: 0n, callMax: PRICE - 1n }).catch((error: unknown) => error);
    say.check("below the price nothing is paid", PaymentError.is(refused) && refused.outcome, "not_paid");
    say.check("without a pass the call is paid alone", await call({ passMax: 0n }), [`${PRICE}`, null]);
    say.check("with one it buys the next pass", await call(), [`${PASS_PRICE}`, "2"]);
    say.check("both moved, and nothing else", balanceBefore - (await held()), 2n * PASS_PRICE + PRICE);

    say.heading("The vendor pays back what is unused, and its owner approves it");
    const [second, first] = await listPasses();
    say.check(
      "the vendor sees both passes",
      [second?.callsLeft, second?.unusedAmount, first?.status, first?.unusedAmount],
      [2, `${(PASS_PRICE * 2n) / 3n}`, "used_up", "0"],
    );
    const balanceBetween = await held();
    say.check("the refund is settled", await payBack({ vendor, seller }, second), "settled");
    say.check("the payer received it", (await held()) - balanceBetween, (PASS_PRICE * 2n) / 3n);
    say.check("the pass has ended", (await listPasses())[0]?.status, "refunded");
    say.check("the agent pays its next call alone", await call(), [`${PRICE}`, null]);
  } finally {
    small.close();
  }
}

/** The status of a refund of what is unused, once the vendor's owner has approved it. */
async function payBack(
  { vendor, seller }: Pick<PassParties, "vendor" | "seller">,
  pass: SoldPass | undefined,
): Promise<string> {
  const initiated = await vendor.call("POST", "/api/payment-links/refunds/initiate", {
    paymentId: pass?.paymentId,
    amount: pass?.unusedAmount,
    reason: "No longer needed",
  });
  const { refundId } = expectBody(initiated, 201, requested, "the refund");
  const approval = await seller.call("POST", `/api/refunds/${refundId}/approve`);
  return expectBody(approval, 200, approved, "the approval").refund.status;
}
