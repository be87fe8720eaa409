import { TRANSFER_TYPES } from "@tessera/x402/transfer";
import type { HDAccount } from "viem/accounts";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import artifacts from "@/dev/token/artifacts.json";
import { type Address, toAddress } from "@/lib/core/address";
import { toUsdc } from "@/lib/core/money";
import type { Claim } from "@/lib/settlements/service";
import { tokenDomain, toWireAuthorization } from "@/lib/x402/authorization";
import { encodeHeader } from "@/lib/x402/header";
import { NETWORKS } from "@/lib/x402/networks";
import { signAuthorization } from "@/lib/x402/signature";
import { TOKEN_ABI } from "@/lib/x402/token";
import { privateKeyOf } from "../support/accounts";
import { newAgent } from "../support/actors";
import { setReceivingAddress } from "../support/confirmations";
import { delegate, deployWallet } from "../support/contract-accounts";
import { type Answer, BASE_URL, call } from "../support/http";
import { expectInvariants } from "../support/invariants";
import { type Json, linkedPair, type Parties } from "../support/mandates";
import { refusal, remedy } from "../support/refused";
import { until } from "../support/replica";
import { claimFrom, freshAddress, openSystem, paying, randomNonce, xPaymentOf } from "../support/system";
import { createWorld, type World } from "../support/world";

const AMOUNT = 1_000_000n;
const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

let world: World;
let testSystem: ReturnType<typeof openSystem>;
let wiring: typeof import("../support/wiring");
let workers: { stop: () => Promise<void> };
let seller: Parties;
/** A new receiving address for each test, so that its balance is the sum of the test's payments. */
let payTo: Address;

beforeAll(async () => {
  world = await createWorld({ networks: ["base", "base-sepolia"] });
  process.env.POLL_MILLISECONDS = "400";
  testSystem = openSystem();
  wiring = await import("../support/wiring");
  seller = await linkedPair();
  workers = wiring.startWorkers();
  for (const { address } of world.accounts) await world.mint(toAddress(address), 1_000_000_000n);
});

afterAll(async () => {
  await workers?.stop();
  await wiring?.closeSystem();
  await testSystem?.close();
  await world?.stop();
});

beforeEach(async () => {
  payTo = freshAddress();
  await setReceivingAddress(seller, payTo);
});

expectInvariants(() => testSystem.system);

const payer = (index = 0): HDAccount => {
  const account = world.accounts[index];
  if (!account) throw new Error("no such account");
  return account;
};

const pathOf = (agentId: string, amount: bigint | string = AMOUNT) =>
  `/unifypaymentlink/agentid/${agentId}?amount=${amount}&asset=usdc`;
const get = (headers: Record<string, string> = {}, amount: bigint | string = AMOUNT) =>
  call("GET", pathOf(seller.agent.agentId, amount), { headers });
const pay = (claim: Claim, amount?: bigint) => get(paying(claim), amount);
const claim = (change: Parameters<typeof claimFrom>[3] = {}, from = payer()) => claimFrom(from, payTo, AMOUNT, change);

const decoded = (header: string | null): Json => JSON.parse(Buffer.from(header ?? "", "base64").toString("utf8"));
const body = (response: Answer) => response.body as Json;

/** Every row about money that a request could write, without those of background jobs. */
async function books(): Promise<unknown> {
  const { sql } = testSystem;
  return {
    settlements: [...(await sql`select * from settlements order by id`)],
    ledger: [...(await sql`select * from ledger_entries order by network, payer, nonce, kind, side`)],
    sent: [...(await sql`select network, signer, nonce, calldata from relayer_transactions order by 1, 2, 3`)],
    events: [...(await sql`select * from events where type not like 'identity.key%' order by id`)],
    payments: [...(await sql`select * from payments order by id`)],
    reservations: [...(await sql`select * from reservations order by id`)],
    mandates: [...(await sql`select * from mandates order by id`)],
  };
}

/** Sends the request and checks that it wrote nothing. */
async function withoutTrace(send: () => Promise<Answer>): Promise<Answer> {
  const booksBefore = await books();
  const response = await send();
  expect(await books()).toEqual(booksBefore);
  return response;
}

const acceptsV1 = (amount: bigint | string = AMOUNT) => ({
  scheme: "exact",
  network: "base",
  maxAmountRequired: String(amount),
  resource: `${BASE_URL}${pathOf(seller.agent.agentId, amount)}`,
  description: "Payment to Test agent",
  mimeType: "application/json",
  payTo,
  maxTimeoutSeconds: 60,
  asset: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
  extra: { name: "USD Coin", version: "2", primaryType: "TransferWithAuthorization" },
  outputSchema: expect.any(Object),
});

const requiredV2 = (error: string) => {
  const { resource, description, mimeType, maxAmountRequired: amount, ...rest } = acceptsV1();
  const { scheme, asset, extra, maxTimeoutSeconds } = rest;
  return {
    x402Version: 2,
    error,
    resource: { url: resource, description, mimeType },
    accepts: [{ scheme, network: "eip155:8453", amount, asset, payTo, maxTimeoutSeconds, extra }],
    extensions: expect.objectContaining({ "payment-identifier": expect.any(Object) }),
  };
};

function expectRefusal(response: Answer, code: string): void {
  const { error } = body(response);
  expect([response.status, response.body]).toEqual([
    402,
    { x402Version: 1, error: expect.any(String), accepts: [acceptsV1()], code, ...remedy(code) },
  ]);
  expect(decoded(response.headers.get("payment-required"))).toEqual(requiredV2(error));
  expect(response.headers.get("x-payment-response")).toBeNull();
}

