import { describe, expect, test } from "vitest";
import { toAddress } from "@/lib/core/address";
import { forgetOldAnswers } from "@/lib/http/idempotency";
import { newAgent, newOwner, type TestAgent } from "../support/actors";
import { signedBy } from "../support/confirmations";
import { type Answer, type CallOptions, call } from "../support/http";
import { intentOf, type Json, linkedPair, signedMandate, v3 } from "../support/mandates";
import { shareService } from "../support/service";

const service = shareService();
const body = (response: Answer) => response.body as Json;
const keyed = (key: string, more: CallOptions = {}): CallOptions => ({
  ...more,
  headers: { ...more.headers, "idempotency-key": key },
});
const link = (jwt: string, key: string, json: unknown = { amount: "10000" }) =>
  call("POST", "/api/payment-links", keyed(key, { bearer: jwt, json }));
const linksOf = async (jwt: string): Promise<Json[]> =>
  body(await call("GET", "/api/payment-links", { bearer: jwt })).paymentLinks;

/** What is remembered of an agent's calls. */
const rowsOf = ({ agentId }: TestAgent) => service.opened.sql`scope = ${`agent:${agentId}`}`;
const age = (agent: TestAgent, by: string) =>
  service.opened.sql`update idempotent_requests set created_at = created_at - ${by}::interval where ${rowsOf(agent)}`;

describe("the same Idempotency-Key with the same request", () => {
  test("returns the same response, whatever the order of the body's members", async () => {
    const { agent } = await linkedPair();
    const first = await link(agent.jwt, "one", { amount: "10000", description: "A report" });
    const repeatedResponse = await link(agent.jwt, "one", { description: "A report", amount: "10000" });
    expect([first.status, first.headers.get("idempotency-replayed")]).toEqual([200, null]);
    expect([repeatedResponse.status, repeatedResponse.headers.get("idempotency-replayed")]).toEqual([200, "true"]);
    expect(repeatedResponse.body).toEqual(first.body);
    expect(repeatedResponse.headers.get("content-type")).toBe(first.headers.get("content-type"));
    expect(await linksOf(agent.jwt)).toHaveLength(1);
  });

  test("signs one payment, whose proof is stored encrypted", async () => {
    const { agent, mandateId } = await signedMandate();
    const sign = () =>
      call("POST", "/api/payment/x402V3Payment", keyed("p", { bearer: agent.jwt, json: v3(mandateId) }));
    const [first, repeatedResponse] = [await sign(), await sign()];
    expect(body(repeatedResponse).xPaymentB64).toBe(body(first).xPaymentB64);
    const mandate = body(await call("GET", `/api/mandates/agent/${mandateId}`, { bearer: agent.jwt })).mandate;
    expect(mandate.pendingSpentAmount).toBe("10000");
    const rows = await service.opened.sql`select * from idempotent_requests where key_hash <> ''`;
    expect(JSON.stringify(rows)).not.toContain(body(first).xPaymentB64.slice(0, 40));
  });

  test("moves an owner's money once", async () => {
    const owner = await newOwner();
    const wallet = body(await call("GET", "/api/wallet", { session: owner.session })).wallets[0];
    await service.world.mint(toAddress(wallet.address), 1_000_000n);
    const order = { session: owner.session, json: { amount: "250000" } };
    const signature = await signedBy(owner, await call("POST", "/api/credits/purchases", order));
    const buy = () =>
      call("POST", "/api/credits/purchases", keyed("b", { ...order, json: { ...order.json, signature } }));
    const [first, repeatedResponse] = [await buy(), await buy()];
    expect([first.status, repeatedResponse.status]).toEqual([200, 200]);
    expect(repeatedResponse.body).toEqual(first.body);
    expect(body(await call("GET", "/api/credits", { session: owner.session })).balance).toBe("25");
  });

  test("returns the first rejection again", async () => {
    const { agent, mandateId } = await signedMandate();
    const send = (key: string) =>
      call(
        "POST",
        "/api/payment/x402V3Payment",
        keyed(key, { bearer: agent.jwt, json: v3(mandateId, { amount: "9999999" }) }),
      );
    const [first, repeatedResponse] = [await send("r"), await send("r")];
    expect([first.status, body(first).code]).toEqual([403, "mandate_insufficient_budget"]);
    expect([repeatedResponse.status, repeatedResponse.body]).toEqual([403, first.body]);
  });

  test("runs once for twenty simultaneous requests", async () => {
    const { agent } = await linkedPair();
    const responses = await Promise.all(Array.from({ length: 20 }, () => link(agent.jwt, "twenty")));
    const codes = responses.map((response) => (response.status === 409 ? body(response).code : response.status));
    expect(codes.filter((code) => code === 200).length).toBeGreaterThan(0);
    expect(codes.every((code) => code === 200 || code === "IDEMPOTENCY_IN_PROGRESS")).toBe(true);
    expect(await linksOf(agent.jwt)).toHaveLength(1);
  });

  test("may be sent as X-Idempotency-Key", async () => {
    const { agent } = await linkedPair();
    const options = { bearer: agent.jwt, json: { amount: "10000" }, headers: { "x-idempotency-key": "x" } };
    const first = await call("POST", "/api/payment-links", options);
    expect((await call("POST", "/api/payment-links", options)).body).toEqual(first.body);
    expect((await link(agent.jwt, "x")).body).toEqual(first.body);
  });
});

