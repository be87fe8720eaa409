import { expect, test } from "vitest";
import { DEFAULT_LIMITS } from "@/lib/core/limits";
import { call } from "../support/http";
import { linkedPair } from "../support/mandates";
import { runService } from "../support/service";
import { claimFrom, paying } from "../support/system";
import { outcome } from "../support/vault-service";

const service = runService();

/** Tests run with higher limits; this one with the default. */
const { requests: PER_PAYMENT, seconds } = DEFAULT_LIMITS.refund_per_payment;

test("the refunds of one payment are limited per day, for its agent and its owner together", async () => {
  await service.restart({ RATE_LIMITS: `${process.env.RATE_LIMITS},refund_per_payment=${PER_PAYMENT}/${seconds}s` });
  const { owner, agent } = await linkedPair();
  const { jwt: bearer } = agent;
  const created = await call("POST", "/api/payment-links", { bearer, json: { amount: "250000" } });
  const { linkId, payTo } = (created.body as { paymentLink: { linkId: string; payTo: string } }).paymentLink;
  const claim = claimFrom(service.payer(), payTo as never, 250_000n);
  const paidResponse = await call("GET", `/paymentlink/${linkId}`, { headers: paying(claim) });
  expect(paidResponse.status).toBe(200);
  const list = await call("GET", `/api/payment-links/${linkId}/payments`, { bearer });
  const paymentId = (list.body as { payments: { id: number }[] }).payments[0]?.id;
  const json = { paymentId, amount: "1" };
  const initiate = () => call("POST", "/api/payment-links/refunds/initiate", { bearer, json });
  // A stranger uses up nothing.
  const stranger = await linkedPair();
  const theirs = await call("POST", "/api/payment-links/refunds/initiate", { bearer: stranger.agent.jwt, json });
  expect(theirs.status).toBe(404);
  for (let round = 0; round < PER_PAYMENT; round++) expect((await initiate()).status).toBe(201);
  const refusal = await initiate();
  expect(outcome(refusal)).toEqual([429, "RATE_LIMITED"]);
  expect(Number(refusal.headers.get("retry-after"))).toBeGreaterThan(3_600);
  const byOwner = await call("POST", "/api/refunds", { session: owner.session, json });
  expect(outcome(byOwner)).toEqual([429, "rate_limited"]);
  const stored = await service.opened.sql`select count(*)::int as count from refunds`;
  expect(stored[0]?.count).toBe(PER_PAYMENT);
});