const errorBody = (response: Answer, code: string, more: object = {}) => ({ ...refusal(response, code), ...more });

describe("a UPL without a payment", () => {
  test("responds with this 402, byte for byte, in both versions of x402", async () => {
    const response = await withoutTrace(() => get());
    expect(response.status).toBe(402);
    expect(response.body).toEqual({ x402Version: 1, error: "X-PAYMENT header is required", accepts: [acceptsV1()] });
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(response.headers.get("cache-control")).toBe("no-store");
    const header = response.headers.get("payment-required");
    expect(header).toMatch(/^[A-Za-z0-9+/]+={0,2}$/);
    expect(decoded(header)).toEqual(requiredV2("X-PAYMENT header is required"));
  });

  test("lets pages of any origin read the price, and send a preflight before they pay", async () => {
    for (const response of [await get(), await call("OPTIONS", pathOf(seller.agent.agentId))]) {
      expect(response.headers.get("access-control-allow-origin")).toBe("*");
      const exposed = response.headers.get("access-control-expose-headers");
      for (const name of ["PAYMENT-REQUIRED", "X-PAYMENT-RESPONSE", "PAYMENT-RESPONSE"])
        expect(exposed).toContain(name);
    }
    const preflight = await call("OPTIONS", pathOf(seller.agent.agentId));
    expect([preflight.status, preflight.text]).toEqual([204, ""]);
    const allowed = preflight.headers.get("access-control-allow-headers");
    for (const name of ["X-Payment", "Payment-Signature", "Access-Control-Expose-Headers"])
      expect(allowed).toContain(name);
  });

  test("treats an empty payment header as none", async () => {
    for (const headers of [{ "x-payment": "" }, { "x-payment": "  " }, { "payment-signature": "" }]) {
      expect(body(await get(headers))).not.toHaveProperty("code");
    }
  });

  test("requires no login, and ignores an invalid one", async () => {
    expect((await get({ authorization: "Bearer nonsense", cookie: "next-auth.session-token=%%%" })).status).toBe(402);
  });

  test("builds the resource from the configuration, whatever Host header the request has", async () => {
    const response = await get({
      host: "evil.example",
      "x-forwarded-host": "evil.example",
      "x-forwarded-proto": "ftp",
    });
    expect(body(response).accepts[0].resource).toBe(acceptsV1().resource);
  });

  test("names the requested URL as the resource, so that the client's retry is the same request", async () => {
    const path = `/unifypaymentlink/agentid/${seller.agent.agentId}?asset=usdc&note=%C3%BC%20x&amount=5&__proto__=1`;
    const response = await call("GET", path);
    expect(body(response).accepts[0]).toMatchObject({ resource: `${BASE_URL}${path}`, maxAmountRequired: "5" });
  });

  test("accepts any amount of a uint256", async () => {
    for (const amount of ["1", (2n ** 256n - 1n).toString()]) {
      expect(body(await get({}, amount)).accepts).toEqual([acceptsV1(amount)]);
    }
  });

  test("reads the payee for each request: the URL stays, the address may change", async () => {
    const next = freshAddress();
    await setReceivingAddress(seller, next);
    expect(body(await get()).accepts[0].payTo).toBe(next);
  });
});

describe("a request without a valid price", () => {
  const requestPrice = (query: string) =>
    withoutTrace(() => call("GET", `/unifypaymentlink/agentid/${seller.agent.agentId}${query}`));

  test.each([
    ["", "MISSING_AMOUNT"],
    ["?asset=usdc", "MISSING_AMOUNT"],
    ["?amount=&asset=usdc", "MISSING_AMOUNT"],
    ["?amount=1", "MISSING_ASSET"],
    ["?amount=1&asset=", "MISSING_ASSET"],
    ["?amount=1&asset=eth", "UNSUPPORTED_ASSET"],
    ["?amount=1&asset=usdt", "UNSUPPORTED_ASSET"],
    ["?amount=1&asset=usdc&asset=usdc", "UNSUPPORTED_ASSET"],
    ["?amount=1&asset=0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", "UNSUPPORTED_ASSET"],
    ...[
      "0",
      "-1",
      "+1",
      "%2B1",
      "01",
      "1e6",
      "1.0",
      "1,0",
      "%201",
      "1%20",
      "1%00",
      "0x10",
      "%EF%BC%91",
      "%D9%A1",
      "NaN",
      "null",
      (2n ** 256n).toString(),
      "9".repeat(7_000),
      "1&amount=1",
      "1&amount=2",
    ].map((amount) => [`?amount=${amount}&asset=usdc`, "INVALID_AMOUNT"]),
  ])("with the query %s is rejected with 400 %s", async (query, code) => {
    const response = await requestPrice(query);
    expect([response.status, response.body]).toEqual([400, errorBody(response, code)]);
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(response.headers.get("payment-required")).toBeNull();
  });

  test("is rejected with 400 also if it has a payment, which is then not used", async () => {
    const headers = paying(claim());
    const response = await withoutTrace(() => get(headers, "0"));
    expect([response.status, body(response).code]).toEqual([400, "INVALID_AMOUNT"]);
    expect((await get(headers)).status).toBe(200);
  });
});

