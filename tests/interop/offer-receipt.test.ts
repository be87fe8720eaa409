import { readFileSync } from "node:fs";
import { registerExactEvmScheme } from "@x402/evm/exact/client";
import {
  canonicalize,
  decodeSignedOffers,
  extractJWSHeader,
  extractOffersFromPaymentRequired,
  extractReceiptFromResponse,
  extractReceiptPayload,
  findAcceptsObjectFromSignedOffer,
  verifyOfferSignatureJWS,
  verifyReceiptMatchesOffer,
  verifyReceiptSignatureJWS,
} from "@x402/extensions/offer-receipt";
import { appendPaymentIdentifierToExtensions, generatePaymentId } from "@x402/extensions/payment-identifier";
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { Ajv2020 } from "ajv/dist/2020.js";
import { CompactSign, compactVerify, createLocalJWKSet, exportJWK, generateKeyPair, type JSONWebKeySet } from "jose";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { decodeXPaymentResponse, wrapFetchWithPayment as wrapFetchWithPaymentV1 } from "x402-fetch";
import { verifyOffer, verifyReceipt } from "@/docs/verifiers/verify-x402";
import { toAddress } from "@/lib/core/address";
import { encodeHeader } from "@/lib/x402/header";
import { NETWORKS } from "@/lib/x402/networks";
import { IS_IN_PROCESS } from "../support/base-url";
import { setReceivingAddress } from "../support/confirmations";
import { type Answer, BASE_URL, call, fetchPath } from "../support/http";
import { type Json, linkedPair, type Parties } from "../support/mandates";
import { until } from "../support/replica";
import { runService } from "../support/service";
import { claimFrom, freshAddress, paying, xPaymentOf } from "../support/system";
import * as wiring from "../support/wiring";

const AMOUNT = 250_000n;
const SCAN = "/api/transaction-firewall/sentinel/api/prompt-scan";
const DID = `did:web:${encodeURIComponent(new URL(BASE_URL).host)}`;
const service = runService();

type JwsOffer = Parameters<typeof verifyOfferSignatureJWS>[0];
type JwsReceipt = Parameters<typeof verifyReceiptSignatureJWS>[0];

const body = (answer: Answer) => answer.body as Json;
const decoded = (text: string | null): Json => JSON.parse(Buffer.from(text ?? "", "base64").toString());

let seller: Parties;
beforeAll(async () => {
  seller = await linkedPair();
});

const realFetch = fetch;
/** Packages from npm reach the server of this file with fetch, also to resolve its DID. */
const fetchHere: typeof fetch = async (input, init) => {
  // Over HTTP nothing stands in: a server that starts is awaited with fetch.
  if (!IS_IN_PROCESS) return realFetch(input, init);
  const req = new Request(input, init);
  if (!req.url.startsWith(`${BASE_URL}/`)) return realFetch(req);
  return fetchPath(req.method, req.url.slice(BASE_URL.length), { headers: req.headers });
};
beforeEach(() => {
  vi.stubGlobal("fetch", fetchHere);
});
afterEach(() => vi.unstubAllGlobals());

type Sold = { method: "GET" | "POST"; path: string; resource: string; json?: object };

async function newLink(fields: object = {}): Promise<Sold> {
  const json = { amount: AMOUNT.toString(), resourceContent: "the report", ...fields };
  const { linkId } = body(await call("POST", "/api/payment-links", { bearer: seller.agent.jwt, json })).paymentLink;
  return { method: "GET", path: `/paymentlink/${linkId}`, resource: `${BASE_URL}/pay/${linkId}` };
}

function uplOf(amount = AMOUNT, more = ""): Sold {
  const path = `/unifypaymentlink/agentid/${seller.agent.agentId}?amount=${amount}&asset=usdc${more}`;
  return { method: "GET", path, resource: `${BASE_URL}${path}` };
}

const scan: Sold = {
  method: "POST",
  path: SCAN,
  resource: `${BASE_URL}${SCAN}`,
  json: { text: "What is the weather in Bern?" },
};
const topUp = (): Sold => {
  const path = "/api/credits/top-up";
  const json = { amount: "5000000", agentId: seller.agent.agentId };
  return { method: "POST", path, resource: `${BASE_URL}${path}`, json };
};

const request = ({ method, path, json }: Sold, headers: Record<string, string> = {}) =>
  call(method, path, { headers, ...(json && { json }) });

