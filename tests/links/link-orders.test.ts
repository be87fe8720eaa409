import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Address } from "@/lib/core/address";
import { decodeHeader, encodeHeader } from "@/lib/x402/header";
import { IS_IN_PROCESS } from "../support/base-url";
import { setReceivingAddress } from "../support/confirmations";
import { type Answer, BASE_URL, call } from "../support/http";
import { type Json, linkedPair, type Parties } from "../support/mandates";
import { shareService } from "../support/service";
import { claimFrom, freshAddress, paying, xPaymentOf } from "../support/system";

const FIELDS = [
  { name: "email", label: "E-mail", isRequired: true },
  { name: "size", label: "Size", isRequired: false },
];

const service = shareService();
let seller: Parties;
let payTo: Address;

beforeAll(async () => {
  seller = await linkedPair();
});

beforeEach(async () => {
  payTo = freshAddress();
  await setReceivingAddress(seller, payTo);
});

const body = (response: Answer) => response.body as Json;
const create = (json: object) =>
  call("POST", "/api/payment-links", { bearer: seller.agent.jwt, json: { amount: "500", ...json } });
async function created(json: object): Promise<Json> {
  const response = await create(json);
  expect([response.status, response.body]).toMatchObject([200, { success: true }]);
  return body(response).paymentLink;
}
const get = (linkId: string, query: string, headers: Record<string, string> = {}) =>
  call("GET", `/paymentlink/${linkId}${query}`, { headers });
const proof = (amount: bigint) => claimFrom(service.payer(), payTo, amount);
const sales = async (): Promise<Json[]> =>
  body(await call("GET", "/api/received-payments?limit=1", { bearer: seller.agent.jwt })).payments;
const event = async (settlementId: string) => {
  const [row] = await service.opened.sql`select meta from events where type = 'payment_link.paid'
    and meta->>'settlementId' = ${settlementId}`;
  return row?.meta;
};

describe("a payment link whose payer chooses the amount", () => {
  const customAmount = { min: "100", max: "900", presets: ["200", "900"] };

  test("offers exactly the amount in the URL, and accepts no proof of another amount", async () => {
    const { linkId } = await created({ customAmount });
    const offers = async (query: string) => body(await get(linkId, query)).accepts[0];
    expect(await offers("")).toMatchObject({ maxAmountRequired: "500", resource: `${BASE_URL}/pay/${linkId}` });
    expect(await offers("?amount=200")).toMatchObject({
      maxAmountRequired: "200",
      resource: `${BASE_URL}/pay/${linkId}?amount=200`,
    });
    const paid = proof(200n);
    for (const query of ["", "?amount=201", "?amount=199", "?amount=900"]) {
      const refusal = await get(linkId, query, paying(await paid));
      expect([refusal.status, refusal.body]).toMatchObject([402, { code: "PAYMENT_INSUFFICIENT" }]);
    }
    const done = await get(linkId, "?amount=200", paying(await paid));
    expect([done.status, done.body]).toMatchObject([200, { receipt: { amount: "200" } }]);
    expect(await service.world.balanceOf(payTo)).toBe(200n);
    const repeatedResponse = await get(linkId, "?amount=900", paying(await paid));
    expect([repeatedResponse.status, repeatedResponse.body]).toMatchObject([409, { code: "PAYMENT_ALREADY_USED" }]);
    expect(await service.world.balanceOf(payTo)).toBe(200n);
  });

  test.each(["99", "901", "0", "", "1.5", "abc"])("refuses the amount %j, and a proof of it", async (amount) => {
    const { linkId } = await created({ customAmount });
    const refusal = await get(linkId, `?amount=${amount}`);
    expect([refusal.status, refusal.body]).toMatchObject([
      400,
      { code: "AMOUNT_NOT_OFFERED", minAmount: "100", maxAmount: "900" },
    ]);
    const presented = await get(linkId, `?amount=${amount}`, paying(await proof(99n)));
    expect(presented.status).toBe(400);
    expect(await service.world.balanceOf(payTo)).toBe(0n);
  });

  test("refuses an x402 v2 proof that names another URL", async () => {
    const { linkId } = await created({ customAmount });
    const { authorization, signature } = xPaymentOf(await proof(200n)).payload;
    const { body: required } = await get(linkId, "?amount=200");
    const { payTo: to, asset } = (required as Json).accepts[0];
    const v2 = (query: string) => ({
      "payment-signature": encodeHeader({
        x402Version: 2,
        accepted: { scheme: "exact", network: "eip155:8453", amount: "200", payTo: to, asset },
        resource: { url: `${BASE_URL}/pay/${linkId}${query}` },
        payload: { signature, authorization },
      }),
    });
    const refusal = await get(linkId, "?amount=200", v2("?amount=100"));
    expect([refusal.status, refusal.body]).toMatchObject([402, { code: "PAYMENT_RESOURCE_MISMATCH" }]);
    expect((await get(linkId, "?amount=200", v2("?amount=200"))).status).toBe(200);
  });
});