describe("a UPL of an agent that cannot be paid", () => {
  test.each([
    ["an unknown one", "550e8400-e29b-41d4-a716-446655440000"],
    ["no UUID", "not-a-uuid"],
    ["a UUID in capitals", "550E8400-E29B-41D4-A716-446655440000"],
    ["SQL", "'%20or%201=1--"],
    ["a path", "..%2F..%2Fetc%2Fpasswd"],
    ["a prototype's member", "__proto__"],
    ["something very long", "a".repeat(1_500)],
  ])("(%s) is 404 AGENT_NOT_FOUND, with a payment and without", async (_, agentId) => {
    for (const headers of [{}, paying(claim())]) {
      const response = await withoutTrace(() => call("GET", pathOf(agentId), { headers }));
      expect([response.status, response.body]).toEqual([404, errorBody(response, "AGENT_NOT_FOUND")]);
    }
  });

  test("because it is deleted is 404 AGENT_NOT_FOUND, with a payment and without", async () => {
    const formerParties = await linkedPair();
    await setReceivingAddress(formerParties, payTo);
    expect((await call("GET", pathOf(formerParties.agent.agentId))).status).toBe(402);
    await testSystem.sql`update agents set bound_at = now() where id = ${formerParties.agent.agentId}`;
    await call("DELETE", `/api/agents/${formerParties.agent.agentId}`, { session: formerParties.owner.session });
    for (const headers of [{}, paying(claim())]) {
      const response = await withoutTrace(() => call("GET", pathOf(formerParties.agent.agentId), { headers }));
      expect([response.status, response.body]).toEqual([404, errorBody(response, "AGENT_NOT_FOUND")]);
    }
  });

  test("because it has no owner is 404 WALLET_NOT_LINKED, with a payment and without", async () => {
    const { agentId } = await newAgent();
    for (const headers of [{}, paying(claim())]) {
      const response = await withoutTrace(() => call("GET", pathOf(agentId), { headers }));
      expect([response.status, response.body]).toEqual([
        404,
        errorBody(response, "WALLET_NOT_LINKED", { authorizationUrl: `${BASE_URL}/add-agent?agentId=${agentId}` }),
      ]);
    }
  });

  test("can be paid to the owner's wallet as soon as the agent is linked", async () => {
    const { owner, agent } = await linkedPair();
    const { body: overview } = await call("GET", "/api/wallet", { session: owner.session });
    const wallet = (overview as Json).wallets.find((w: Json) => w.network === "base").address;
    expect(body(await call("GET", pathOf(agent.agentId))).accepts[0].payTo).toBe(wallet);
  });
});

describe("a malformed payment header", () => {
  const good = () => xPaymentOf(claim());
  const bent = (change: object) => {
    const proof = good();
    return encodeHeader({
      ...proof,
      payload: { ...proof.payload, authorization: { ...proof.payload.authorization, ...change } },
    });
  };
  const base64 = (text: string | Uint8Array) => Buffer.from(text).toString("base64");

  test.each<[string, () => string]>([
    ["text", () => "pay me"],
    ["JSON without base64", () => JSON.stringify(good())],
    [
      "base64url",
      () =>
        encodeHeader({ ...good(), note: "???>>>~~~" })
          .replaceAll("+", "-")
          .replaceAll("/", "_"),
    ],
    ["without padding", () => base64('{"x402Version":1}').replace(/=+$/, "")],
    ["the proof twice", () => `${encodeHeader(good())},${encodeHeader(good())}`],
    ["over 24 KB", () => encodeHeader({ ...good(), note: "x".repeat(20_000) })],
    ["a byte order mark", () => base64(`\ufeff${JSON.stringify(good())}`)],
    ["invalid UTF-8", () => base64(Uint8Array.from([0x7b, 0xff, 0x7d]))],
    ["gzip", () => base64(Uint8Array.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]))],
    ["brackets 9,000 deep", () => base64("[".repeat(9_000) + "]".repeat(9_000))],
    ["a member twice", () => base64(JSON.stringify(good()).replace('"scheme"', '"scheme":"exact","scheme"'))],
    ["__proto__", () => base64(JSON.stringify(good()).replace('"scheme"', '"__proto__":{},"scheme"'))],
    ["null", () => encodeHeader(null)],
    ["an array", () => encodeHeader([good()])],
    ["version 3", () => encodeHeader({ ...good(), x402Version: 3 })],
    ["v2 with the members of v1", () => encodeHeader({ ...good(), x402Version: 2 })],
    ["another scheme", () => encodeHeader({ ...good(), scheme: "upto" })],
    ["the scheme in capitals", () => encodeHeader({ ...good(), scheme: "EXACT" })],
    ["no payload", () => encodeHeader({ ...good(), payload: undefined })],
    ["no signature", () => encodeHeader({ ...good(), payload: { authorization: good().payload.authorization } })],
    ["a value with an exponent", () => bent({ value: "1e6" })],
    ["a value of zero", () => bent({ value: "0" })],
    ["a value with a sign", () => bent({ value: "+1000000" })],
    ["a value with a leading zero", () => bent({ value: "01000000" })],
    ["a value in full-width digits", () => bent({ value: "１" })],
    ["a value over uint256", () => bent({ value: (2n ** 256n).toString() })],
    ["a value that is a number", () => bent({ value: 1_000_000 })],
    ["a negative validAfter", () => bent({ validAfter: "-1" })],
    ["validBefore as a date", () => bent({ validBefore: "2030-01-01T00:00:00Z" })],
    ["a short from", () => bent({ from: "0x12" })],
    ["a name as to", () => bent({ to: "vitalik.eth" })],
    ["a short nonce", () => bent({ nonce: "0x01" })],
    ["no nonce", () => bent({ nonce: undefined })],
  ])("(%s) is rejected with 400 INVALID_PAYMENT_HEADER in either header", async (_, make) => {
    const header = make();
    for (const name of ["x-payment", "payment-signature"]) {
      const response = await withoutTrace(() => get({ [name]: header }));
      expect([response.status, response.body]).toEqual([400, errorBody(response, "INVALID_PAYMENT_HEADER")]);
    }
  });
});

