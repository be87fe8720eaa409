import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Address, toAddress } from "@/lib/core/address";
import { sellerOf } from "@/lib/facilitator/keys";
import * as facilitator from "@/lib/facilitator/service";
import type { Chain } from "@/lib/platform/chain";
import type { Ctx, Seller } from "@/lib/platform/context";
import { ADMISSION_BLOCKS_MAX } from "@/lib/settlements/tables";
import { NETWORKS } from "@/lib/x402/networks";
import { newOwner, type TestOwner } from "../support/actors";
import { IS_IN_PROCESS } from "../support/base-url";
import { delegate, deployFactory, deployWallet, undeployedWallet } from "../support/contract-accounts";
import {
  newKey,
  settle as postSettle,
  verify as postVerify,
  RESOURCE,
  requestV1,
  requestV2,
  type SellerKey,
} from "../support/facilitator";
import { type Answer, BASE_URL, call } from "../support/http";
import { type Json, linkedPair } from "../support/mandates";
import { observerHasRead, until } from "../support/replica";
import { runService } from "../support/service";
import { claimFrom, freshAddress, paying } from "../support/system";
import { submitDirectly } from "../support/token";

const service = runService();
const AMOUNT = 250_000n;

let owner: TestOwner;
let key: SellerKey;
/** A new address for each test, so that its balance is the sum of the test's payments. */
let payTo: Address;

beforeAll(async () => {
  owner = await newOwner();
  key = await newKey(owner.session);
  await service.world.mint(toAddress(service.payer(0).address), 1_000_000_000n, "base-sepolia");
});
beforeEach(() => {
  payTo = freshAddress();
});

const claim = (change: Parameters<typeof claimFrom>[3] = {}) => claimFrom(service.payer(), payTo, AMOUNT, change);
const verify = (json: object, sellerKey = key) => postVerify(sellerKey, json);
const settle = (json: object, sellerKey = key) => postSettle(sellerKey, json);
const body = (response: Answer) => response.body as Json;
const payer = () => toAddress(service.payer().address);
const sellerBalance = () => service.world.balanceOf(payTo);
const settlements = () =>
  service.opened.sql`select id, state, purpose, subject from settlements where payee = ${payTo}`;

/** Mines until no claim takes what is in the newest block now for its payment. */
async function buryNewest(): Promise<void> {
  await service.world.mine(2 * ADMISSION_BLOCKS_MAX);
  await observerHasRead(service);
}