test("a quantity multiplies the price exactly, and the seller reads it with the sale", async () => {
  const { linkId } = await created({ maxQuantity: 3, reference: "R-1", metadata: { customer: "42" } });
  const refusal = await get(linkId, "?quantity=4");
  expect([refusal.status, refusal.body]).toMatchObject([400, { code: "QUANTITY_NOT_OFFERED", maxQuantity: 3 }]);
  const short = await get(linkId, "?quantity=3", paying(await proof(1_000n)));
  expect([short.status, short.body]).toMatchObject([402, { code: "PAYMENT_INSUFFICIENT" }]);
  const done = await get(linkId, "?quantity=3", paying(await proof(1_500n)));
  expect(done.status).toBe(200);
  const sold = { quantity: 3, reference: "R-1", metadata: { customer: "42" } };
  expect(await sales()).toMatchObject([{ amount: "1500", ...sold }]);
  expect(await event(body(done).settlementId)).toMatchObject({ amount: "1500", ...sold });
});

describe("a payment link with questions", () => {
  test("answers a bare probe with its price and the schema of its fields if it is listed, and sells only with the answers", async () => {
    const { linkId } = await created({ fields: FIELDS, isListed: true });
    const probe = await get(linkId, "");
    expect(probe.status).toBe(402);
    const { error, accepts } = body(probe);
    expect(error).toContain("Add to the query first: email.");
    expect(accepts).toMatchObject([
      { maxAmountRequired: "500", outputSchema: { input: { queryParams: { email: "text" }, discoverable: true } } },
    ]);
    const { extensions } = decodeHeader(probe.headers.get("payment-required") ?? "") as Json;
    expect(extensions.bazaar.schema.properties.input.properties.queryParams).toMatchObject({
      properties: { email: { description: "E-mail" }, size: { description: "Size" } },
      required: ["email"],
    });
    for (const query of ["?size=XL", "?email=", "?utm_source=a"]) expect((await get(linkId, query)).status).toBe(400);
    const presented = await get(linkId, "", paying(await proof(500n)));
    expect([presented.status, presented.body]).toMatchObject([400, { code: "FIELD_INVALID", field: "email" }]);
    expect(await service.world.balanceOf(payTo)).toBe(0n);
    const { linkId: unlisted } = await created({ fields: FIELDS });
    expect((await get(unlisted, "")).status).toBe(400);
  });

  test("has headers below 8 KB in each 402, whatever it says, and the body says all of it", async () => {
    const description = "\u{1f600}".repeat(1000);
    const label = "\u{1f4e6}".repeat(100);
    const fields = Array.from({ length: 5 }, (_, index) => ({
      name: `${index}`.padStart(40, "f"),
      label,
      isRequired: true,
    }));
    const json = { description, title: label, fields, isListed: true, customAmount: { min: "1", max: "900" } };
    const { linkId } = await created({ ...json, resourceContent: "sold", amount: "500" });
    const answered = fields.map(({ name }) => `${name}=${encodeURIComponent("\u{1f4e6}".repeat(29))}`).join("&");
    for (const query of ["", `?amount=900&${answered}`]) {
      const response = await get(linkId, query);
      expect(response.status).toBe(402);
      const sizes = [...response.headers].map(([name, value]) => name.length + value.length + 4);
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(8_192);
      const [offer] = body(response).accepts;
      expect(offer.description).toBe(description);
      const required = decodeHeader(response.headers.get("payment-required") ?? "") as Json;
      expect(required).toMatchObject({ x402Version: 2, resource: { url: offer.resource }, accepts: [{ payTo }] });
      const all = { ...body(response).extensions, ...required.extensions };
      expect(Object.keys(all)).toEqual(expect.arrayContaining(["payment-identifier", "bazaar", "sign-in-with-x"]));
    }
  });

  test("names the missing answer in its error, and shows the answers to the seller only", async () => {
    const { linkId } = await created({ fields: FIELDS });
    for (const query of ["", "?email=", `?email=${"x".repeat(201)}`, "?email=a&email=b"]) {
      const refusal = await get(linkId, query);
      expect([refusal.status, refusal.body]).toMatchObject([
        400,
        { code: "FIELD_INVALID", field: "email", fields: FIELDS },
      ]);
    }
    const query = "?size=XL%2C%20blue&email=ann%40example.com";
    const offered = body(await get(linkId, query)).accepts[0];
    expect(offered.resource).toBe(`${BASE_URL}/pay/${linkId}?email=ann%40example.com&size=XL%2C+blue`);
    const done = await get(linkId, query, paying(await proof(500n)));
    expect(done.status).toBe(200);
    const responses = { email: "ann@example.com", size: "XL, blue" };
    expect(await sales()).toMatchObject([{ answers: responses }]);
    const { settlementId } = body(done);
    expect(await event(settlementId)).toMatchObject({ answers: responses });
    const receipt = await call("GET", `/api/settlements/${settlementId}`);
    expect(receipt.text).not.toContain("ann");
    const csv = await call("GET", "/api/received-payments.csv", { session: seller.owner.session });
    expect(csv.text.split("\n")[1]).toContain("ann@example.com");
  });

  test("sells nothing else for a repeated payment identifier", async () => {
    const { linkId } = await created({ fields: FIELDS });
    const { authorization, signature } = xPaymentOf(await proof(500n)).payload;
    const { payTo: to, asset } = body(await get(linkId, "?email=a")).accepts[0];
    const v2 = {
      "payment-signature": encodeHeader({
        x402Version: 2,
        accepted: { scheme: "exact", network: "eip155:8453", amount: "500", payTo: to, asset },
        payload: { signature, authorization },
        extensions: { "payment-identifier": { info: { required: false, id: "pay_0123456789abcdef" } } },
      }),
    };
    const first = await get(linkId, "?email=a", v2);
    expect(first.status).toBe(200);
    expect(body(await get(linkId, "?email=a", v2)).settlementId).toBe(body(first).settlementId);
    const otherResponse = await get(linkId, "?email=b", v2);
    expect([otherResponse.status, otherResponse.body]).toMatchObject([409, { code: "PAYMENT_IDENTIFIER_REUSED" }]);
  });
});