const signedWith = (by: HDAccount, original: Claim): Claim => ({
  ...original,
  signature: signAuthorization(original.network, original.authorization, privateKeyOf(by)),
});
const withSignature = (original: Claim, signature: string): Claim => ({
  ...original,
  signature: signature as `0x${string}`,
});

async function signedAs(change: { domain?: object; primaryType?: string }): Promise<Claim> {
  const original = claim();
  const primaryType = change.primaryType ?? "TransferWithAuthorization";
  const signature = await payer().signTypedData({
    domain: { ...tokenDomain("base"), ...change.domain },
    types: { [primaryType]: TRANSFER_TYPES.TransferWithAuthorization },
    primaryType,
    message: toWireAuthorization(original.authorization),
  });
  return withSignature(original, signature);
}

describe("a proof that does not match the requirement", () => {
  const seconds = () => BigInt(Math.floor(Date.now() / 1000));

  test.each<[string, string, () => Claim | Promise<Claim>]>([
    ["another network", "PAYMENT_NETWORK_MISMATCH", () => claim({ network: "base-sepolia" })],
    ["another recipient", "PAYMENT_RECIPIENT_MISMATCH", () => claimFrom(payer(), freshAddress(), AMOUNT)],
    ["one unit too little", "PAYMENT_INSUFFICIENT", () => claimFrom(payer(), payTo, AMOUNT - 1n)],
    ["one unit too much", "PAYMENT_INSUFFICIENT", () => claimFrom(payer(), payTo, AMOUNT + 1n)],
    ["an end in the past", "PAYMENT_EXPIRED", () => claim({ validBefore: seconds() - 1n })],
    ["an end right now", "PAYMENT_EXPIRED", () => claim({ validBefore: seconds() })],
    ["a beginning in the future", "PAYMENT_NOT_YET_VALID", () => claim({ validAfter: seconds() + 60n })],
    ["another key's signature", "PAYMENT_SIGNATURE_INVALID", () => signedWith(payer(1), claim())],
    [
      "a signature for another network",
      "PAYMENT_SIGNATURE_INVALID",
      () => ({ ...claim({ network: "base-sepolia" }), network: "base" }),
    ],
    [
      "a signature over another value",
      "PAYMENT_SIGNATURE_INVALID",
      () => ({ ...claim(), authorization: { ...claim().authorization, value: toUsdc(AMOUNT) } }),
    ],
    [
      "a signature for another name of the token",
      "PAYMENT_SIGNATURE_INVALID",
      () => signedAs({ domain: { name: "USDC" } }),
    ],
    [
      "a signature for another version of the token",
      "PAYMENT_SIGNATURE_INVALID",
      () => signedAs({ domain: { version: "1" } }),
    ],
    [
      "a signature for another token",
      "PAYMENT_SIGNATURE_INVALID",
      () => signedAs({ domain: { verifyingContract: NETWORKS["base-sepolia"].usdc } }),
    ],
    [
      "a signed receiveWithAuthorization",
      "PAYMENT_SIGNATURE_INVALID",
      () => signedAs({ primaryType: "ReceiveWithAuthorization" }),
    ],
    [
      "a high s",
      "PAYMENT_SIGNATURE_INVALID",
      () => {
        const low = claim();
        const s = CURVE_ORDER - BigInt(`0x${low.signature.slice(66, 130)}`);
        const v = low.signature.endsWith("1b") ? "1c" : "1b";
        return withSignature(low, `${low.signature.slice(0, 66)}${s.toString(16).padStart(64, "0")}${v}`);
      },
    ],
    [
      "a signature of 64 bytes",
      "PAYMENT_SIGNATURE_INVALID",
      () => withSignature(claim(), claim().signature.slice(0, 130)),
    ],
    [
      "a signature with a trailing byte",
      "PAYMENT_SIGNATURE_INVALID",
      () => withSignature(claim(), `${claim().signature}00`),
    ],
    ["v 29", "PAYMENT_SIGNATURE_INVALID", () => withSignature(claim(), `${claim().signature.slice(0, 130)}1d`)],
    ["a signature of zeros", "PAYMENT_SIGNATURE_INVALID", () => withSignature(claim(), `0x${"00".repeat(65)}`)],
    ["one byte of signature", "PAYMENT_SIGNATURE_INVALID", () => withSignature(claim(), "0x00")],
    ["4 KB of signature", "PAYMENT_SIGNATURE_INVALID", () => withSignature(claim(), `0x${"ab".repeat(4_096)}`)],
    ["the zero address as payer", "PAYMENT_SIGNATURE_INVALID", () => claim({ from: toAddress(`0x${"0".repeat(40)}`) })],
    ["the token as payer", "PAYMENT_SIGNATURE_INVALID", () => claim({ from: NETWORKS.base.usdc })],
    ["somebody else as payer", "PAYMENT_SIGNATURE_INVALID", () => claim({ from: toAddress(payer(1).address) })],
  ])("(%s) is rejected with 402 %s and the offer, and nothing is written", async (_, code, make) => {
    const proof = await make();
    const from = await world.balanceOf(proof.authorization.from);
    const response = await withoutTrace(() => pay(proof));
    expectRefusal(response, code);
    expect(await world.balanceOf(payTo)).toBe(0n);
    expect(await world.balanceOf(proof.authorization.from)).toBe(from);
  });

  test.each<[string, string, object]>([
    ["another network", "PAYMENT_NETWORK_MISMATCH", { network: "eip155:84532" }],
    ["an unknown network", "PAYMENT_NETWORK_MISMATCH", { network: "eip155:1" }],
    ["another asset", "PAYMENT_ASSET_MISMATCH", { asset: NETWORKS["base-sepolia"].usdc }],
    ["an empty asset", "PAYMENT_ASSET_MISMATCH", { asset: "" }],
  ])("of x402 v2 (%s accepted) is rejected with 402 %s", async (_, code, change) => {
    const { payload } = xPaymentOf(claim());
    const accepted = { ...requiredV2("").accepts[0], ...change };
    expectRefusal(
      await withoutTrace(() => get({ "payment-signature": encodeHeader({ x402Version: 2, accepted, payload }) })),
      code,
    );
  });

  test("for an unknown network gets an error that names the network", async () => {
    const response = await withoutTrace(() =>
      get({ "x-payment": encodeHeader({ ...xPaymentOf(claim()), network: "solana" }) }),
    );
    expectRefusal(response, "PAYMENT_NETWORK_MISMATCH");
  });
});