async function required(sold: Sold): Promise<Json> {
  const answer = await request(sold);
  expect(answer.status).toBe(402);
  return decoded(answer.headers.get("payment-required"));
}

function onlyOffer(from: Json): JwsOffer {
  const offers = extractOffersFromPaymentRequired(from as never);
  expect(offers).toEqual([{ format: "jws", acceptIndex: 0, signature: expect.any(String) }]);
  return offers[0] as JwsOffer;
}

function pay(sold: Sold, { accepts: [{ payTo, amount }] }: Json) {
  const proof = claimFrom(service.payer(), payTo, BigInt(amount));
  return request(sold, paying(proof));
}

const receiptIn = ({ headers }: Answer) =>
  extractReceiptFromResponse(new Response(null, { headers })) as JwsReceipt | undefined;

/** The artifact with a changed payload under the old signature. */
function tampered<T extends { signature: string }>(artifact: T, fields: object): T {
  const [header, payload = "", signature] = artifact.signature.split(".");
  const read = JSON.parse(Buffer.from(payload, "base64url").toString());
  const put = Buffer.from(JSON.stringify({ ...read, ...fields })).toString("base64url");
  return { ...artifact, signature: `${header}.${put}.${signature}` };
}

const payloadText = ({ signature }: { signature: string }) =>
  Buffer.from(signature.split(".")[1] ?? "", "base64url").toString();

const KINDS: [string, () => Promise<Sold>][] = [
  ["a link", newLink],
  ["a link on Base Sepolia", () => newLink({ network: "base-sepolia" })],
  ["a UPL", async () => uplOf()],
  ["a scan", async () => scan],
  ["a top-up", async () => topUp()],
];

