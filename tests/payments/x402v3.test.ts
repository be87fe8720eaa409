import { parseSignature } from "viem";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newId } from "@/lib/core/ids";
import { readAuthorization } from "@/lib/x402/authorization";
import { NETWORKS } from "@/lib/x402/networks";
import { decodeProof, mismatch } from "@/lib/x402/proof";
import { recoverPayer } from "@/lib/x402/signature";
import { TOKEN_ABI } from "@/lib/x402/token";
import { newAgent } from "../support/actors";
import { BASE_URL, call } from "../support/http";
import {
  booksOf,
  freshAddress,
  type Json,
  linkedPair,
  owned,
  type Parties,
  pay,
  proposed,
  RESOURCE,
  signedMandate,
  v3,
} from "../support/mandates";
import { shareService } from "../support/service";

const service = shareService();
let pair: Parties;
let mandateId: string;
let wallet: string;

beforeAll(async () => {
  pair = await linkedPair();
  ({ mandateId } = await signedMandate({}, pair));
  const [row] = await service.opened
    .sql`select w.address from wallets w join mandates m on m.wallet_id = w.id where m.id = ${mandateId}`;
  wallet = row?.address;
});

const outcome = ({ status, body }: { status: number; body: unknown }) => [status, (body as Json).code ?? "ok"];
const mandateOf = async (id: string): Promise<Json> =>
  ((await call("GET", `/api/mandates/agent/${id}`, { bearer: pair.agent.jwt })).body as Json).mandate;
const books = () => booksOf(service.opened.sql, mandateId);