async function expectPaid(response: Answer, proof: Claim, amount = AMOUNT) {
  const { txHash, settlementId } = body(response);
  const { from } = proof.authorization;
  expect([response.status, response.body]).toEqual([
    200,
    {
      success: true,
      txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      settledAmount: amount.toString(),
      network: "base",
      payer: from,
      payee: payTo,
      settlementId: expect.stringMatching(/^stl_[0-9A-Za-z]{24}$/),
      receiptUrl: `${BASE_URL}/receipt/${settlementId}`,
    },
  ]);
  const receipt = { success: true, transaction: txHash, network: "base", payer: from };
  expect(decoded(response.headers.get("x-payment-response"))).toEqual(receipt);
  const extensions = { "offer-receipt": { info: { receipt: expect.anything() }, schema: expect.anything() } };
  expect(decoded(response.headers.get("payment-response"))).toEqual({ ...receipt, network: "eip155:8453", extensions });
  expect(response.headers.get("access-control-expose-headers")).toContain("X-PAYMENT-RESPONSE");
  expect(response.headers.get("payment-required")).toBeNull();
  const onChain = await world.client().getTransactionReceipt({ hash: txHash });
  expect(onChain.status).toBe("success");
  expect(await world.balanceOf(payTo)).toBe(amount);
  return { settlementId: settlementId as string, txHash: txHash as string };
}

describe("a valid proof", () => {
  test("moves exactly the amount, once, and gets the receipt", async () => {
    const proof = claim();
    const balanceBefore = await world.balanceOf(proof.authorization.from);
    const { settlementId } = await expectPaid(await pay(proof), proof);
    expect(await world.balanceOf(proof.authorization.from)).toBe(balanceBefore - AMOUNT);
    const [row] =
      await testSystem.sql`select purpose, subject, state, resource from settlements where id = ${settlementId}`;
    expect(row).toEqual({
      purpose: "upl",
      subject: seller.agent.agentId,
      state: "settled",
      resource: acceptsV1().resource,
    });
  });

  test("can be sent as x402 v2 in PAYMENT-SIGNATURE", async () => {
    const proof = claim();
    const v2 = { x402Version: 2, accepted: requiredV2("").accepts[0], payload: xPaymentOf(proof).payload };
    await expectPaid(await get({ "payment-signature": encodeHeader(v2) }), proof);
  });

  test("can be of either version in either header, and use CAIP-2 in v1", async () => {
    const proof = claim();
    await expectPaid(
      await get({ "payment-signature": encodeHeader({ ...xPaymentOf(proof), network: "eip155:8453" }) }),
      proof,
    );
    payTo = freshAddress();
    await setReceivingAddress(seller, payTo);
    const second = claim();
    const v2 = {
      x402Version: 2,
      accepted: { scheme: "exact", network: "eip155:8453" },
      payload: xPaymentOf(second).payload,
    };
    await expectPaid(await get({ "x-payment": encodeHeader(v2) }), second);
  });

  test("can have its v as yParity, as some signers write it", async () => {
    const proof = claim();
    const yParity = proof.signature.endsWith("1b") ? "00" : "01";
    const response = await pay(withSignature(proof, `${proof.signature.slice(0, 130)}${yParity}`));
    await expectPaid(response, proof);
  });

  test("of one atomic unit, or of the payer's whole balance, is paid", async () => {
    const everything = await world.balanceOf(toAddress(payer(7).address));
    for (const amount of [1n, everything - 1n]) {
      payTo = freshAddress();
      await setReceivingAddress(seller, payTo);
      const proof = claimFrom(payer(7), payTo, amount);
      await expectPaid(await pay(proof, amount), proof, amount);
    }
    expect(await world.balanceOf(toAddress(payer(7).address))).toBe(0n);
  });

  test("by each of many payers at once is paid", async () => {
    const proofs = Array.from({ length: 30 }, (_, index) => claimFrom(payer(index % 6), payTo, AMOUNT));
    const responses = await Promise.all(proofs.map((proof) => pay(proof)));
    expect(responses.map((response) => response.status)).toEqual(proofs.map(() => 200));
    expect(new Set(responses.map((response) => body(response).settlementId)).size).toBe(30);
    expect(await world.balanceOf(payTo)).toBe(30n * AMOUNT);
  });
});