describe("the signed offer of", () => {
  test.each(KINDS)("%s verifies with the public npm package and the service's DID document", async (_, make) => {
    const sold = await make();
    const from = await required(sold);
    const [accepted] = from.accepts;
    const offer = onlyOffer(from);
    const payload = await verifyOfferSignatureJWS(offer);
    const { network, asset, payTo, amount } = accepted;
    expect(payload).toEqual({
      version: 1,
      resourceUrl: sold.resource,
      scheme: "exact",
      network,
      asset,
      payTo,
      amount,
      validUntil: expect.any(Number),
    });
    const secondsLeft = payload.validUntil - Date.now() / 1000;
    expect(secondsLeft).toBeGreaterThan(299);
    expect(secondsLeft).toBeLessThanOrEqual(600);
    expect(payloadText(offer)).toBe(canonicalize(payload));
    expect(from.resource.url).toBe(sold.resource);
    const [read] = decodeSignedOffers([offer]);
    expect(read && findAcceptsObjectFromSignedOffer(read, from.accepts)).toEqual(accepted);
    const { info, schema } = from.extensions["offer-receipt"];
    expect(new Ajv2020().validate(schema, info)).toBe(true);
  });

  test("a link names the service's DID, and verifies with the JWKS", async () => {
    const { signature } = onlyOffer(await required(await newLink()));
    const header = extractJWSHeader(signature);
    const [did, kid] = header.kid?.split("#") ?? [];
    expect([header.alg, did]).toEqual(["RS256", DID]);
    const jwks = body(await call("GET", "/.well-known/jwks.json")) as JSONWebKeySet;
    expect(jwks.keys.map((key) => key.kid)).toContain(kid);
    const keys = createLocalJWKSet({ keys: jwks.keys.map((key) => ({ ...key, kid: `${did}#${key.kid}` })) });
    const { protectedHeader } = await compactVerify(signature, keys);
    expect(protectedHeader.typ).toBe("x402-offer+jwt");
    const document = body(await call("GET", "/.well-known/did.json"));
    expect(document.assertionMethod).toContain(header.kid);
  });

  test("a link becomes invalid when its price, address, network, resource or time is changed", async () => {
    const offer = onlyOffer(await required(await newLink()));
    for (const fields of [
      { amount: "1" },
      { payTo: toAddress(service.payer().address) },
      { network: NETWORKS["base-sepolia"].caip2 },
      { asset: NETWORKS["base-sepolia"].usdc },
      { resourceUrl: `${BASE_URL}/pay/lnk_other` },
      { validUntil: 4_000_000_000 },
    ]) {
      await expect(verifyOfferSignatureJWS(tampered(offer, fields))).rejects.toThrow("signature verification failed");
    }
    await expect(verifyOfferSignatureJWS(tampered(offer, {}))).resolves.toMatchObject({ amount: "250000" });
  });

  test("a link does not match payment requirements that were changed on the way", async () => {
    const { accepts, ...rest } = await required(await newLink());
    const [offer] = decodeSignedOffers([onlyOffer({ accepts, ...rest })]);
    const payTo = toAddress(service.payer().address);
    for (const fields of [{ amount: "1" }, { payTo }, { network: "eip155:1" }]) {
      expect(offer && findAcceptsObjectFromSignedOffer(offer, [{ ...accepts[0], ...fields }])).toBeUndefined();
    }
  });

  test("a UPL follows a change of its receiving address and price at once", async () => {
    const before = await verifyOfferSignatureJWS(onlyOffer(await required(uplOf())));
    const payTo = freshAddress();
    await setReceivingAddress(seller, payTo);
    const after = await verifyOfferSignatureJWS(onlyOffer(await required(uplOf(AMOUNT + 1n))));
    expect(before).toMatchObject({ amount: "250000", payTo: expect.not.stringMatching(payTo) });
    expect(after).toMatchObject({ amount: "250001", payTo });
  });

  test("a link is also in the 402 that refuses a proof", async () => {
    const link = await newLink();
    const { payTo } = (await required(link)).accepts[0];
    const answer = await request(link, paying(claimFrom(service.payer(), payTo, 1n)));
    expect(answer).toMatchObject({ status: 402, body: { code: "PAYMENT_INSUFFICIENT" } });
    const offer = onlyOffer(decoded(answer.headers.get("payment-required")));
    expect(await verifyOfferSignatureJWS(offer)).toMatchObject({ resourceUrl: link.resource });
  });

  test("a UPL is left out when its URL is very long, and the 402 can still be paid", async () => {
    const sold = uplOf(AMOUNT, `&x=${"y".repeat(512)}`);
    const from = await required(sold);
    expect(from.extensions).not.toHaveProperty("offer-receipt");
    expect((await pay(sold, from)).status).toBe(200);
  });

  test("each kind of resource is small enough for the header limits of proxies and clients", async () => {
    for (const [, make] of KINDS) {
      const from = await required(await make());
      const { payload } = xPaymentOf(claimFrom(service.payer(), from.accepts[0].payTo, AMOUNT));
      const { accepts, error: _, ...repeated } = from;
      const sent = encodeHeader({ ...repeated, accepted: accepts[0], payload });
      expect(encodeHeader(from).length).toBeLessThan(5_000);
      expect(sent.length).toBeLessThan(6_000);
    }
  });
});