describe("a signed payment", () => {
  test("has a proof of exactly the request, back-dated, valid for the default minute", async () => {
    const payTo = freshAddress();
    const floorBefore = Math.floor(Date.now() / 1000);
    const { status, body } = await pay(pair.agent, mandateId, { payTo, amount: "12345" });
    const { xPayment, xPaymentB64, paymentRecordId, expiresAt, ...rest } = body as Json;
    expect({ status, rest }).toEqual({ status: 200, rest: { status: "ok" } });
    expect(xPayment).toEqual({
      x402Version: 1,
      scheme: "exact",
      network: "base",
      payload: {
        signature: expect.stringMatching(/^0x[0-9a-f]{130}$/),
        authorization: {
          from: wallet,
          to: payTo,
          value: "12345",
          validAfter: expect.stringMatching(/^\d+$/),
          validBefore: String(expiresAt),
          nonce: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        },
      },
    });
    expect(JSON.parse(Buffer.from(xPaymentB64, "base64").toString())).toEqual(xPayment);
    expect(expiresAt - 60).toBeGreaterThanOrEqual(floorBefore);
    expect(expiresAt - 60).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000));
    expect(expiresAt - Number(xPayment.payload.authorization.validAfter)).toBe(660);
    expect(paymentRecordId).toMatch(/^pay_[0-9A-Za-z]{24}$/);
    const authorization = readAuthorization(xPayment.payload.authorization);
    expect(recoverPayer("base", authorization, xPayment.payload.signature)).toBe(wallet);
  });

  test("is accepted by the service's verifier and by stock verifiers for its requirement", async () => {
    const payTo = freshAddress();
    const { body } = await pay(pair.agent, mandateId, { payTo });
    const proof = decodeProof((body as Json).xPaymentB64);
    const requirement = {
      network: "base" as const,
      amount: 10_000n as never,
      payTo,
      resource: RESOURCE,
      description: "",
    };
    expect(proof && mismatch(proof, requirement, new Date())).toBeNull();
  });

  test("moves the money on chain", async () => {
    const payTo = freshAddress();
    await service.world.mint(wallet as never, 10_000n);
    const { body } = await pay(pair.agent, mandateId, { payTo });
    const { authorization: a, signature } = (body as Json).xPayment.payload;
    const { r, s, v } = parseSignature(signature);
    const hash = await service.world.client().writeContract({
      account: service.payer().address,
      chain: null,
      address: NETWORKS.base.usdc,
      abi: TOKEN_ABI,
      functionName: "transferWithAuthorization",
      args: [a.from, a.to, BigInt(a.value), BigInt(a.validAfter), BigInt(a.validBefore), a.nonce, Number(v), r, s],
    });
    await service.world.client().waitForTransactionReceipt({ hash });
    expect(await service.world.balanceOf(payTo)).toBe(10_000n);
  });

  test("reserves its amount in the mandate and is recorded", async () => {
    const fresh = await signedMandate({ limitAmount: "30000" }, pair);
    const payTo = freshAddress();
    const description = "Weather\r\nfor Bern ☀️";
    const { body } = await pay(pair.agent, fresh.mandateId, { payTo, description, validityWindowSeconds: 120 });
    const { paymentRecordId, xPayment } = body as Json;
    expect(await mandateOf(fresh.mandateId)).toMatchObject({
      status: "signed",
      spentAmount: "0",
      pendingSpentAmount: "10000",
      remainingAmount: "20000",
    });
    const record = await call("GET", `/api/payments/${paymentRecordId}`, { bearer: pair.agent.jwt });
    const payment = {
      paymentRecordId,
      mandateId: fresh.mandateId,
      status: "signed",
      amount: "10000",
      amountFormatted: "0.01",
      currency: "USDC",
      network: "base",
      assetAddress: NETWORKS.base.usdc,
      from: wallet,
      payTo,
      host: "api.example.com",
      resource: RESOURCE,
      description,
      nonce: xPayment.payload.authorization.nonce,
      validBefore: Number(xPayment.payload.authorization.validBefore),
      txHash: null,
      createdAt: expect.any(String),
      settledAt: null,
    };
    expect(record.body).toEqual({ ...payment, status: "ok", payment });
  });

  test.each([
    ["shortened", "d".repeat(2001), "d".repeat(2000)],
    ["without control characters", "a\u0000b\u001b[31m", "a b [31m"],
    ["well-formed", "\ud800", "\ufffd"],
  ])("with a seller's description that is %s is not refused", async (_, description, stored) => {
    const { status, body } = await pay(pair.agent, mandateId, { amount: "1", description });
    expect(status).toBe(200);
    const record = await call("GET", `/api/payments/${(body as Json).paymentRecordId}`, { bearer: pair.agent.jwt });
    expect(record.body).toMatchObject({ description: stored });
  });

  test("of the whole remaining budget leaves the mandate exhausted", async () => {
    const fresh = await signedMandate({ limitAmount: "10000" }, pair);
    expect(outcome(await pay(pair.agent, fresh.mandateId))).toEqual([200, "ok"]);
    expect(await mandateOf(fresh.mandateId)).toMatchObject({ status: "exhausted", remainingAmount: "0" });
  });

  test("never repeats a nonce", async () => {
    const responses = await Promise.all(Array.from({ length: 10 }, () => pay(pair.agent, mandateId, { amount: "1" })));
    const nonces = responses.map(({ body }) => (body as Json).xPayment.payload.authorization.nonce);
    expect(new Set(nonces).size).toBe(10);
  });

  test("on the test network comes from the owner's wallet there", async () => {
    const sepolia = await signedMandate({ network: "base-sepolia" }, pair);
    const { status, body } = await pay(pair.agent, sepolia.mandateId, { network: "eip155:84532", tokenName: "USDC" });
    expect(status).toBe(200);
    const { xPayment } = body as Json;
    // A server that writes CAIP-2 ids into x402 v1 compares the proof with its own requirement.
    expect(xPayment.network).toBe("eip155:84532");
    const authorization = readAuthorization(xPayment.payload.authorization);
    expect(recoverPayer("base-sepolia", authorization, xPayment.payload.signature)).toBe(authorization.from);
    expect(authorization.from).not.toBe(wallet);
  });

  test.each([
    [
      "every field as live clients send it",
      {
        scheme: "exact",
        network: "base",
        currency: "USDC",
        assetAddress: NETWORKS.base.usdc,
        host: "api.example.com",
        description: "",
        tokenName: "USD Coin",
        tokenVersion: "2",
        validityWindowSeconds: 60,
      },
      60,
    ],
    ["the network as CAIP-2", { network: "eip155:8453" }, 60],
    ["a lower-case asset", { assetAddress: NETWORKS.base.usdc.toLowerCase() }, 60],
    ["a mis-checksummed payee", { payTo: "0x70997970c51812dc3a010c7d01b50E0d17dc79C8" }, 60],
    ["a window of zero", { validityWindowSeconds: 0 }, 60],
    ["a window of a day", { validityWindowSeconds: 86_400 }, 3_600],
    ["a resource with port, and its host", { resource: "http://localhost:3000/x", host: "localhost:3000" }, 60],
    ["a host with its default port", { host: "api.example.com:443" }, 60],
    ["an unknown member", { approvalId: "apr_1", surprise: [] }, 60],
  ])("is returned for %s", async (_name, change, seconds) => {
    const now = Math.floor(Date.now() / 1000);
    const { status, body } = await pay(pair.agent, mandateId, { ...change, amount: "1" });
    expect(status).toBe(200);
    expect((body as Json).expiresAt - seconds).toBeGreaterThanOrEqual(now);
    expect((body as Json).expiresAt - seconds).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000));
  });
});