function expectUsed(response: Answer, used: object): void {
  expect([response.status, response.body]).toEqual([409, errorBody(response, "PAYMENT_ALREADY_USED", used)]);
  expect(response.headers.get("payment-required")).toBeNull();
}

describe("a proof that was submitted before", () => {
  test("is rejected with 409 and its settlement, and no offer to sign again", async () => {
    const proof = claim();
    const { settlementId, txHash } = await expectPaid(await pay(proof), proof);
    for (let again = 0; again < 3; again++) {
      expectUsed(await withoutTrace(() => pay(proof)), { settlementId, settlementStatus: "settled", txHash });
    }
    expect(await world.balanceOf(payTo)).toBe(AMOUNT);
  });

  test("is rejected with 409 in any spelling of its bytes", async () => {
    const proof = claim();
    const { settlementId, txHash } = await expectPaid(await pay(proof), proof);
    const used = { settlementId, settlementStatus: "settled", txHash };
    const yParity = proof.signature.endsWith("1b") ? "00" : "01";
    const { payload, ...rest } = xPaymentOf(proof);
    const upper = {
      ...payload.authorization,
      nonce: `0x${payload.authorization.nonce.slice(2).toUpperCase()}`,
      from: payload.authorization.from.toLowerCase(),
    };
    expectUsed(await pay(withSignature(proof, `${proof.signature.slice(0, 130)}${yParity}`)), used);
    expectUsed(
      await get({ "x-payment": encodeHeader({ ...rest, payload: { ...payload, authorization: upper } }) }),
      used,
    );
    expectUsed(
      await get({
        "payment-signature": encodeHeader({ x402Version: 2, accepted: requiredV2("").accepts[0], payload }),
      }),
      used,
    );
  });

  test("is rejected with 409 also at another agent's URL with the same requirement", async () => {
    const otherParties = await linkedPair();
    await setReceivingAddress(otherParties, payTo);
    const proof = claim();
    const { settlementId, txHash } = await expectPaid(await pay(proof), proof);
    const response = await withoutTrace(() =>
      call("GET", pathOf(otherParties.agent.agentId), { headers: paying(proof) }),
    );
    expectUsed(response, { settlementId, settlementStatus: "settled", txHash });
  });

  test("is rejected with 409 also after its expiry, so that nobody pays twice after a lost response", async () => {
    const proof = claim({ windowSeconds: 10 });
    const { settlementId, txHash } = await expectPaid(await pay(proof), proof);
    const isOverAt = Number(proof.authorization.validBefore) * 1000 + 500;
    await new Promise((resolve) => setTimeout(resolve, isOverAt - Date.now()));
    expectUsed(await withoutTrace(() => pay(proof)), { settlementId, settlementStatus: "settled", txHash });
  });

  test("is rejected with 409 also after the agent's receiving address has changed", async () => {
    const proof = claim();
    const { settlementId, txHash } = await expectPaid(await pay(proof), proof);
    await setReceivingAddress(seller, freshAddress());
    expectUsed(await withoutTrace(() => pay(proof)), { settlementId, settlementStatus: "settled", txHash });
  });

  test("shows its settlement only to its payer; a stranger who read the nonce on the chain learns nothing", async () => {
    const proof = claim();
    await expectPaid(await pay(proof), proof);
    expectRefusal(await withoutTrace(() => pay(signedWith(payer(1), proof))), "PAYMENT_SIGNATURE_INVALID");
    const guessed = { ...proof, authorization: { ...proof.authorization, value: toUsdc(AMOUNT + 1n) } };
    expectRefusal(await withoutTrace(() => pay(guessed)), "PAYMENT_INSUFFICIENT");
  });

  test("twice at the same time pays once: one response is 200, the others are 409", async () => {
    const proof = claim();
    const responses = await Promise.all([pay(proof), pay(proof), pay(proof), pay(proof)]);
    const [won, ...others] = responses.sort((a, b) => a.status - b.status);
    if (!won) throw new Error("no answer");
    const { settlementId } = await expectPaid(won, proof);
    for (const response of others) {
      const { settlementStatus, txHash } = body(response);
      expect(["pending", "settled"]).toContain(settlementStatus);
      expectUsed(response, { settlementId, settlementStatus, txHash });
    }
    expect(await world.balanceOf(payTo)).toBe(AMOUNT);
  });

  test("directly to the chain, before it was presented here, buys nothing", async () => {
    const proof = claim();
    const { from, to, value, validAfter, validBefore, nonce } = proof.authorization;
    const hash = await world.client().writeContract({
      account: payer(8).address,
      chain: null,
      address: NETWORKS.base.usdc,
      abi: TOKEN_ABI,
      functionName: "transferWithAuthorization",
      args: [from, to, value, validAfter, validBefore, nonce, proof.signature],
    });
    const { blockNumber } = await world.client().waitForTransactionReceipt({ hash });
    await until(async () => {
      const [cursor] = await testSystem.sql`select block_number from chain_cursors where network = 'base'`;
      return BigInt(cursor?.block_number ?? 0) >= blockNumber;
    }, "the observer");
    const response = await withoutTrace(() => pay(proof));
    // The service knows nothing about it.
    expect([response.status, response.body]).toEqual([409, errorBody(response, "PAYMENT_ALREADY_USED")]);
  });
});