describe("property names that every object has, like constructor,", () => {
  const NAMES = ["constructor", "__proto__", "toString", "hasOwnProperty", "valueOf"];
  const FORM = /^[a-z][a-z0-9_]*$/;
  const allowed = NAMES.filter((name) => FORM.test(name));
  const query = `?${new URLSearchParams(NAMES.map((name) => [name, `a ${name}`]))}`;
  const opensAsPage = async (linkId: string, asked?: string) => {
    // Pages need the build.
    if (IS_IN_PROCESS) return;
    for (const path of [`/pay/${linkId}`, `/embed/pay/${linkId}`])
      for (const each of ["", query]) {
        const page = await call("GET", `${path}${each}`, { headers: { accept: "text/html" } });
        expect([path, each, page.status]).toEqual([path, each, 200]);
        expect(page.text).not.toContain("native code");
        if (asked && each === query) expect(page.text).toContain(`value="a ${asked}"`);
      }
  };

  test.each(allowed)("are accepted as the name of a question: %s", async (name) => {
    const optional = await created({ fields: [{ name, label: "x", isRequired: false }] });
    await opensAsPage(optional.linkId, name);
    const plain = await get(optional.linkId, "");
    expect([plain.status, body(plain).accepts[0].resource]).toEqual([402, `${BASE_URL}/pay/${optional.linkId}`]);
    const { linkId } = await created({ fields: [{ name, label: "x", isRequired: true }] });
    await opensAsPage(linkId);
    const refusal = await get(linkId, "");
    expect([refusal.status, refusal.body]).toMatchObject([400, { code: "FIELD_INVALID", field: name }]);
    const done = await get(linkId, query, paying(await proof(500n)));
    expect(done.status).toBe(200);
    const responses = { [name]: `a ${name}` };
    expect(await sales()).toMatchObject([{ answers: responses }]);
    expect(await event(body(done).settlementId)).toMatchObject({ answers: responses });
  });

  test.each(NAMES.filter((name) => !allowed.includes(name)))(
    "are refused as the name of a question: %s",
    async (name) => {
      const refusal = await create({ fields: [{ name, label: "x" }] });
      expect([refusal.status, refusal.body]).toMatchObject([400, { code: "INVALID_REQUEST", field: "fields.0.name" }]);
    },
  );

  test("change nothing as parameters of a link without such a question", async () => {
    for (const options of [{}, { maxQuantity: 3 }, { fields: FIELDS.map((f) => ({ ...f, isRequired: false })) }]) {
      const { linkId } = await created(options);
      const offered = await get(linkId, query);
      expect([offered.status, body(offered).accepts[0]]).toMatchObject([
        402,
        { maxAmountRequired: "500", resource: `${BASE_URL}/pay/${linkId}` },
      ]);
      await opensAsPage(linkId);
    }
  });

  // The service's JSON reader refuses names that reach a prototype, at any depth.
  const RESERVED = ["constructor", "__proto__"];

  test.each(RESERVED)("are refused as a key of metadata: %s", async (name) => {
    const raw = `{"amount":"500","metadata":{"${name}":"x"}}`;
    const refusal = await call("POST", "/api/payment-links", { bearer: seller.agent.jwt, raw });
    expect(refusal.status).toBe(400);
  });

  test("do not affect other keys of metadata, which are returned", async () => {
    const keys = NAMES.filter((name) => !RESERVED.includes(name));
    const metadata = Object.fromEntries(keys.map((name) => [name, `own ${name}`]));
    const { linkId } = await created({ metadata });
    const read = await call("GET", `/api/payment-links/${linkId}`, { bearer: seller.agent.jwt });
    expect(body(read).paymentLink.metadata).toEqual(metadata);
    const done = await get(linkId, "", paying(await proof(500n)));
    expect(done.status).toBe(200);
    const [sale] = await sales();
    expect(sale?.metadata).toEqual(metadata);
  });
});