describe("the signed receipt of", () => {
  test.each(KINDS)("%s verifies, matches the offer and contains nothing else", async (_, make) => {
    const sold = await make();
    const from = await required(sold);
    const [accepted] = from.accepts;
    await service.world.mint(toAddress(service.payer().address), 10_000_000n, "base-sepolia");
    const network = accepted.network === NETWORKS.base.caip2 ? ("base" as const) : ("base-sepolia" as const);
    const proof = claimFrom(service.payer(), accepted.payTo, BigInt(accepted.amount), { network });
    const answer = await request(sold, paying(proof));
    expect(answer.status).toBe(200);
    const receipt = receiptIn(answer);
    if (!receipt) throw new Error("no receipt");
    const payload = await verifyReceiptSignatureJWS(receipt);
    const payer = toAddress(service.payer().address);
    const members = { version: 1, network: accepted.network, resourceUrl: sold.resource, payer };
    expect(payload).toEqual({ ...members, issuedAt: expect.any(Number) });
    expect(payloadText(receipt)).toBe(canonicalize(payload));
    const [offer] = decodeSignedOffers([onlyOffer(from)]);
    expect(offer && verifyReceiptMatchesOffer(receipt, offer, [payer])).toBe(true);
    const { extensions, ...outcome } = decoded(answer.headers.get("payment-response"));
    expect(outcome).toEqual({
      success: true,
      transaction: expect.stringMatching(/^0x/),
      network: accepted.network,
      payer,
    });
    expect(new Ajv2020().validate(extensions["offer-receipt"].schema, extensions["offer-receipt"].info)).toBe(true);
    const v1 = decoded(answer.headers.get("x-payment-response"));
    expect(Object.keys(v1)).toEqual(["success", "transaction", "network", "payer"]);
  });

  test("a UPL has the time of settlement, and becomes invalid when its facts are changed", async () => {
    const sold = uplOf();
    const answer = await pay(sold, await required(sold));
    const receipt = receiptIn(answer);
    if (!receipt) throw new Error("no receipt");
    const settlement = body(await call("GET", `/api/settlements/${body(answer).settlementId}`));
    const { issuedAt } = extractReceiptPayload(receipt);
    expect(issuedAt).toBe(Math.floor(Date.parse(settlement.endedAt) / 1000));
    for (const fields of [
      { payer: seller.agent.agentId },
      { network: "eip155:1" },
      { resourceUrl: `${BASE_URL}/` },
      { issuedAt: issuedAt + 1 },
    ]) {
      await expect(verifyReceiptSignatureJWS(tampered(receipt, fields))).rejects.toThrow();
    }
  });

  test("a payment repeated with its payment identifier is the same receipt", async () => {
    const link = await newLink();
    const from = await required(link);
    const { payload } = xPaymentOf(claimFrom(service.payer(), from.accepts[0].payTo, AMOUNT));
    appendPaymentIdentifierToExtensions(from.extensions, generatePaymentId());
    const { resource, extensions } = from;
    const sent = { x402Version: 2, resource, accepted: from.accepts[0], payload, extensions };
    const present = () => request(link, { "payment-signature": encodeHeader(sent) });
    const [first, second] = [await present(), await present()];
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(receiptIn(first)).toBeDefined();
    expect(receiptIn(second)).toEqual(receiptIn(first));
  });

  test("a payment that is pending, refused or already used is absent", async () => {
    const link = await newLink();
    const from = await required(link);
    const { payTo } = from.accepts[0];
    await service.restart({ SETTLE_WAIT_SECONDS: "0" });
    const proof = claimFrom(service.payer(), payTo, AMOUNT);
    const pending = await request(link, paying(proof));
    expect(pending.status).toBe(202);
    const settled = async () =>
      body(await call("GET", `/api/settlements/${body(pending).settlementId}`)).settlementStatus;
    await until(async () => (await settled()) === "settled", "the settlement", 20);
    const used = await request(link, paying(proof));
    const refused = await request(link, paying(claimFrom(service.payer(), payTo, 1n)));
    expect([used.status, refused.status]).toEqual([409, 402]);
    for (const answer of [pending, used, refused]) {
      expect(receiptIn(answer)).toBeUndefined();
      const text = Buffer.from(answer.headers.get("payment-response") ?? "", "base64").toString();
      expect(text).not.toContain("offer-receipt");
    }
    await service.restart({ SETTLE_WAIT_SECONDS: "25" });
    // Starts the server, for the clients of the next tests.
    await call("GET", "/healthz");
  });
});

describe("a stock client that does not know the offer-receipt extension", () => {
  test("of x402 v2 sends the offer back, and pays", async () => {
    const upl = uplOf();
    const sent: string[] = [];
    const watched: typeof fetch = (input, init) => {
      const req = new Request(input, init);
      sent.push(req.headers.get("payment-signature") ?? "");
      return fetchHere(req);
    };
    const client = registerExactEvmScheme(new x402Client(), { signer: service.payer() });
    const res = await wrapFetchWithPayment(watched, client)(upl.resource);
    expect([res.status, await res.json()]).toMatchObject([200, { success: true }]);
    const repeated = decoded(sent.at(-1) ?? "");
    expect(await verifyOfferSignatureJWS(onlyOffer(repeated))).toMatchObject({ resourceUrl: upl.resource });
    expect(decodePaymentResponseHeader(res.headers.get("payment-response") ?? "")).toMatchObject({ success: true });
  });

  test("of x402 v1 pays", async () => {
    // Its types come from its own copy of viem.
    const fetchWithPay = wrapFetchWithPaymentV1(fetchHere, service.payer() as never, 1_000_000n);
    const res = await fetchWithPay(uplOf().resource, { method: "GET" });
    expect([res.status, await res.json()]).toMatchObject([200, { success: true }]);
    expect(decodeXPaymentResponse(res.headers.get("x-payment-response") ?? "")).toMatchObject({ success: true });
  });
});

