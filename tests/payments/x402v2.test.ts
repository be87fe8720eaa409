import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { readAuthorization } from "@/lib/x402/authorization";
import { NETWORKS } from "@/lib/x402/networks";
import { decodeProof } from "@/lib/x402/proof";
import { recoverPayer } from "@/lib/x402/signature";
import { newAgent } from "../support/actors";
import { call } from "../support/http";
import {
  booksOf,
  freshAddress,
  type Json,
  linkedPair,
  type Parties,
  RESOURCE,
  signedMandate,
} from "../support/mandates";
import { shareService } from "../support/service";

const service = shareService();
let pair: Parties;
let mandateId: string;

beforeAll(async () => {
  pair = await linkedPair();
  ({ mandateId } = await signedMandate({}, pair));
});

const payTo = freshAddress();
const offer = {
  scheme: "exact",
  network: "eip155:8453",
  amount: "10000",
  asset: NETWORKS.base.usdc,
  payTo,
  maxTimeoutSeconds: 90,
  extra: { name: "USD Coin", version: "2", memo: { kept: true } },
};
const required = (accepts: unknown[] = [offer], change: object = {}) => ({
  x402Version: 2,
  error: "PAYMENT-SIGNATURE header is required",
  resource: { url: RESOURCE, description: "Weather", mimeType: "application/json", vendor: "kept" },
  accepts,
  ...change,
});
const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64");
const sign = (json: object, bearer = pair.agent.jwt) =>
  call("POST", "/api/v2/payment/x402-payment", { bearer, json: { mandateId, ...json } });
const books = () => booksOf(service.opened.sql, mandateId);

describe("a signed x402 v2 payment", () => {
  test("repeats the chosen offer and its resource exactly", async () => {
    const now = Math.floor(Date.now() / 1000);
    const { status, body } = await sign({ paymentRequest: required() });
    const { paymentPayload, paymentPayloadB64, expiresAt, paymentRecordId, ...rest } = body as Json;
    expect({ status, rest }).toEqual({ status: 200, rest: { status: "ok" } });
    expect(paymentPayload).toEqual({
      x402Version: 2,
      resource: required().resource,
      accepted: offer,
      payload: {
        signature: expect.any(String),
        authorization: expect.objectContaining({ to: payTo, value: "10000", validBefore: String(expiresAt) }),
      },
    });
    expect(JSON.parse(Buffer.from(paymentPayloadB64, "base64").toString())).toEqual(paymentPayload);
    expect(expiresAt - 90).toBeGreaterThanOrEqual(now);
    expect(expiresAt - 90).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000));
    const authorization = readAuthorization(paymentPayload.payload.authorization);
    expect(recoverPayer("base", authorization, paymentPayload.payload.signature)).toBe(authorization.from);
    expect(decodeProof(paymentPayloadB64)).toMatchObject({
      version: 2,
      network: "eip155:8453",
      asset: NETWORKS.base.usdc,
    });
    const [row] = await service.opened
      .sql`select p.mandate_id, r.payee, r.amount, p.description, p.host, r.state from payments p
        join reservations r on r.id = p.reservation_id where p.id = ${paymentRecordId}`;
    expect(row).toEqual({
      mandate_id: mandateId,
      payee: payTo,
      amount: "10000",
      description: "Weather",
      host: "api.example.com",
      state: "open",
    });
  });

  test.each<[string, object]>([
    ["base64, as the header carries it", { paymentRequestB64: base64(required()) }],
    [
      "wishes for assets",
      { paymentRequest: required(), preferredAssets: [{ network: "eip155:8453", asset: NETWORKS.base.usdc }] },
    ],
    ["no timeout", { paymentRequest: required([{ ...offer, maxTimeoutSeconds: undefined }]) }],
    ["a timeout of zero", { paymentRequest: required([{ ...offer, maxTimeoutSeconds: 0 }]) }],
    ["extra that is null", { paymentRequest: required([{ ...offer, extra: null }]) }],
    [
      "a named transfer method",
      { paymentRequest: required([{ ...offer, extra: { assetTransferMethod: "eip3009" } }]) },
    ],
    [
      "a description no page could show",
      { paymentRequest: required([offer], { resource: { url: RESOURCE, description: "a\u0007b".repeat(2000) } }) },
    ],
    ["extensions", { paymentRequest: required([offer], { extensions: { bazaar: {} } }) }],
  ])("is returned for %s", async (_name, json) => {
    expect((await sign(json)).status).toBe(200);
  });

  test("repeats the extensions of the requirement unchanged", async () => {
    const extensions = { bazaar: { info: { input: { type: "http", method: "GET" } }, schema: {} }, other: { a: [1] } };
    const { status, body } = await sign({ paymentRequest: required([offer], { extensions }) });
    expect([status, (body as Json).paymentPayload.extensions]).toEqual([200, extensions]);
    const declared = { info: { required: true }, schema: { type: "object" } };
    const named = { paymentRequest: required([offer], { extensions: { "payment-identifier": declared } }) };
    const { paymentPayload, paymentRecordId } = (await sign(named)).body as Json;
    const info = { required: true, id: paymentRecordId };
    expect(paymentPayload.extensions).toEqual({ "payment-identifier": { ...declared, info } });
    const { body: without } = await sign({ paymentRequest: required([offer], { extensions: null }) });
    expect((without as Json).paymentPayload).not.toHaveProperty("extensions");
  });

  test("uses the first offer that the mandate can pay, and skips others and invalid ones", async () => {
    const others = [
      { ...offer, network: "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp", payTo: "So1" },
      { ...offer, extra: { assetTransferMethod: "permit2" } },
      { broken: true },
      { ...offer, network: "eip155:84532", asset: NETWORKS["base-sepolia"].usdc },
      { ...offer, extra: { name: "GatewayWalletBatched", version: "1", verifyingContract: payTo } },
      { ...offer, amount: "0" },
      { ...offer, amount: "1" },
      offer,
    ];
    const { body } = await sign({ paymentRequest: required(others) });
    expect((body as Json).paymentPayload.accepted).toEqual({ ...offer, amount: "1" });
  });
});