describe.each([
  { version: 1, request: requestV1, networks: { base: "base", "base-sepolia": "base-sepolia" } as const },
  { version: 2, request: requestV2, networks: { base: "eip155:8453", "base-sepolia": "eip155:84532" } as const },
])("x402 v$version", ({ version, request, networks }) => {
  test.each(["base", "base-sepolia"] as const)(
    "a payment on %s is verified, settled once, and listed",
    async (network) => {
      const json = request(claim({ network }));
      const valid = await verify(json);
      expect([valid.status, valid.body]).toEqual([200, { isValid: true, payer: payer() }]);
      expect(await settlements()).toHaveLength(0);

      const first = await settle(json);
      const [row] = await settlements();
      expect([first.status, first.body]).toEqual([
        200,
        {
          success: true,
          payer: payer(),
          transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/),
          network: networks[network],
          extra: { settlementId: row?.id, receiptUrl: `${BASE_URL}/receipt/${row?.id}` },
        },
      ]);
      expect(await service.world.balanceOf(payTo, network)).toBe(AMOUNT);
      expect(row).toMatchObject({ state: "settled", purpose: "facilitator", subject: key.keyId });

      // The same request again, when a response was lost.
      expect((await settle(json)).body).toEqual(first.body);
      expect(await service.world.balanceOf(payTo, network)).toBe(AMOUNT);
      expect((await verify(json)).body).toEqual({
        isValid: false,
        invalidReason: "duplicate_settlement",
        payer: payer(),
      });

      const listed = body(await call("GET", "/api/facilitator/payments", { session: owner.session }));
      expect(listed.payments[0]).toMatchObject({
        keyId: key.keyId,
        keyName: "Shop",
        settlementStatus: "settled",
        txHash: body(first).transaction,
        payer: payer(),
        payee: payTo,
        amount: AMOUNT.toString(),
        network,
        resource: RESOURCE,
        description: "Weather",
      });
    },
  );

  test("of many simultaneous requests to settle one payment, one is answered as paid; repeating that request returns the same response", async () => {
    const json = request(claim());
    const responses = (await Promise.all(Array.from({ length: 6 }, () => settle(json)))).map(body);
    const paid = responses.filter(({ success }) => success);
    expect(paid).toHaveLength(1);
    for (const response of responses.filter(({ success }) => !success))
      expect(response).toMatchObject({ errorReason: "duplicate_settlement", transaction: "", payer: payer() });
    // The response to that one was lost.
    expect((await settle(json)).body).toEqual(paid[0]);
    expect((await settle(json)).body).toEqual(paid[0]);
    expect(await sellerBalance()).toBe(AMOUNT);
    expect(await settlements()).toHaveLength(1);
  });

  test("of several purchases verified with one proof, exactly one is paid, however late the others settle", async () => {
    const json = request(claim());
    for (const _ of [1, 2, 3]) expect((await verify(json)).body).toMatchObject({ isValid: true });
    expect((await settle(json)).body).toMatchObject({ success: true });
    const lateResponse = [await settle(json), await settle(json)];
    for (const response of lateResponse) expect(response.body).toMatchObject({ errorReason: "duplicate_settlement" });
    expect((await settle(json)).body).toMatchObject({ success: true });
  });

  test("a proof pays for one resource of the seller, also with simultaneous requests", async () => {
    const proof = claim();
    const of = (resource: string) => {
      const json = request(proof);
      if (version === 1) json.paymentRequirements.resource = resource;
      else json.paymentPayload.resource.url = resource;
      return json;
    };
    const resources = ["https://shop.example/a", "https://shop.example/b"];
    const responses = await Promise.all([...resources, ...resources].map((resource) => settle(of(resource))));
    const paidResponse = responses.filter(({ body }) => (body as Json).success);
    expect(paidResponse).toHaveLength(1);
    for (const { body } of responses.filter((response) => !paidResponse.includes(response)))
      expect(body).toMatchObject({ success: false, errorReason: "duplicate_settlement" });
    expect(await sellerBalance()).toBe(AMOUNT);
  });

  const amountMember = version === 1 ? "maxAmountRequired" : "amount";
  const otherPayTo = freshAddress();
  test.each([
    ["another amount", { [amountMember]: (AMOUNT + 1n).toString() }, "invalid_exact_evm_payload_authorization_value"],
    ["a smaller amount", { [amountMember]: (AMOUNT - 1n).toString() }, "invalid_exact_evm_payload_authorization_value"],
    ["an amount of zero", { [amountMember]: "0" }, "invalid_payment_requirements"],
    ["an amount that is no integer", { [amountMember]: "0.25" }, "invalid_payment_requirements"],
    ["an amount above uint256", { [amountMember]: (2n ** 256n).toString() }, "invalid_payment_requirements"],
    ["no amount", { [amountMember]: undefined }, "invalid_payment_requirements"],
    ["another payee", { payTo: otherPayTo }, "invalid_exact_evm_payload_recipient_mismatch"],
    [
      "a payee that is no address",
      { payTo: "CKPKJWNdJEqa81x7CkZ14BVPiY6y16Sxs7owznqtWYp5" },
      "invalid_payment_requirements",
    ],
    ["another asset", { asset: otherPayTo }, "invalid_payment_requirements"],
    ["another network", { network: networks["base-sepolia"], asset: NETWORKS["base-sepolia"].usdc }, "invalid_network"],
    ["an unknown network", { network: "solana" }, "invalid_network"],
    ["another scheme", { scheme: "upto" }, "unsupported_scheme"],
  ])("a requirement with %s is refused, and nothing is claimed", async (_, change, reason) => {
    await expectRefused(request(claim(), change), reason);
  });

  test.each([
    ["expired", { validBefore: 1_700_000_000n }, "invalid_exact_evm_payload_authorization_valid_before"],
    ["valid for too long", { windowSeconds: 7_200 }, "invalid_exact_evm_payload_authorization_valid_before"],
    [
      "not valid yet",
      { validAfter: BigInt(Math.floor(Date.now() / 1000)) + 300n },
      "invalid_exact_evm_payload_authorization_valid_after",
    ],
  ])("a proof that is %s is refused, and nothing is claimed", async (_, change, reason) => {
    await expectRefused(request(claim(change)), reason);
  });

  test("a proof that the payer did not sign is refused", async () => {
    const { signature } = claimFrom(service.payer(1), payTo, AMOUNT);
    await expectRefused(request({ ...claim(), signature }), "invalid_exact_evm_payload_signature");
  });

  test("a signature of an account that is not deployed yet (ERC-6492) is refused without its deployment", async () => {
    const signature = `0x${"00".repeat(64)}${"6492".repeat(16)}` as const;
    await expectRefused(request({ ...claim(), signature }), "invalid_exact_evm_payload_undeployed_smart_wallet");
  });

  test("an account that is not deployed yet (ERC-6492) pays if the operator lists its factory", async () => {
    const { world } = service;
    const factory = await deployFactory(world);
    const { wallet, wrap } = await undeployedWallet(world, factory, service.payer().address);
    await world.mint(wallet, AMOUNT);
    const bare = claim({ from: wallet });
    const json = request({ ...bare, signature: wrap(bare.signature) });
    const reason = "eip6492_factory_not_allowed";
    const message = expect.stringContaining("does not call the factory");
    const unlisted = { isValid: false, invalidReason: reason, invalidMessage: message, payer: wallet };
    expect((await verify(json)).body).toEqual(unlisted);
    expect((await settle(json)).body).toMatchObject({ success: false, errorReason: reason, errorMessage: message });
    await service.restart({ WALLET_FACTORIES: factory });
    expect((await verify(json)).body).toEqual({ isValid: true, payer: wallet });
    expect((await settle(json)).body).toMatchObject({ success: true, payer: wallet });
    expect(await sellerBalance()).toBe(AMOUNT);
  });

  test("a payer without money is refused, and the same proof settles once they have money", async () => {
    const poor = service.payer(4);
    const json = request(claimFrom(poor, payTo, AMOUNT));
    const refusal = { payer: toAddress(poor.address) };
    expect((await verify(json)).body).toMatchObject({
      isValid: false,
      invalidReason: "insufficient_funds",
      ...refusal,
    });
    const unsettled = body(await settle(json));
    expect(unsettled).toMatchObject({ success: false, errorReason: "insufficient_funds", transaction: "", ...refusal });
    expect(unsettled.errorMessage).toMatch(/can still be made until/);
    expect(await settlements()).toHaveLength(0);
    await service.world.mint(toAddress(poor.address), AMOUNT);
    expect((await settle(json)).body).toMatchObject({ success: true, ...refusal });
    expect(await sellerBalance()).toBe(AMOUNT);
  });
});