describe("when the signing key changes", () => {
  let identity: typeof import("@/lib/identity/service");
  beforeAll(async () => {
    identity = await import("@/lib/identity/service");
  });

  const kidOf = ({ signature }: { signature: string }) => extractJWSHeader(signature).kid?.split("#")[1] ?? "";

  test("old offers and receipts verify while the old key is published, and no longer once it is revoked", async () => {
    const [link, upl] = [await newLink(), uplOf()];
    const offer = onlyOffer(await required(link));
    const receipt = receiptIn(await pay(upl, await required(upl)));
    if (!receipt) throw new Error("no receipt");
    const { kid } = await identity.rotateKeys(wiring.system(), { force: true });
    const offered = async () => onlyOffer(await required(link));
    await until(async () => kidOf(await offered()) === kid, "an offer signed with the new key", 15);
    expect(kidOf(offer)).not.toBe(kid);
    expect(await verifyOfferSignatureJWS(offer)).toMatchObject({ resourceUrl: link.resource });
    expect(await verifyReceiptSignatureJWS(receipt)).toMatchObject({ resourceUrl: upl.resource });
    expect(await verifyOfferSignatureJWS(await offered())).toMatchObject({ resourceUrl: link.resource });
    await identity.revokeKey(wiring.system(), kidOf(offer));
    const isGone = () =>
      verifyOfferSignatureJWS(offer).then(
        () => false,
        () => true,
      );
    await until(isGone, "the key to be removed", 15);
    await expect(verifyReceiptSignatureJWS(receipt)).rejects.toThrow("No verification method found");
  });
});

describe("docs/verifiers/verify-x402.ts", () => {
  let offer: JwsOffer;
  let receipt: JwsReceipt;
  beforeAll(async () => {
    const upl = uplOf();
    const from = await required(upl);
    offer = onlyOffer(from);
    const received = receiptIn(await pay(upl, from));
    if (!received) throw new Error("no receipt");
    receipt = received;
  });

  test("is quoted in the documentation unchanged", () => {
    const document = readFileSync("docs/verify-a-receipt.md", "utf8");
    expect(document).toContain(`\`\`\`typescript\n${readFileSync("docs/verifiers/verify-x402.ts", "utf8")}\`\`\``);
  });

  test("accepts the service's offers only as offers and its receipts only as receipts", async () => {
    expect(await verifyOffer(offer)).toMatchObject({ resourceUrl: uplOf().resource, amount: "250000" });
    expect(await verifyReceipt(receipt)).toMatchObject({ resourceUrl: uplOf().resource });
    await expect(verifyOffer(receipt)).rejects.toThrow("not of the type");
    await expect(verifyReceipt(offer)).rejects.toThrow("not of the type");
  });

  test("rejects a signature of another key, which the npm package alone accepts", async () => {
    const pair = await generateKeyPair("ES256", { extractable: true });
    const jwk = Buffer.from(JSON.stringify(await exportJWK(pair.publicKey))).toString("base64url");
    const signature = await new CompactSign(Buffer.from(payloadText(offer)))
      .setProtectedHeader({ alg: "ES256", typ: "x402-offer+jwt", kid: `did:jwk:${jwk}` })
      .sign(pair.privateKey);
    const forged = { ...offer, signature };
    expect(await verifyOfferSignatureJWS(forged)).toMatchObject({ amount: "250000" });
    await expect(verifyOffer(forged)).rejects.toThrow("the key is not one of");
    await expect(verifyOffer(tampered(offer, { amount: "1" }))).rejects.toThrow("signature verification failed");
    await expect(verifyOffer(tampered(offer, { resourceUrl: "https://evil.example/" }))).rejects.toThrow(
      "the key is not",
    );
  });
});

describe("a signed offer or receipt", () => {
  test("is not accepted as a login or as a credential", async () => {
    const upl = uplOf();
    const from = await required(upl);
    const receipt = receiptIn(await pay(upl, from));
    for (const { signature } of [onlyOffer(from), receipt ?? { signature: "" }]) {
      const login = await call("GET", "/api/payment-links", { bearer: signature });
      expect(login).toMatchObject({ status: 401, body: { code: "INVALID_OR_EXPIRED_JWT" } });
      const credential = await call("POST", "/verify-vc", { json: { vc: signature } });
      expect(credential).toMatchObject({ status: 401, body: { error: "invalid_or_expired_vc" } });
    }
  });
});