describe("an x402 v2 payment is rejected and reserves nothing for", () => {
  let stateBefore: unknown;
  beforeEach(async () => {
    stateBefore = await books();
  });
  const one = (change: object) => ({ paymentRequest: required([{ ...offer, ...change }]) });

  test.each<[string, object, number, string]>([
    ["no requirement", {}, 400, "invalid_request"],
    ["two requirements", { paymentRequest: required(), paymentRequestB64: base64(required()) }, 400, "invalid_request"],
    ["a requirement that is text", { paymentRequest: "x" }, 400, "invalid_request"],
    ["a requirement that is null", { paymentRequest: null }, 400, "invalid_request"],
    ["a requirement that is a list", { paymentRequest: [required()] }, 400, "invalid_request"],
    ["x402 v1", { paymentRequest: { ...required(), x402Version: 1 } }, 400, "invalid_request"],
    ["no offers", { paymentRequest: required([]) }, 400, "invalid_request"],
    ["65 offers", { paymentRequest: required(Array(65).fill(offer)) }, 400, "invalid_request"],
    ["offers that are not a list", { paymentRequest: required([], { accepts: offer }) }, 400, "invalid_request"],
    ["no resource", { paymentRequest: required([offer], { resource: undefined }) }, 400, "invalid_request"],
    ["a resource that is text", { paymentRequest: required([offer], { resource: RESOURCE }) }, 400, "invalid_request"],
    ["invalid base64", { paymentRequestB64: "%%%" }, 400, "invalid_request"],
    ["base64 without padding", { paymentRequestB64: base64(required()).replace(/=*$/, "!") }, 400, "invalid_request"],
    ["base64 of invalid JSON", { paymentRequestB64: Buffer.from("x402").toString("base64") }, 400, "invalid_request"],
    [
      "base64 of a member named twice",
      { paymentRequestB64: Buffer.from('{"x402Version":2,"x402Version":2}').toString("base64") },
      400,
      "invalid_request",
    ],
    ["wishes that are not a list", { paymentRequest: required(), preferredAssets: "usdc" }, 400, "invalid_request"],
    ["no mandate", { paymentRequest: required(), mandateId: undefined }, 400, "invalid_request"],
    [
      "an unknown mandate",
      { paymentRequest: required(), mandateId: "mand_000000000000000000000000" },
      404,
      "mandate_not_found",
    ],
    ["only another scheme", one({ scheme: "upto" }), 400, "unsupported_scheme"],
    ["only permit2", one({ extra: { assetTransferMethod: "permit2" } }), 400, "unsupported_scheme"],
    ["only another network", one({ network: "eip155:1" }), 422, "unsupported_network"],
    ["only the other supported network", one({ network: "eip155:84532" }), 422, "unsupported_network"],
    ["only another asset", one({ asset: payTo }), 422, "unsupported_asset"],
    ["another token name", one({ extra: { name: "USDC" } }), 400, "token_mismatch"],
    ["a token name that is not a string", one({ extra: { name: 5 } }), 400, "token_mismatch"],
    [
      "only an offer of Circle Gateway",
      one({ extra: { name: "GatewayWalletBatched", version: "1", verifyingContract: payTo } }),
      400,
      "token_mismatch",
    ],
    ["an amount of zero", one({ amount: "0" }), 400, "invalid_request"],
    ["a fraction", one({ amount: "1.5" }), 400, "invalid_request"],
    ["a payee that is not an address", one({ payTo: "vitalik.eth" }), 400, "invalid_request"],
    ["the zero address", one({ payTo: `0x${"0".repeat(40)}` }), 400, "invalid_request"],
    ["too large an amount", one({ amount: "1000001" }), 403, "mandate_insufficient_budget"],
    [
      "a relative resource",
      { paymentRequest: required([offer], { resource: { url: "/x" } }) },
      400,
      "invalid_resource",
    ],
  ])("%s", async (_name, json, status, code) => {
    const res = await sign(json);
    expect({ status: res.status, body: res.body }).toMatchObject({
      status,
      body: { status: "error", code, message: expect.any(String) },
    });
    expect(await books()).toEqual(stateBefore);
  });

  test("a host that is not on the mandate's list", async () => {
    const narrow = await signedMandate({ hostAllowlist: ["b.example"] }, pair);
    const res = await sign({ mandateId: narrow.mandateId, paymentRequest: required() });
    expect(res).toMatchObject({
      status: 403,
      body: { code: "host_not_allowed", payment_model_context: { instructions: expect.any(String) } },
    });
  });

  test("another agent's mandate, as if it did not exist", async () => {
    const res = await sign({ paymentRequest: required() }, (await newAgent()).jwt);
    expect(res).toMatchObject({ status: 404, body: { code: "mandate_not_found" } });
    expect(await books()).toEqual(stateBefore);
  });
});
