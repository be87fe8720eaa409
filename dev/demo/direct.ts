import { z } from "zod";
import { type AgentActor, expectPaid, fetchRequirement, present, signingBody } from "../actors/agents";
import { type Api, codeOf, expectBody } from "../actors/api";
import type { OwnerActor } from "../actors/owners";
import type { Transcript } from "./transcript";

const PRICE = 300_000n;

const required = z.object({
  status: z.literal("approval_required"),
  approvalId: z.string(),
  approvalUrl: z.url(),
});
const signed = z.object({ xPaymentB64: z.string(), paymentRecordId: z.string() });
const decided = z.object({ approval: z.object({ status: z.string() }) });

export type DirectParties = { buyer: AgentActor; vendor: AgentActor; owner: OwnerActor };

/** An agent pays without a mandate: its owner approves this single payment. `held` reads a balance from the chain. */
export async function playDirect(
  api: Api,
  say: Transcript,
  { buyer, vendor, owner }: DirectParties,
  held: () => Promise<bigint>,
): Promise<{ paymentRecordId: string; amount: bigint }> {
  const sign = (json: object) => buyer.call("POST", "/api/payment/x402V1Payment", json);

  say.heading("Without a mandate for a purchase, the research agent requests approval of this one payment");
  const body = signingBody(await fetchRequirement(api, buyer.name, vendor.tessera.receiveUrl(`${PRICE}`)));
  const requested = await sign(body);
  const { approvalId, approvalUrl } = expectBody(requested, 202, required, "the approval");
  const page = await api.call("Browser", "GET", approvalUrl, { headers: { accept: "text/html" } });
  say.check("the owner gets a page with the price", [page.status, page.text.includes("0.30")], [200, true]);
  const earlyResponse = await sign({ ...body, approvalId });
  say.check(
    "nothing is signed before the owner decides",
    [earlyResponse.status, codeOf(earlyResponse)],
    [202, "approval_required"],
  );

  say.heading("The owner approves; the agent sends the same request again and pays");
  const approved = await owner.confirm(`/api/approvals/${approvalId}/approve`);
  say.check("the payment is approved", expectBody(approved, 200, decided, "the approval").approval.status, "approved");
  const otherResponse = await sign({ ...body, amount: `${PRICE + 1n}`, approvalId });
  say.check(
    "the approval is not valid for another payment",
    [otherResponse.status, codeOf(otherResponse)],
    [409, "approval_mismatch"],
  );
  const { xPaymentB64, paymentRecordId } = expectBody(
    await sign({ ...body, approvalId }),
    200,
    signed,
    "x402V1Payment",
  );
  const balanceBefore = await held();
  expectPaid(await present(api, buyer.name, body.resource, xPaymentB64));
  say.check("the price was paid", balanceBefore - (await held()), PRICE);
  const repeatedResponse = await sign({ ...body, approvalId });
  say.check(
    "the approval can be used only once",
    [repeatedResponse.status, codeOf(repeatedResponse)],
    [409, "approval_used"],
  );
  return { paymentRecordId, amount: PRICE };
}