describe("a payment is rejected and reserves nothing for", () => {
  let stateBefore: unknown;
  beforeEach(async () => {
    stateBefore = await books();
  });

  const bad = (field: string, values: unknown[], status = 400, code = "invalid_request") =>
    values.map((value): [string, object, number, string] => [
      `${field} ${JSON.stringify(value)?.slice(0, 40)}`,
      { [field]: value },
      status,
      code,
    ]);
  const ADDRESS = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

  test.each([
    ...bad("mandateId", [undefined, null, "", 5, "mand_\u0000", "a b", "m".repeat(200)]),
    ...bad("mandateId", ["mand_000000000000000000000000", "other"], 404, "mandate_not_found"),
    ...bad("amount", [
      undefined,
      null,
      5,
      "",
      "0",
      "-1",
      "+1",
      "01",
      "1e6",
      "1.0",
      "0x1",
      " 1",
      "１",
      (2n ** 256n).toString(),
      "9".repeat(400),
    ]),
    ...bad("amount", ["1000001", (2n ** 256n - 1n).toString()], 403, "mandate_insufficient_budget"),
    ...bad("payTo", [undefined, null, 5, "", "0x", ADDRESS.slice(0, 41), `${ADDRESS}0`, "vitalik.eth"]),
    ...bad("payTo", [`0x${"0".repeat(40)}`, NETWORKS.base.usdc, NETWORKS.base.usdc.toLowerCase()]),
    ...bad("resource", [undefined, null, 5]),
    ...bad(
      "resource",
      [
        "",
        "/pay/x",
        "api.example.com/x",
        "ftp://a.example/",
        "javascript:alert(1)",
        "https://",
        "https://u:p@a.example/",
        "https://a.example\\@b.example/",
        "https://a.exa\nmple/",
        "https://a.example/\u0000",
        "https://a.example/\ud800",
        `https://a.example/${"a".repeat(5000)}`,
      ],
      400,
      "invalid_resource",
    ),
    ...bad("host", [5, null]),
    ...bad(
      "host",
      ["", "b.example", "api.example.com:8443", "https://api.example.com", "api.example.com.evil.example", RESOURCE],
      400,
      "host_mismatch",
    ),
    ...bad("scheme", [5, null]),
    ...bad("scheme", ["", "upto", "EXACT"], 400, "unsupported_scheme"),
    ...bad("network", [5, null]),
    ...bad("network", ["", "polygon", "eip155:1", "base-sepolia"], 422, "unsupported_network"),
    ...bad("currency", [5, null]),
    ...bad("currency", ["", "usdc", "EUR"], 422, "currency_mismatch"),
    ...bad("assetAddress", [5, null]),
    ...bad(
      "assetAddress",
      ["", "usdc", ADDRESS, NETWORKS["base-sepolia"].usdc, "0x833589fCD6Edb6E08"],
      422,
      "unsupported_asset",
    ),
    ...bad("tokenName", [5, null]),
    ...bad("tokenName", ["", "USDC", "usd coin"], 400, "token_mismatch"),
    ...bad("tokenVersion", ["", "1"], 400, "token_mismatch"),
    ...bad("description", [5, null]),
    ...bad("validityWindowSeconds", [-1, 1.5, "60", null, true, 1e300]),
  ])("%s", async (_name, change, status, code) => {
    const res = await pay(pair.agent, mandateId, change);
    expect({ status: res.status, body: res.body }).toMatchObject({
      status,
      body: { status: "error", code, message: expect.any(String), requestId: expect.any(String) },
    });
    expect(await books()).toEqual(stateBefore);
  });

  test.each([
    [
      "an amount named twice",
      `{"amount":"1","amount":"2","mandateId":"ID","payTo":"${ADDRESS}","resource":"https://a.example/"}`,
      400,
      "invalid_json",
    ],
    ["a prototype", '{"__proto__":{"amount":"1"}}', 400, "invalid_json"],
    ["no JSON", "amount=1", 400, "invalid_json"],
    ["a list", "[]", 400, "invalid_request"],
    ["nothing", "", 400, "invalid_request"],
    ["too much", JSON.stringify({ description: "a".repeat(70_000) }), 413, "body_too_large"],
  ])("a body of %s", async (_name, text, status, code) => {
    const raw = text.replace("ID", mandateId);
    expect(outcome(await call("POST", "/api/payment/x402V3Payment", { bearer: pair.agent.jwt, raw }))).toEqual([
      status,
      code,
    ]);
    expect(await books()).toEqual(stateBefore);
  });

  test("a missing login JWT, before the body is read", async () => {
    const res = await call("POST", "/api/payment/x402V3Payment", { raw: "x" });
    expect(res).toMatchObject({ status: 401, body: { status: "error", message: expect.any(String) } });
  });

  test("another agent's mandate, as if it did not exist", async () => {
    const stranger = await newAgent();
    expect(outcome(await pay(stranger, mandateId))).toEqual([404, "mandate_not_found"]);
    const sibling = await newAgent();
    const { mandateId: draft, token } = await proposed(sibling);
    await owned(pair.owner, draft, "claim", { token });
    expect(outcome(await pay(sibling, mandateId))).toEqual([404, "mandate_not_found"]);
  });
});