const waitAgain = () => service.restart({ SETTLE_WAIT_SECONDS: "25" });

async function expectRefused(json: Json, reason: string): Promise<void> {
  const { network } = json.paymentRequirements;
  const verified = await verify(json);
  expect([verified.status, verified.body]).toMatchObject([
    200,
    { isValid: false, invalidReason: reason, payer: payer() },
  ]);
  const settled = await settle(json);
  expect([settled.status, settled.body]).toMatchObject([
    200,
    { success: false, errorReason: reason, payer: payer(), transaction: "", network },
  ]);
  expect(await sellerBalance()).toBe(0n);
  expect(await settlements()).toHaveLength(0);
}

describe("a payer with code", () => {
  /** Verified and settled, with the money at the payee, which `from` has paid. */
  async function expectSettled(json: Json, from: Address): Promise<void> {
    expect((await verify(json)).body).toEqual({ isValid: true, payer: from });
    expect((await settle(json)).body).toMatchObject({ success: true, payer: from });
    expect(await sellerBalance()).toBe(AMOUNT);
  }

  /** Refused by both, without a trace. */
  async function expectForged(json: Json): Promise<void> {
    const reason = "invalid_exact_evm_payload_signature";
    expect((await verify(json)).body).toMatchObject({ isValid: false, invalidReason: reason });
    expect((await settle(json)).body).toMatchObject({ success: false, errorReason: reason, transaction: "" });
    expect([await sellerBalance(), await settlements()]).toEqual([0n, []]);
  }

  const signedBy = (holder: number, from: Address) => claimFrom(service.payer(holder), payTo, AMOUNT, { from });

  test.each([1, 2] as const)("(ERC-1271) pays with its key's signature, in x402 v%i", async (version) => {
    const wallet = await deployWallet(service.world, service.payer(4).address);
    await service.world.mint(wallet, AMOUNT);
    const request = version === 1 ? requestV1 : requestV2;
    await expectForged(request(signedBy(3, wallet)));
    await expectSettled(request(signedBy(4, wallet)), wallet);
    expect(await service.world.balanceOf(wallet)).toBe(0n);
  });

  test("(ERC-1271) without money is refused, and the same proof settles once it has money", async () => {
    const wallet = await deployWallet(service.world, service.payer(4).address);
    const json = requestV1(signedBy(4, wallet));
    expect((await verify(json)).body).toMatchObject({ isValid: false, invalidReason: "insufficient_funds" });
    expect((await settle(json)).body).toMatchObject({ success: false, errorReason: "insufficient_funds" });
    await service.world.mint(wallet, AMOUNT);
    await expectSettled(json, wallet);
  });

  describe("by EIP-7702 delegation", () => {
    const person = () => toAddress(service.payer(3).address);
    const become = async (holder: number) =>
      delegate(service.world, person(), await deployWallet(service.world, service.payer(holder).address));
    beforeEach(() => service.world.mint(person(), AMOUNT));
    afterEach(() => delegate(service.world, person(), null));

    test("pays with its own key while the delegated code accepts that", async () => {
      await become(3);
      await expectSettled(requestV1(signedBy(3, person())), person());
    });

    test("pays with another key that the delegated code accepts", async () => {
      await become(4);
      await expectSettled(requestV2(signedBy(4, person())), person());
    });

    test("cannot pay with its own key if the delegated code refuses it, because the token contract asks the code", async () => {
      await become(4);
      const json = requestV1(signedBy(3, person()));
      const reason = "invalid_exact_evm_payload_signature";
      expect((await verify(json)).body).toMatchObject({ isValid: false, invalidReason: reason });
      expect((await settle(json)).body).toMatchObject({ success: false, errorReason: reason });
      expect(await sellerBalance()).toBe(0n);
    });
  });
});

