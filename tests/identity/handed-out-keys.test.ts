import { expect, test } from "vitest";
import { call } from "../support/http";
import { linkedPair } from "../support/mandates";
import { body, requestedPayout } from "../support/payouts";
import { shareService } from "../support/service";
import { claimFrom, openSystem, paying } from "../support/system";

const service = shareService();

test("after NEXTAUTH_SECRET changes, buyers' content URLs and payouts' approval URLs still work", async () => {
  const { agent } = await linkedPair();
  const upl = `/unifypaymentlink/agentid/${agent.agentId}?amount=10000&asset=usdc`;
  const { payTo } = body(await call("GET", upl)).accepts[0];
  const json = { amount: "10000", resourceContent: "the report" };
  const { linkId } = body(await call("POST", "/api/payment-links", { bearer: agent.jwt, json })).paymentLink;
  const sale = await call("GET", `/paymentlink/${linkId}`, {
    headers: paying(claimFrom(service.payer(), payTo, 10_000n)),
  });
  expect(sale.status).toBe(200);
  const { contentUrl, settlementId } = body(sale);
  const key = new URL(contentUrl).searchParams.get("key") ?? "";
  const { id, token } = await requestedPayout(agent);

  const [links, settlements, payouts] = await Promise.all([
    import("@/lib/links/checkout/service"),
    import("@/lib/settlements/service"),
    import("@/lib/payouts/owner/service"),
  ]);
  const rotated = openSystem({}, { NEXTAUTH_SECRET: "another secret, put in its place" });
  try {
    const { system } = rotated;
    const settlement = await settlements.get(system, settlementId);
    expect(await links.unlockContent(system, settlement, key)).toMatchObject({ content: "the report" });
    expect(await links.unlockContent(system, settlement, `${key.slice(0, -1)}_`)).toBeNull();
    const anonymous = { ...system, requestId: "test", actor: { type: "anonymous" as const } };
    expect(await payouts.forDeciding(anonymous, id as never, token)).toMatchObject({ nextStep: "sign_in" });
  } finally {
    await rotated.close();
  }
});