/** Refused by the token before any claim: the proof can be presented again. */
async function expectFailed(response: Answer, failureCode: string, errorReason: string, payerOf: Address) {
  const stillValidUntil = expect.stringMatching(/^\d{4}-.*Z$/);
  expect([response.status, response.body]).toEqual([
    500,
    errorBody(response, "SETTLEMENT_FAILED", { failureCode, stillValidUntil }),
  ]);
  const outcome = { success: false, errorReason, transaction: "", network: "base", payer: payerOf };
  expect(decoded(response.headers.get("x-payment-response"))).toEqual(outcome);
  expect(decoded(response.headers.get("payment-response"))).toEqual({ ...outcome, network: "eip155:8453" });
  expect(response.headers.get("payment-required")).toBeNull();
  expect(await world.balanceOf(payTo)).toBe(0n);
}

const token = (functionName: "blacklist" | "unBlacklist" | "pause" | "unpause", args: Address[] = []) =>
  written(NETWORKS.base.usdc, artifacts.TestDollar.abi, functionName, args);

async function written(address: Address, abi: unknown[], functionName: string, args: unknown[]): Promise<void> {
  const request = { account: payer(8).address, chain: null, address, abi, functionName, args };
  // An ABI from JSON has no static types.
  const hash = await world.client().writeContract(request as never);
  await world.client().waitForTransactionReceipt({ hash });
}

describe("a transfer that the chain refuses", () => {
  test("for lack of funds is 500 INSUFFICIENT_FUNDS, claims nothing, and the proof is accepted once the payer has money", async () => {
    const poor = payer(6);
    const balance = await world.balanceOf(toAddress(poor.address));
    const proof = claimFrom(poor, payTo, balance + 1n);
    const refusal = await withoutTrace(() => pay(proof, balance + 1n));
    await expectFailed(refusal, "INSUFFICIENT_FUNDS", "insufficient_funds", proof.authorization.from);
    expect(await world.balanceOf(toAddress(poor.address))).toBe(balance);
    await world.mint(toAddress(poor.address), 1n);
    expect((await pay(proof, balance + 1n)).status).toBe(200);
  });

  test("of the largest possible amount fails in the same way", async () => {
    const most = 2n ** 256n - 1n;
    const proof = claimFrom(payer(), payTo, most);
    await expectFailed(await pay(proof, most), "INSUFFICIENT_FUNDS", "insufficient_funds", proof.authorization.from);
  });

  test.each([
    ["payer", () => toAddress(payer(5).address)],
    ["payee", () => payTo],
  ])("because its %s is blocked is 500 ACCOUNT_BLOCKED", async (_, blocked) => {
    await token("blacklist", [blocked()]);
    const proof = claimFrom(payer(5), payTo, AMOUNT);
    await expectFailed(await pay(proof), "ACCOUNT_BLOCKED", "invalid_transaction_state", proof.authorization.from);
    await token("unBlacklist", [blocked()]);
  });

  test("because the token is paused is 500 TOKEN_PAUSED", async () => {
    await token("pause");
    const proof = claim();
    const response = await pay(proof);
    await token("unpause");
    await expectFailed(response, "TOKEN_PAUSED", "invalid_transaction_state", proof.authorization.from);
  });

  test("does not delay a valid one in the same round", async () => {
    const bad = claimFrom(payer(6), payTo, 10n ** 15n);
    const good = claim();
    const [refusal, paidResponse] = await Promise.all([pay(bad, 10n ** 15n), pay(good)]);
    expect([refusal.status, body(refusal).failureCode]).toEqual([500, "INSUFFICIENT_FUNDS"]);
    await expectPaid(paidResponse, good);
  });
});

const deploy = (name: "TestWallet1271" | "GasBurningWallet1271", holder: Address) => deployWallet(world, holder, name);

/** A proof of a contract account, signed by its owner's key. */
const contractClaim = (wallet: Address, owner = payer(4)) => claimFrom(owner, payTo, AMOUNT, { from: wallet });