describe("a payment payload", () => {
  const changed = (change: object) => {
    const json = requestV1(claim());
    return { ...json, paymentPayload: { ...json.paymentPayload, ...change } };
  };

  test.each([
    ["of an unknown version", { x402Version: 3 }, "invalid_x402_version"],
    ["without a version", { x402Version: undefined }, "invalid_x402_version"],
    ["of another scheme", { scheme: "upto" }, "invalid_scheme"],
    ["without a proof", { payload: {} }, "invalid_payload"],
    ["with a proof of another method", { payload: { signature: "0x00", permit2Authorization: {} } }, "invalid_payload"],
  ])("%s is refused", async (_, change, reason) => {
    expect((await verify(changed(change))).body).toMatchObject({ isValid: false, invalidReason: reason });
    expect((await settle(changed(change))).body).toMatchObject({
      success: false,
      errorReason: reason,
      transaction: "",
    });
  });

  test("of one x402 version inside the envelope of the other is refused", async () => {
    const json = { ...requestV1(claim()), x402Version: 2 };
    expect((await verify(json)).body).toMatchObject({ isValid: false, invalidReason: "invalid_x402_version" });
  });

  test("may omit the envelope's version, as in the specification's example", async () => {
    const { x402Version: _, ...json } = requestV2(claim());
    expect((await verify(json)).body).toMatchObject({ isValid: true });
  });

  test("with an asset that its payer did not accept is refused", async () => {
    const json = requestV2(claim());
    json.paymentPayload.accepted = { ...json.paymentPayload.accepted, asset: freshAddress() };
    expect((await verify(json)).body).toMatchObject({ isValid: false, invalidReason: "invalid_payload" });
  });

  test.skipIf(IS_IN_PROCESS)(
    "with text that imitates the service's is marked on the receipt as words of the payer or seller",
    async () => {
      const json = requestV2(claim());
      const description = "Refund of 5,000 USDC by Tessera. Paid";
      json.paymentPayload.resource = { url: "https://bank.example/refund", description };
      const { receiptUrl } = (body(await settle(json)) as Json).extra;
      const page = await call("GET", new URL(receiptUrl).pathname, { headers: { accept: "text/html" } });
      const text = page.text.replace(/<script.*?<\/script>/gs, "").replace(/<[^>]*>/g, "");
      expect(text).toContain(`What for“${description}”Words of the payer or seller, not verified`);
      expect(text).toContain("Web address“https://bank.example/refund”Words of the payer or seller, not verified");
    },
  );

  test("with a resource and description that cannot be displayed settles without them", async () => {
    const json = requestV2(claim());
    json.paymentPayload.resource = { url: "javascript:alert(1)", description: `Weather\u202e${"x".repeat(600)}` };
    expect((await settle(json)).body).toMatchObject({ success: true });
    const [row] = await service.opened.sql`select resource, description from settlements where payee = ${payTo}`;
    expect(row).toEqual({ resource: "", description: "" });
  });
});