describe("a rejected payment names the next step:", () => {
  const CONTEXT = { payment_model_context: { primer: expect.any(String), instructions: expect.any(String) } };

  test("for an unsigned mandate, the URL of create-intent", async () => {
    const { mandateId: unsigned, token } = await proposed(pair.agent);
    const signUrl = `${BASE_URL}/authorize/mandate/${unsigned}?token=${token}`;
    const res = await pay(pair.agent, unsigned);
    expect(res).toMatchObject({
      status: 403,
      body: { code: "mandate_not_signed", signUrl, authorizationUrl: signUrl, ...CONTEXT },
    });
  });

  test("for a draft mandate, the same", async () => {
    const agent = await newAgent();
    const draft = await proposed(agent);
    expect(await pay(agent, draft.mandateId)).toMatchObject({
      status: 403,
      body: { code: "mandate_not_signed", ...CONTEXT },
    });
  });

  test("for a lapsed mandate, to create another one", async () => {
    const { mandateId: lapsed } = await proposed(pair.agent);
    await service.opened.sql`update mandates set created_at = created_at - interval '24 hours' where id = ${lapsed}`;
    const { body } = await pay(pair.agent, lapsed);
    expect(body).toMatchObject({ code: "mandate_not_signed", message: expect.stringContaining("create-intent") });
    expect(body).not.toHaveProperty("signUrl");
  });

  test("for an expired mandate, to create another one", async () => {
    const fresh = await signedMandate({}, pair);
    await service.opened.sql`update mandates set valid_until = now() where id = ${fresh.mandateId}`;
    expect(await pay(pair.agent, fresh.mandateId)).toMatchObject({
      status: 403,
      body: { code: "mandate_expired", ...CONTEXT },
    });
    expect(await mandateOf(fresh.mandateId)).toMatchObject({ status: "expired" });
  });

  test("for an exhausted budget, the remaining amount", async () => {
    const fresh = await signedMandate({ limitAmount: "5000" }, pair);
    expect(await pay(pair.agent, fresh.mandateId)).toMatchObject({
      status: 403,
      body: {
        code: "mandate_insufficient_budget",
        message: "The mandate has 0.005 USDC left and this payment needs 0.01",
        remainingAmount: "5000",
        ...CONTEXT,
      },
    });
  });

  test("for an exceeded cap and an excluded host, the cap and the hosts", async () => {
    const fresh = await signedMandate({ maxAmountPerPayment: "9999", hostAllowlist: ["b.example"] }, pair);
    expect(await pay(pair.agent, fresh.mandateId)).toMatchObject({
      status: 403,
      body: { code: "host_not_allowed", host: "api.example.com", hostAllowlist: ["b.example"], ...CONTEXT },
    });
    expect(await pay(pair.agent, fresh.mandateId, { resource: "https://b.example/x" })).toMatchObject({
      status: 403,
      body: { code: "mandate_payment_cap_exceeded", maxAmountPerPayment: "9999", ...CONTEXT },
    });
  });

  test("for a mandate of another owner than the agent's present one, that it does not pay", async () => {
    const fresh = await signedMandate({}, pair);
    const [other] = await service.opened.sql`insert into owners (id, address, created_at, last_sign_in_at)
      values (${newId("owner")}, ${freshAddress()}, now(), now()) returning id`;
    await service.opened.sql`update mandates set owner_id = ${other?.id} where id = ${fresh.mandateId}`;
    expect(outcome(await pay(pair.agent, fresh.mandateId))).toEqual([403, "agent_not_authorized"]);
  });

  test("for a mandate on the other network, that network", async () => {
    const body = v3(mandateId, { network: "base-sepolia" });
    const res = await call("POST", "/api/payment/x402V3Payment", { bearer: pair.agent.jwt, json: body });
    expect(res.body).toMatchObject({
      code: "unsupported_network",
      message: "This mandate pays on base only",
      network: "base",
      payment_model_context: { instructions: expect.stringContaining("intent.network base-sepolia") },
    });
  });
});
