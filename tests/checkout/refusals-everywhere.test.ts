import type { HDAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { toAddress } from "@/lib/core/address";
import type { Endpoint } from "@/lib/core/endpoint";
import type { Claim } from "@/lib/settlements/service";
import { encodeHeader } from "@/lib/x402/header";
import { named } from "../support/endpoints";
import { type Answer, call } from "../support/http";
import { type Json, linkedPair, type Parties } from "../support/mandates";
import { PAID, type Sale, saleOf } from "../support/payment-places";
import { runService } from "../support/service";
import { YES } from "../support/sign-in";
import { claimFrom, freshAddress, paying, xPaymentOf } from "../support/system";
import { plainUpstream } from "../support/upstream";

/** Why a payment is refused, at every endpoint that sells something. */
const service = runService();
const paid = PAID;

const sales = new Map<string, Sale>();
let pair: Parties;
const wallet = freshAddress();

beforeAll(async () => {
  pair = await linkedPair();
  for (const endpoint of paid) sales.set(named(endpoint), await saleOf(endpoint, pair, await plainUpstream()));
  await service.world.client().setCode({ address: wallet, bytecode: YES });
});

const payer = (): HDAccount => service.payer();
const claim = (sale: Sale, change: Parameters<typeof claimFrom>[3] = {}) =>
  claimFrom(payer(), sale.payTo, sale.amount, change);
const present = ({ method, path, json }: Sale, headers: Record<string, string>) =>
  call(method, path, { headers, ...(json && { json }) });

/** A v2 payload, with other members of `accepted` or extensions. */
function payingV2({ required }: Sale, proof: Claim, change: { accepted?: object; extensions?: object } = {}) {
  const { payload } = xPaymentOf(proof);
  const accepted = { ...required.accepts[0], ...change.accepted };
  const { extensions = {} } = change;
  return {
    "payment-signature": encodeHeader({ x402Version: 2, resource: required.resource, accepted, payload, extensions }),
  };
}
const identified = (id: string) => ({ extensions: { "payment-identifier": { info: { required: false, id } } } });

const now = () => BigInt(Math.floor(Date.now() / 1000));

const REFUSED: [code: string, status: number, headersFor: (sale: Sale) => Record<string, string>][] = [
  ["INVALID_PAYMENT_HEADER", 400, () => ({ "x-payment": "nonsense" })],
  ["PAYMENT_CREDENTIAL_INVALID", 402, () => ({ authorization: "Payment nonsense" })],
  ["PAYMENT_IDENTIFIER_INVALID", 400, (sale) => payingV2(sale, claim(sale), identified("short"))],
  [
    "PAYMENT_NETWORK_MISMATCH",
    402,
    (sale) => paying(claimFrom(payer(), sale.payTo, sale.amount, { network: "base-sepolia" })),
  ],
  ["PAYMENT_ASSET_MISMATCH", 402, (sale) => payingV2(sale, claim(sale), { accepted: { asset: freshAddress() } })],
  ["PAYMENT_RECIPIENT_MISMATCH", 402, (sale) => paying(claim({ ...sale, payTo: freshAddress() }))],
  ["PAYMENT_INSUFFICIENT", 402, (sale) => paying(claim({ ...sale, amount: sale.amount - 1n }))],
  ["PAYMENT_EXPIRED", 402, (sale) => paying(claim(sale, { validBefore: now() - 3600n }))],
  ["PAYMENT_VALIDITY_TOO_LONG", 402, (sale) => paying(claim(sale, { windowSeconds: 7200 }))],
  ["PAYMENT_NOT_YET_VALID", 402, (sale) => paying(claim(sale, { validAfter: now() + 300n }))],
  [
    "PAYMENT_SIGNATURE_INVALID",
    402,
    (sale) => paying({ ...claim(sale), signature: claimFrom(service.payer(1), sale.payTo, sale.amount).signature }),
  ],
  ["SETTLEMENT_FAILED", 500, (sale) => paying(claimFrom(service.payer(7), sale.payTo, sale.amount))],
];

const codeOf = ({ status, body }: Answer) => [status, (body as Json).code];

describe.each(paid.map(named))("%s", (name) => {
  const sale = () => {
    const match = sales.get(name);
    if (!match) throw new Error(`${name} has no price`);
    return match;
  };

  test.each(REFUSED)("refuses a payment with %s", async (code, status, headersFor) => {
    expect(codeOf(await present(sale(), headersFor(sale())))).toEqual([status, code]);
  });

  test("takes one proof once, and one payment for each payment identifier", async () => {
    const id = freshAddress();
    const proof = claim(sale());
    const first = await present(sale(), payingV2(sale(), proof, identified(id)));
    expect([first.status, first.text]).toEqual([200, expect.any(String)]);
    const again = await present(sale(), paying(proof));
    // The answer of a seller's API, and a pass for it, are given again to the buyer's address.
    if (/ \/(paid|pass)\//.test(name)) expect([again.status, again.text]).toEqual([200, first.text]);
    else expect(codeOf(again)).toEqual([409, "PAYMENT_ALREADY_USED"]);
    const reused = await present(sale(), payingV2(sale(), claim(sale()), identified(id)));
    expect(codeOf(reused)).toEqual([409, "PAYMENT_IDENTIFIER_REUSED"]);
  });
});

describe("while a payment is pending", () => {
  beforeAll(async () => {
    await service.workers.stop();
    await service.restart({ SETTLE_WAIT_SECONDS: "0" });
  });

  test.each(paid.map(named))("%s responds with 202 and the status pending", async (name) => {
    const sale = sales.get(name) as Sale;
    const response = await present(sale, paying(claim(sale)));
    expect([response.status, response.body]).toMatchObject([202, { status: "pending" }]);
  });
});

describe("a scan that the service does not offer", () => {
  const scans = paid.filter(({ path }) => path.includes("-scan") || path.endsWith("/scan"));

  beforeAll(() => service.restart({ FIREWALL_PRICES: "scan=off,x402-scan=off,prompt-scan=off" }));
  afterAll(() => service.restart({ FIREWALL_PRICES: "" }));

  test.each(scans.map(named))("is refused by %s", async (name) => {
    expect(codeOf(await present(sales.get(name) as Sale, {}))).toEqual([404, "SCAN_NOT_OFFERED"]);
  });
});

describe("a payment from an account with code", () => {
  const fromWallet = (name: string) => {
    const sale = sales.get(name) as Sale;
    return present(sale, paying(claim(sale, { from: toAddress(wallet) })));
  };

  beforeAll(async () => {
    await service.world.mint(wallet, 100_000_000n);
  });

  describe("above the rate limit of its client address", () => {
    beforeAll(async () => {
      await service.restart({
        RATE_LIMITS: `${process.env.RATE_LIMITS},contract_payment_per_address=1/1h`,
        MIN_CONTRACT_PAYMENT: "1",
      });
      await fromWallet(named(paid[0] as Endpoint));
    });

    test.each(paid.map(named))("is refused by %s", async (name) => {
      expect(codeOf(await fromWallet(name))).toEqual([429, "TOO_MANY_CONTRACT_PAYMENTS"]);
    });
  });

  describe("that is smaller than the cost of its transfer", () => {
    beforeAll(() => service.restart({ MIN_CONTRACT_PAYMENT: "1000000000" }));

    test.each(paid.map(named))("is refused by %s", async (name) => {
      expect(codeOf(await fromWallet(name))).toEqual([402, "AMOUNT_TOO_SMALL"]);
    });
  });
});