describe("a malformed request", () => {
  test.each([
    ["no JSON", { raw: "{" }, 400],
    ["a list", { json: [] }, 400],
    ["no payload", { json: { paymentRequirements: {} } }, 400],
    ["a payload that is a text", { json: { paymentPayload: "x", paymentRequirements: {} } }, 400],
    ["no requirements", { json: { paymentPayload: {} } }, 400],
    [
      "requirements with a number for a text",
      { json: { paymentPayload: {}, paymentRequirements: { scheme: 1 } } },
      400,
    ],
    ["another media type", { raw: "x=1", headers: { "content-type": "text/plain" } }, 415],
    ["too many bytes", { raw: JSON.stringify({ paymentPayload: { x: "x".repeat(140_000) } }) }, 413],
  ])("with %s is refused", async (_, options, status) => {
    for (const path of ["/facilitator/verify", "/facilitator/settle"]) {
      const response = await call("POST", path, { bearer: key.secret, ...options });
      expect([response.status, response.body]).toMatchObject([status, { status: "error", code: expect.any(String) }]);
    }
  });
});

describe("a settlement with an unknown outcome", () => {
  afterEach(waitAgain);

  test("is pending: /verify stays valid so that its buyer can retry, and the repeated request returns the final outcome", async () => {
    const json = requestV2(claim());
    await service.restart({ SETTLE_WAIT_SECONDS: "0" });
    await service.workers.stop();
    const pending = await settle(json);
    expect([pending.status, pending.body]).toMatchObject([
      200,
      { success: false, errorReason: "settlement_pending", transaction: "", payer: payer() },
    ]);
    expect((await verify(json)).body).toEqual({ isValid: true, payer: payer() });
    expect((await settle(json)).body).toEqual(pending.body);
    service.workers.start();
    await until(async () => (await settlements())[0]?.state === "settled", "the settlement");
    // The seller has not got the response yet.
    expect((await verify(json)).body).toEqual({ isValid: true, payer: payer() });
    const settled = body(await settle(json));
    expect(settled).toMatchObject({
      success: true,
      transaction: expect.stringMatching(/^0x/),
      extra: body(pending).extra,
    });
    expect((await verify(json)).body).toMatchObject({ isValid: false, invalidReason: "duplicate_settlement" });
    expect(await sellerBalance()).toBe(AMOUNT);
  });

  test("names its transaction once one was sent", async () => {
    const json = requestV1(claim());
    await service.restart({ SETTLE_WAIT_SECONDS: "0" });
    await service.world.setAutomine(false);
    const transaction = async () => body(await settle(json)).transaction;
    await until(async () => (await transaction()) !== "", "the transaction");
    expect((await settle(json)).body).toMatchObject({ success: false, errorReason: "settlement_pending" });
    expect(await sellerBalance()).toBe(0n);
    await service.world.setAutomine(true);
    await until(async () => body(await settle(json)).success, "the settlement");
    expect(await sellerBalance()).toBe(AMOUNT);
  });
});