describe("the same Idempotency-Key", () => {
  test("with another body or at another URL is rejected with 409 and changes nothing", async () => {
    const { agent } = await linkedPair();
    await link(agent.jwt, "k");
    const otherResponse = await link(agent.jwt, "k", { amount: "10001" });
    expect([otherResponse.status, body(otherResponse).code]).toEqual([409, "IDEMPOTENCY_KEY_REUSED"]);
    const json = { intent: intentOf() };
    const elsewhere = await call("POST", "/api/mandates/create-intent", keyed("k", { bearer: agent.jwt, json }));
    expect([elsewhere.status, body(elsewhere).code]).toEqual([409, "idempotency_key_reused"]);
    expect(await linksOf(agent.jwt)).toHaveLength(1);
  });

  test("of another caller counts as a different key", async () => {
    const [one, otherParties] = [await linkedPair(), await linkedPair()];
    const [first, second] = [await link(one.agent.jwt, "same"), await link(otherParties.agent.jwt, "same")];
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(body(second).paymentLink.linkId).not.toBe(body(first).paymentLink.linkId);
  });

  test("can be used again after an invalid request", async () => {
    const { agent } = await linkedPair();
    expect((await link(agent.jwt, "free", { amount: "0" })).status).toBe(400);
    expect((await link(agent.jwt, "free")).status).toBe(200);
  });

  test("can be used again after a day", async () => {
    const { agent } = await linkedPair();
    await link(agent.jwt, "day");
    await link(agent.jwt, "other");
    await age(agent, "25 hours");
    expect((await link(agent.jwt, "day", { amount: "20000" })).status).toBe(200);
    await age(agent, "25 hours");
    expect(await forgetOldAnswers(service.opened.system, 1)).toBe(1);
    expect(await forgetOldAnswers(service.opened.system, 1_000)).toBeGreaterThan(0);
    expect(await forgetOldAnswers(service.opened.system, 1_000)).toBe(0);
  });

  test("does not run the request again if the first response was lost", async () => {
    const { agent } = await linkedPair();
    await link(agent.jwt, "lost");
    await service.opened.sql`
      update idempotent_requests set status = null, sealed_body = null, headers = null where ${rowsOf(agent)}`;
    const soon = await link(agent.jwt, "lost");
    expect([soon.status, body(soon).code]).toEqual([409, "IDEMPOTENCY_IN_PROGRESS"]);
    await age(agent, "2 minutes");
    const lateResponse = await link(agent.jwt, "lost");
    expect([lateResponse.status, body(lateResponse).code]).toEqual([409, "IDEMPOTENCY_UNKNOWN"]);
    expect(await linksOf(agent.jwt)).toHaveLength(1);
  });
});

describe("an Idempotency-Key", () => {
  test.each(["", " ", "a".repeat(256), "two words", "\u00e9"])("%j is rejected", async (key) => {
    const agent = await newAgent();
    const json = { intent: intentOf() };
    const headers = { "idempotency-key": key };
    const response = await call("POST", "/api/mandates/create-intent", { bearer: agent.jwt, json, headers });
    expect([response.status, body(response).code]).toEqual([400, "invalid_request"]);
  });

  test("that differs from X-Idempotency-Key is rejected", async () => {
    const agent = await newAgent();
    const headers = { "idempotency-key": "a", "x-idempotency-key": "b" };
    const json = { intent: intentOf() };
    const response = await call("POST", "/api/mandates/create-intent", { bearer: agent.jwt, json, headers });
    expect(response.status).toBe(400);
  });

  test("is ignored in a request without a caller: each registration creates a new agent", async () => {
    const response = await call("POST", "/register", keyed("r", { json: { agent_name: "A", client_info: "t" } }));
    const repeatedResponse = await call(
      "POST",
      "/register",
      keyed("r", { json: { agent_name: "A", client_info: "t" } }),
    );
    expect(body(repeatedResponse).agent_id).not.toBe(body(response).agent_id);
  });
});