describe("a new payment link", () => {
  test("returns its options, and stores them", async () => {
    const options = {
      title: "A report",
      disabledMessage: "Back on Monday",
      taxNote: "VAT DE 1\nincluded",
      metadata: { a: "1", "b.c": "two\nlines" },
      maxQuantity: 5,
      fields: FIELDS,
    };
    const link = await created(options);
    expect(link).toMatchObject(options);
    const path = `/api/payment-links/${link.linkId}`;
    for (const [name, value] of Object.entries({ metadata: {}, maxQuantity: 2, fields: [], customAmount: null })) {
      const refusal = await call("PATCH", path, { bearer: seller.agent.jwt, json: { [name]: value } });
      expect([refusal.status, refusal.body]).toMatchObject([400, { code: "INVALID_REQUEST", field: name }]);
    }
    const changed = await call("PATCH", path, {
      bearer: seller.agent.jwt,
      json: { title: null, taxNote: null, disabledMessage: "Closed for good", status: "disabled" },
    });
    expect(body(changed).paymentLink).toMatchObject({ disabledMessage: "Closed for good", fields: FIELDS });
    expect(body(changed).paymentLink).not.toHaveProperty("title");
    expect(body(changed).paymentLink).not.toHaveProperty("taxNote");
    const gone = await get(link.linkId, "?email=a");
    expect([gone.status, gone.body]).toMatchObject([410, { code: "LINK_DISABLED", sellerMessage: "Closed for good" }]);
  });

  const range = { min: "100", max: "900" };
  test.each<[string, object]>([
    ["customAmount", { customAmount: { ...range, min: "501" } }],
    ["customAmount", { customAmount: { ...range, max: "499" } }],
    ["customAmount.presets", { customAmount: { ...range, presets: ["1000"] } }],
    ["customAmount.presets", { customAmount: { ...range, presets: ["100", "200", "300", "400", "500"] } }],
    ["maxQuantity", { customAmount: range, maxQuantity: 2 }],
    ["maxQuantity", { maxQuantity: 1 }],
    ["maxQuantity", { maxQuantity: 10_001 }],
    ["maxQuantity", { amount: (2n ** 255n).toString(), maxQuantity: 2 }],
    ["amount", { amount: "1.5", maxQuantity: 2 }],
    ["amount", { amount: "0xff", customAmount: range }],
    ["metadata", { metadata: Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`k${index}`, "v"])) }],
    ["metadata.k", { metadata: { k: "x".repeat(501) } }],
    ["fields", { fields: [FIELDS[0], FIELDS[0]] }],
    ["fields.0.name", { fields: [{ name: "amount", label: "A" }] }],
    ["fields.0.name", { fields: [{ name: "A b", label: "A" }] }],
    ["fields.0.label", { fields: [{ name: "a", label: "\u202e" }] }],
    ["fields", { fields: Array.from({ length: 6 }, (_, index) => ({ name: `f${index}`, label: "A" })) }],
    ["title", { title: "x".repeat(101) }],
    ["disabledMessage", { disabledMessage: "x".repeat(501) }],
    ["taxNote", { taxNote: "x".repeat(301) }],
    ["taxNote", { taxNote: "\u202e" }],
    ["cancelUrl", { cancelUrl: 1 }],
  ])("is refused for an invalid %s", async (field, json) => {
    const refusal = await create(json);
    expect([refusal.status, refusal.body]).toMatchObject([400, { code: "INVALID_REQUEST", field }]);
  });

  test("is refused for a cancelUrl at a domain that is not allowed", async () => {
    expect((await create({ cancelUrl: "https://evil.example/" })).body).toMatchObject({
      code: "REDIRECT_ORIGIN_NOT_ALLOWED",
    });
  });
});