describe("a payment that fails on the chain", () => {
  afterEach(waitAgain);

  test("is pending while anybody can still submit it, and failed once the chain shows that nobody can", async () => {
    const spender = service.payer(5);
    await service.world.mint(toAddress(spender.address), AMOUNT);
    const json = requestV1(claimFrom(spender, payTo, AMOUNT, { windowSeconds: 60 }));
    await service.restart({ SETTLE_WAIT_SECONDS: "0" });
    await service.workers.stop();
    expect((await settle(json)).body).toMatchObject({ errorReason: "settlement_pending" });
    await submitDirectly(service.world, claimFrom(spender, freshAddress(), AMOUNT));
    service.workers.start();
    await until(async () => (await settlements())[0]?.state === "declined", "the refusal");
    const declined = body(await settle(json));
    expect(declined).toMatchObject({ success: false, errorReason: "settlement_pending", transaction: "" });
    expect(declined.errorMessage).toMatch(/INSUFFICIENT_FUNDS.*can still be made until/);
    await service.world.increaseTime(120);
    await until(async () => (await settlements())[0]?.state === "void", "the end");
    const ended = body(await settle(json));
    expect(ended).toMatchObject({ success: false, errorReason: "insufficient_funds", transaction: "" });
    expect(ended.errorMessage).toMatch(/No money moved/);
    expect((await verify(json)).body).toMatchObject({ isValid: false, invalidReason: "duplicate_settlement" });
  });

  test("is settled again, once, when a reorganisation removes its block", async () => {
    const json = requestV1(claim());
    expect((await settle(json)).body).toMatchObject({ success: true });
    await service.world.reorg(1);
    await until(
      async () => (await sellerBalance()) === AMOUNT && (await settlements())[0]?.state === "settled",
      "the payment",
    );
    expect((await settle(json)).body).toMatchObject({ success: true });
    expect(await settlements()).toHaveLength(1);
  });
});

/** The seller's context in this process, with another simulation. */
async function simulating(
  around: (simulate: () => ReturnType<Chain["simulateAlone"]>) => ReturnType<Chain["simulateAlone"]>,
) {
  const { system } = service.opened;
  const simulateAlone: Chain["simulateAlone"] = (...call) => around(() => system.chains.base.simulateAlone(...call));
  const chains = { ...system.chains, base: { ...system.chains.base, simulateAlone } };
  return { ...system, chains, requestId: "test", actor: await sellerOf(system, key.secret) } satisfies Ctx<Seller>;
}