describe("a contract account as payer", () => {
  test("(ERC-1271) pays with its owner's signature", async () => {
    const wallet = await deploy("TestWallet1271", toAddress(payer(4).address));
    await world.mint(wallet, AMOUNT);
    const proof = contractClaim(wallet);
    await expectPaid(await pay(proof), proof);
    expect(await world.balanceOf(wallet)).toBe(0n);
  });

  test("(ERC-1271) does not pay with another account's signature, and writes nothing", async () => {
    const wallet = await deploy("TestWallet1271", toAddress(payer(4).address));
    await world.mint(wallet, AMOUNT);
    expectRefusal(await withoutTrace(() => pay(contractClaim(wallet, payer(3)))), "PAYMENT_SIGNATURE_INVALID");
    expect(await world.balanceOf(wallet)).toBe(AMOUNT);
  });

  test("(ERC-1271) without money fails with INSUFFICIENT_FUNDS", async () => {
    const wallet = await deploy("TestWallet1271", toAddress(payer(4).address));
    await expectFailed(await pay(contractClaim(wallet)), "INSUFFICIENT_FUNDS", "insufficient_funds", wallet);
  });

  test("(ERC-6492) that is not deployed is rejected; the service never calls its factory", async () => {
    const original = contractClaim(freshAddress());
    const wrapped = withSignature(original, `${original.signature}${"00".repeat(96)}${"6492".repeat(16)}`);
    expectRefusal(await withoutTrace(() => pay(wrapped)), "PAYMENT_SIGNATURE_INVALID");
  });

  test("that burns gas harms no other payment: the service pays none of the gas, and others settle in the same round", async () => {
    const burner = await deploy("GasBurningWallet1271", toAddress(payer(4).address));
    await world.mint(burner, AMOUNT);
    const relayer = toAddress(world.relayers[0]?.address ?? "");
    const gasBefore = await world.ethBalanceOf(relayer);
    const good = [claim(), claim({}, payer(1)), claim({}, payer(2))];
    const [burnt, ...paidResponse] = await Promise.all([
      pay(contractClaim(burner)),
      ...good.map((proof) => pay(proof)),
    ]);
    expect([402, 500]).toContain(burnt.status);
    expect(paidResponse.map((response) => response.status)).toEqual([200, 200, 200]);
    expect(await world.balanceOf(burner)).toBe(AMOUNT);
    expect(await world.balanceOf(payTo)).toBe(3n * AMOUNT);
    const [price] = await Promise.all([world.client().getGasPrice()]);
    // Three transfers without burnt gas: far below the budget of one payer with code.
    expect(gasBefore - (await world.ethBalanceOf(relayer))).toBeLessThan(1_000_000n * price * 2n);
  });
});

describe("a payer that delegates to code (EIP-7702)", () => {
  test("pays when its code accepts its signature", async () => {
    const person = payer(3);
    await delegate(world, person.address, await deploy("TestWallet1271", toAddress(person.address)));
    const proof = claimFrom(person, payTo, AMOUNT);
    const response = await pay(proof);
    await delegate(world, person.address, null);
    await expectPaid(response, proof);
  });

  test("does not pay with its own key if the code refuses the signature: the chain decides, and nothing moves", async () => {
    const person = payer(3);
    const balance = await world.balanceOf(toAddress(person.address));
    await delegate(world, person.address, await deploy("TestWallet1271", toAddress(payer(4).address)));
    const proof = claimFrom(person, payTo, AMOUNT);
    const response = await pay(proof);
    await delegate(world, person.address, null);
    await expectFailed(response, "INVALID_SIGNATURE", "invalid_exact_evm_payload_signature", proof.authorization.from);
    expect(await world.balanceOf(toAddress(person.address))).toBe(balance);
  });

  test("pays with another key that its code accepts", async () => {
    const person = payer(3);
    await delegate(world, person.address, await deploy("TestWallet1271", toAddress(payer(4).address)));
    const proof = claimFrom(payer(4), payTo, AMOUNT, { from: toAddress(person.address) });
    const response = await pay(proof);
    await delegate(world, person.address, null);
    await expectPaid(response, proof);
  });
});

describe("a transfer whose outcome is not known in time", () => {
  test("is 202 with the URL to poll, is never called failed, and has its outcome at that URL", async () => {
    await workers.stop();
    await restart({ SETTLE_WAIT_SECONDS: "0.2" });
    const proof = claim();
    const response = await pay(proof);
    const { settlementId } = body(response);
    expect([response.status, response.body]).toEqual([
      202,
      { status: "pending", message: expect.any(String), settlementId: expect.stringMatching(/^stl_/), txHash: null },
    ]);
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(response.headers.get("location")).toBe(`/api/settlements/${settlementId}`);
    expect(response.headers.get("payment-required")).toBeNull();
    const outcome = {
      success: false,
      errorReason: "settlement_pending",
      transaction: "",
      payer: proof.authorization.from,
    };
    const headers = ["x-payment-response", "payment-response"].map((name) => decoded(response.headers.get(name)));
    expect(headers).toEqual([
      { ...outcome, network: "base" },
      { ...outcome, network: "eip155:8453" },
    ]);
    const settlement = () => call("GET", response.headers.get("location") ?? "");
    expect(body(await settlement())).toMatchObject({ settlementStatus: "pending", txHash: null, endedAt: null });
    expectUsed(await pay(proof), { settlementId, settlementStatus: "pending", txHash: null });
    expect(await world.balanceOf(payTo)).toBe(0n);

    workers = wiring.startWorkers();
    await until(async () => body(await settlement()).settlementStatus !== "pending", "the settlement");
    expect(body(await settlement())).toMatchObject({
      settlementStatus: "settled",
      txHash: expect.stringMatching(/^0x/),
    });
    expect(await world.balanceOf(payTo)).toBe(AMOUNT);
    await workers.stop();
    await restart({ SETTLE_WAIT_SECONDS: "25" });
    workers = wiring.startWorkers();
  });
});

/** Another process of the service with another configuration. */
async function restart(env: Record<string, string>): Promise<void> {
  await wiring.closeSystem();
  Object.assign(process.env, env);
}

// Advances the chain's clock, so it must stay last.
test("a proof that expires on the chain before it is mined is 402 PAYMENT_EXPIRED with the offer, because nothing moved", async () => {
  await world.increaseTime(120);
  const proof = claim({ windowSeconds: 60, nonce: randomNonce() });
  const response = await pay(proof);
  expectRefusal(response, "PAYMENT_EXPIRED");
  expect(await testSystem.sql`select 1 from settlements where nonce = ${proof.authorization.nonce}`).toHaveLength(0);
  expect(await world.balanceOf(payTo)).toBe(0n);
});
