import { createWalletClient, http, publicActions } from "viem";
import { base } from "viem/chains";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { settle, verify } from "x402/facilitator";
import { decodePayment } from "x402/schemes";
import {
  type PaymentPayload,
  PaymentPayloadSchema,
  type PaymentRequirements,
  PaymentRequirementsSchema,
} from "x402/types";
import { type Address, toAddress } from "@/lib/core/address";
import { toUsdc } from "@/lib/core/money";
import { requirementV1 } from "@/lib/x402/requirement";
import { violations } from "@/ops/invariants";
import { call } from "../support/http";
import { type Json, linkedPair, type Parties, pay, signedMandate } from "../support/mandates";
import { until } from "../support/replica";
import { freshAddress, openSystem } from "../support/system";
import { createWorld, type World } from "../support/world";

const AMOUNT = 250_000n;
const LIMIT = 1_000_000n;
const RESOURCE = "https://api.example.com/weather?city=Bern";

let world: World;
let opened: ReturnType<typeof openSystem>;
let wiring: typeof import("../support/wiring");
let workers: { stop: () => Promise<void> };
let pair: Parties;
let wallet: Address;

beforeAll(async () => {
  world = await createWorld({ networks: ["base", "base-sepolia"] });
  process.env.POLL_MILLISECONDS = "400";
  opened = openSystem();
  wiring = await import("../support/wiring");
  workers = wiring.startWorkers();
  pair = await linkedPair();
  const { body } = await call("GET", "/api/wallet", { session: pair.owner.session });
  wallet = (body as Json).wallets.find((w: Json) => w.network === "base").address;
  await world.mint(wallet, 10n * LIMIT);
});

afterAll(async () => {
  await workers?.stop();
  await wiring?.closeSystem();
  await opened?.close();
  await world?.stop();
});

/** A foreign facilitator with its own funded key on the same chain. */
function facilitator() {
  const [, , , , , account] = world.accounts;
  if (!account) throw new Error("no such account");
  return createWalletClient({ account, chain: base, transport: http(world.rpc.base) }).extend(publicActions);
}

/** Another seller's requirement, in the reference's type. */
const requirementOf = (payTo: Address): PaymentRequirements =>
  PaymentRequirementsSchema.parse(
    requirementV1({ network: "base", amount: toUsdc(AMOUNT), payTo, resource: RESOURCE, description: "Weather" }),
  );

async function signed(mandateId: string, payTo: Address) {
  const change = { payTo, amount: AMOUNT.toString(), resource: RESOURCE, validityWindowSeconds: 60 };
  const { status, body } = await pay(pair.agent, mandateId, change);
  expect({ status, body }).toMatchObject({ status: 200 });
  const { xPaymentB64, xPayment, paymentRecordId } = body as Json;
  return { xPaymentB64, xPayment, paymentRecordId } as {
    xPaymentB64: string;
    xPayment: unknown;
    paymentRecordId: string;
  };
}

const mandateOf = async (mandateId: string): Promise<Json> =>
  ((await call("GET", `/api/mandates/agent/${mandateId}`, { bearer: pair.agent.jwt })).body as Json).mandate;
const paymentOf = async (id: string): Promise<Json> => {
  const { body } = await call("GET", `/api/payments/${id}`, { bearer: pair.agent.jwt });
  return (body as Json).payment ?? body;
};

describe("a proof signed by the endpoint x402V3Payment", () => {
  test("is parsed by the reference implementation exactly as it was sent", async () => {
    const { mandateId } = await signedMandate({ limitAmount: LIMIT.toString() }, pair);
    const { xPaymentB64, xPayment } = await signed(mandateId, freshAddress());
    expect(decodePayment(xPaymentB64)).toEqual(xPayment);
    expect(PaymentPayloadSchema.safeParse(xPayment).error).toBeUndefined();
  });

  test("is verified and settled by the reference facilitator, and our payment changes from pending to spent", async () => {
    const { mandateId } = await signedMandate({ limitAmount: LIMIT.toString() }, pair);
    const payTo = freshAddress();
    const { xPaymentB64, paymentRecordId } = await signed(mandateId, payTo);
    expect(await mandateOf(mandateId)).toMatchObject({
      spentAmount: "0",
      pendingSpentAmount: AMOUNT.toString(),
      remainingAmount: (LIMIT - AMOUNT).toString(),
    });

    const payload = decodePayment(xPaymentB64) as PaymentPayload;
    const client = facilitator();
    // The reference was compiled against another version of viem.
    expect(await verify(client as never, payload, requirementOf(payTo))).toEqual({ isValid: true, payer: wallet });
    const settled = await settle(client as never, payload, requirementOf(payTo));
    expect(settled).toMatchObject({ success: true, network: "base", payer: wallet });
    expect(await world.balanceOf(payTo)).toBe(AMOUNT);

    await until(async () => (await mandateOf(mandateId)).pendingSpentAmount === "0", "the observer");
    expect(await mandateOf(mandateId)).toMatchObject({
      spentAmount: AMOUNT.toString(),
      pendingSpentAmount: "0",
      remainingAmount: (LIMIT - AMOUNT).toString(),
    });
    expect(await paymentOf(paymentRecordId)).toMatchObject({ status: "settled", txHash: settled.transaction });
    expect(await violations(opened.system)).toEqual([]);
  });

  test("is rejected by the reference facilitator for any requirement other than the signed one", async () => {
    const { mandateId } = await signedMandate({ limitAmount: LIMIT.toString() }, pair);
    const payTo = freshAddress();
    const { xPaymentB64 } = await signed(mandateId, payTo);
    const payload = decodePayment(xPaymentB64) as PaymentPayload;
    const dearer = { ...requirementOf(payTo), maxAmountRequired: (AMOUNT + 1n).toString() };
    const client = facilitator();
    expect(await verify(client as never, payload, requirementOf(freshAddress()))).toMatchObject({ isValid: false });
    expect(await verify(client as never, payload, dearer)).toMatchObject({ isValid: false });
    expect(await world.balanceOf(payTo)).toBe(0n);
    expect(await mandateOf(mandateId)).toMatchObject({ spentAmount: "0", pendingSpentAmount: AMOUNT.toString() });
  });
});

test("a proof signed by the endpoint x402V3Payment pays a UPL, and counts once as spent and once as received", async () => {
  const { mandateId } = await signedMandate({ limitAmount: LIMIT.toString() }, pair);
  const other = await linkedPair();
  const path = `/unifypaymentlink/agentid/${other.agent.agentId}?amount=${AMOUNT}&asset=usdc`;
  const required = (await call("GET", path)).body as Json;
  const [offer] = required.accepts;
  const { body } = await pay(pair.agent, mandateId, {
    payTo: offer.payTo,
    amount: offer.maxAmountRequired,
    resource: offer.resource,
    network: offer.network,
    assetAddress: offer.asset,
    validityWindowSeconds: offer.maxTimeoutSeconds,
  });
  const paid = await call("GET", path, { headers: { "x-payment": (body as Json).xPaymentB64 } });
  expect([paid.status, paid.body]).toMatchObject([200, { success: true, payer: wallet, payee: offer.payTo }]);
  expect(await world.balanceOf(toAddress(offer.payTo))).toBe(AMOUNT);
  expect(await mandateOf(mandateId)).toMatchObject({ spentAmount: AMOUNT.toString(), pendingSpentAmount: "0" });
  expect(await paymentOf((body as Json).paymentRecordId)).toMatchObject({
    status: "settled",
    txHash: (paid.body as Json).txHash,
  });
  expect(await violations(opened.system)).toEqual([]);
});