describe("a payment that settles while a second request is still simulating it", () => {
  /** The first simulation waits until the payment is settled over HTTP. */
  const overtaken = (json: Json): Promise<Ctx<Seller>> =>
    simulating(async (simulate) => {
      expect((await settle(json)).body).toMatchObject({ success: true });
      return simulate();
    });

  test("is a duplicate for a second request with the same key, because the first request was answered as paid", async () => {
    const json = requestV1(claim());
    const ctx = await overtaken(json);
    expect(await facilitator.settle(ctx, json)).toMatchObject({ isPaid: false, reason: "duplicate_settlement" });
    // A request that begins now repeats one of them.
    expect(await facilitator.settle(ctx, json)).toMatchObject({ isPaid: true, settlement: { state: "settled" } });
    expect(await sellerBalance()).toBe(AMOUNT);
  });

  test("is a duplicate for a request with another key", async () => {
    const json = requestV1(claim());
    const actor = await sellerOf(service.opened.system, (await newKey(owner.session)).secret);
    const outcome = await facilitator.settle({ ...(await overtaken(json)), actor }, json);
    expect(outcome).toMatchObject({ isPaid: false, reason: "duplicate_settlement", settlement: null });
  });

  test("is a duplicate for /verify, because the seller was already answered as paid", async () => {
    const json = requestV1(claim());
    const { refused } = await facilitator.verify(await overtaken(json), json);
    expect(refused).toMatchObject({ reason: "duplicate_settlement" });
  });
});

describe("a proof that was also presented elsewhere", () => {
  test("at another seller's key is refused there, and its money moves once", async () => {
    const otherSellerKey = await newKey(owner.session, { name: "Other shop" });
    const json = requestV1(claim());
    expect((await settle(json)).body).toMatchObject({ success: true });
    expect((await verify(json, otherSellerKey)).body).toMatchObject({
      isValid: false,
      invalidReason: "duplicate_settlement",
    });
    const refusal = (await settle(json, otherSellerKey)).body;
    expect(refusal).toMatchObject({ success: false, errorReason: "duplicate_settlement", transaction: "" });
    expect(JSON.stringify(refusal)).not.toContain("stl_");
    expect(await sellerBalance()).toBe(AMOUNT);
  });

  test("at a UPL is refused at the facilitator, and the reverse", async () => {
    const { agent } = await linkedPair();
    const path = `/unifypaymentlink/agentid/${agent.agentId}?amount=${AMOUNT}&asset=usdc`;
    payTo = body(await call("GET", path)).accepts[0].payTo;
    const [soldClaim, settled] = [claim(), claim()];
    expect((await call("GET", path, { headers: paying(soldClaim) })).status).toBe(200);
    expect((await settle(requestV1(soldClaim))).body).toMatchObject({
      success: false,
      errorReason: "duplicate_settlement",
    });
    expect((await settle(requestV1(settled))).body).toMatchObject({ success: true });
    const refusal = await call("GET", path, { headers: paying(settled) });
    expect([refusal.status, body(refusal).code]).toEqual([409, "PAYMENT_ALREADY_USED"]);
  });

  test("directly on the chain by somebody else is refused, once no earlier request can still claim it", async () => {
    const proof = claim();
    await submitDirectly(service.world, proof);
    await observerHasRead(service);
    expect((await verify(requestV1(proof))).body).toMatchObject({ invalidReason: "duplicate_settlement" });
    const early = (await settle(requestV1(proof))).body;
    expect(early).toMatchObject({ success: false, errorReason: "settlement_pending", transaction: "" });
    await buryNewest();
    expect((await settle(requestV1(proof))).body).toMatchObject({ errorReason: "duplicate_settlement" });
    expect(await settlements()).toHaveLength(0);
  });
});

describe("a proof that is used on the chain after this seller's key has verified it", () => {
  /** Verified, and then submitted by a stranger in a block that nobody has settled. */
  async function usedAfter(): Promise<Json> {
    const proof = claim();
    const json = requestV1(proof);
    expect((await verify(json)).body).toMatchObject({ isValid: true });
    await submitDirectly(service.world, proof);
    await observerHasRead(service);
    return json;
  }

  test("counts as this seller's payment, and settles for one request", async () => {
    const json = await usedAfter();
    const first = (await settle(json)).body;
    expect(first).toMatchObject({ success: true, transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/) });
    // The request repeats one whose response was lost.
    expect((await settle(json)).body).toEqual(first);
    expect(await sellerBalance()).toBe(AMOUNT);
  });

  test("counts as this seller's payment also when delivery took longer than the admission lasts", async () => {
    const json = await usedAfter();
    await buryNewest();
    expect((await settle(json)).body).toMatchObject({ success: true });
  });

  test("is not valid for a second delivery", async () => {
    const json = await usedAfter();
    expect((await verify(json)).body).toMatchObject({ isValid: false, invalidReason: "duplicate_settlement" });
    expect((await settle(json)).body).toMatchObject({ success: true });
  });

  test("pays nothing for another seller's key that never verified it", async () => {
    const json = await usedAfter();
    const otherSellerKey = await newKey(owner.session, { name: "Other shop" });
    expect((await settle(json, otherSellerKey)).body).toMatchObject({ success: false, transaction: "" });
    expect(await settlements()).toHaveLength(0);
    expect((await settle(json)).body).toMatchObject({ success: true });
  });
});

describe("a payment that its payer submits to the chain while a request simulates it", () => {
  /** The first simulation agrees; then the payer submits, and `meanwhile` runs. */
  const submitted = (proof: ReturnType<typeof claim>, meanwhile: () => Promise<unknown>): Promise<Ctx<Seller>> =>
    simulating(async (simulate) => {
      const result = await simulate();
      await submitDirectly(service.world, proof);
      await meanwhile();
      return result;
    });

  test("is pending for a second request, and in the end paid for both", async () => {
    const proof = claim();
    const json = requestV1(proof);
    const ctx = await submitted(proof, async () => {
      await observerHasRead(service);
      expect((await settle(json)).body).toMatchObject({ success: false, errorReason: "settlement_pending" });
    });
    expect(await facilitator.settle(ctx, json)).toMatchObject({ isPaid: true });
    expect((await settle(json)).body).toMatchObject({ success: true });
    expect(await sellerBalance()).toBe(AMOUNT);
  });

  test("is a duplicate for both requests when the first took too long", async () => {
    const proof = claim();
    const json = requestV1(proof);
    const ctx = await submitted(proof, async () => {
      await buryNewest();
      expect((await settle(json)).body).toMatchObject({ success: false, errorReason: "duplicate_settlement" });
    });
    await facilitator.settle(ctx, json);
    await until(async () => (await settlements())[0]?.state === "void", "the end of the settlement");
    expect((await settle(json)).body).toMatchObject({ success: false, errorReason: "duplicate_settlement" });
    expect(await sellerBalance()).toBe(AMOUNT);
  });
});

test("GET /facilitator/supported lists both networks in both x402 versions, without an API key", async () => {
  const { status, body: supported } = await call("GET", "/facilitator/supported");
  expect([status, supported]).toEqual([
    200,
    {
      kinds: [
        { x402Version: 2, scheme: "exact", network: "eip155:8453" },
        { x402Version: 2, scheme: "exact", network: "eip155:84532" },
        { x402Version: 1, scheme: "exact", network: "base" },
        { x402Version: 1, scheme: "exact", network: "base-sepolia" },
      ],
      extensions: [],
      signers: { "eip155:*": [expect.stringMatching(/^0x[0-9a-fA-F]{40}$/)] },
    },
  ]);
});
