import { RULESET_VERSION } from "@tessera/firewall";
import { describe, expect, test } from "vitest";
import { toAddress } from "@/lib/core/address";
import type { Claim } from "@/lib/settlements/service";
import { NETWORKS } from "@/lib/x402/networks";
import { newAgent } from "../support/actors";
import { confirmedCall } from "../support/confirmations";
import { type Answer, BASE_URL, type CallOptions, call } from "../support/http";
import { type Json, pay, signedMandate } from "../support/mandates";
import { until } from "../support/replica";
import { runService } from "../support/service";
import { claimFrom, paying } from "../support/system";

const PRICE = 500_000n;
const ROOT = "/api/transaction-firewall/sentinel";
const KINDS = ["scan", "x402-scan", "prompt-scan"] as const;
type Kind = (typeof KINDS)[number];

const GOOD: Record<Kind, Json> = {
  scan: { to: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8", data: "0x", valueWei: "0" },
  "x402-scan": { paymentRequired: { x402Version: 1, accepts: [] } },
  "prompt-scan": { text: "What is the weather in Bern?" },
};
const APPROVAL = {
  to: NETWORKS.base.usdc,
  data: `0x095ea7b3${"00".repeat(12)}${"11".repeat(20)}${"ff".repeat(32)}`,
};

const service = runService();
const payer = (at?: number) => service.payer(at);
const body = (response: Answer) => response.body as Json;
const treasury = () => service.opened.system.config.treasury;
const claim = (change: Parameters<typeof claimFrom>[3] = {}, atomic = PRICE) =>
  claimFrom(payer(), treasury(), atomic, change);
const requestScan = (kind: Kind, options: CallOptions = {}) => call("POST", `${ROOT}/api/${kind}`, options);
const buy = (kind: Kind, proof: Claim, json: unknown = GOOD[kind], headers: Record<string, string> = {}) =>
  requestScan(kind, { json, headers: { ...paying(proof), ...headers } });
const treasuryBalance = async () => (await service.opened.system.chains.base.balances([treasury()]))[0] ?? 0n;
const settlements = async () => Number((await service.opened.sql`select count(*) as n from settlements`)[0]?.n);
const scans = () => service.opened.sql`select * from firewall_scans order by created_at desc, scan_id`;

const usdcEntry = (kind: Kind, description: string) => ({
  scheme: "exact",
  network: "base",
  maxAmountRequired: "500000",
  resource: `${BASE_URL}${ROOT}/api/${kind}`,
  description,
  mimeType: "application/json",
  payTo: treasury(),
  maxTimeoutSeconds: 60,
  asset: NETWORKS.base.usdc,
  extra: { name: "USD Coin", version: "2", primaryType: "TransferWithAuthorization" },
  outputSchema: expect.any(Object),
});
const creditEntry = (kind: Kind, description: string) => {
  const { outputSchema: _, ...entry } = usdcEntry(kind, description);
  return {
    ...entry,
    network: "service-credits",
    asset: "service-credit",
    maxAmountRequired: "50",
    payTo: "sentinel",
    extra: { name: "Service credits", version: "1" },
  };
};

describe("the firewall's discovery document", () => {
  test("lists the price, limit, input and both payment methods of every scan", async () => {
    const response = await call("GET", ROOT);
    expect(response.status).toBe(200);
    expect(body(response)).toMatchObject({
      name: expect.any(String),
      version: RULESET_VERSION.split("+")[0],
      description: expect.any(String),
      firewallId: "sentinel",
      rulesetVersion: RULESET_VERSION,
      networks: ["base", "service-credits"],
      paymentRequired: true,
    });
    expect(body(response).endpoints).toEqual(
      KINDS.map((kind) => ({
        path: `${ROOT}/api/${kind}`,
        url: `${BASE_URL}${ROOT}/api/${kind}`,
        method: "POST",
        description: expect.any(String),
        price: "0.50",
        currency: "USDC",
        priceAtomic: "500000",
        priceCredits: "50",
        enabled: true,
        bodyLimitBytes: kind === "prompt-scan" ? 32_768 : 65_536,
        inputSchema: expect.objectContaining({ type: "object", properties: expect.any(Object) }),
        paymentOptions: [usdcEntry(kind, expect.any(String)), creditEntry(kind, expect.any(String))],
      })),
    );
  });

  test("exists only for the configured firewall: any other name is 404 on every path, also with a payment", async () => {
    const other = ROOT.replace("sentinel", "other");
    const responses = [
      await call("GET", other),
      ...(await Promise.all(KINDS.map((kind) => call("POST", `${other}/api/${kind}`, { json: GOOD[kind] })))),
      await call("POST", `${other}/api/scan`, { json: GOOD.scan, headers: paying(claim()) }),
    ];
    for (const response of responses)
      expect([response.status, body(response).code]).toEqual([404, "FIREWALL_NOT_FOUND"]);
  });
});

describe("a scan without a payment", () => {
  test.each(KINDS)("%s responds with a 402 and the price of 0.50 USDC, in both versions of x402", async (kind) => {
    const response = await requestScan(kind, { json: GOOD[kind] });
    expect(response.status).toBe(402);
    expect(body(response)).toEqual({
      x402Version: 1,
      error: expect.any(String),
      accepts: [usdcEntry(kind, expect.any(String))],
    });
    const v2 = JSON.parse(Buffer.from(response.headers.get("payment-required") ?? "", "base64").toString());
    expect(v2).toMatchObject({
      x402Version: 2,
      resource: { url: `${BASE_URL}${ROOT}/api/${kind}` },
      accepts: [{ network: "eip155:8453", amount: "500000", payTo: treasury() }],
    });
  });

  test.each<[string, CallOptions]>([
    ["no body", {}],
    ["bad JSON", { raw: "{" }],
    ["another media type", { raw: "x", headers: { "content-type": "text/plain" } }],
    ["a body far over the limit", { raw: "x".repeat(200_000) }],
    ["an empty payment header", { json: GOOD.scan, headers: { "x-payment": " " } }],
    ["an unknown X-Agent-ID", { json: GOOD.scan, headers: { "x-agent-id": "nobody" } }],
  ])("a request with %s also gets the price", async (_, options) => {
    expect((await requestScan("scan", options)).status).toBe(402);
  });
});

describe("a scan with a payment", () => {
  test("returns the verdict once the money has moved, and stores the verdict without the scanned text", async () => {
    const before = await treasuryBalance();
    const { agentId } = await newAgent();
    const secret = "a confidential letter";
    const response = await buy("prompt-scan", claim(), { text: secret }, { "x-agent-id": agentId });
    expect([response.status, body(response)]).toMatchObject([
      200,
      { verdict: "pass", riskScore: 0, findings: [], redactedPreview: secret, inputLength: secret.length },
    ]);
    expect(body(response)).toMatchObject({ rulesetVersion: RULESET_VERSION, limitations: expect.any(String) });
    expect(await treasuryBalance()).toBe(before + PRICE);
    const receipt = JSON.parse(Buffer.from(response.headers.get("x-payment-response") ?? "", "base64").toString());
    expect(receipt).toMatchObject({ success: true, network: "base", payer: payer().address });
    const [scan] = await scans();
    expect(scan).toMatchObject({
      kind: "prompt-scan",
      agent_id: agentId,
      verdict: "pass",
      codes: [],
      payment_id: null,
    });
    expect(JSON.stringify(scan)).not.toContain(secret);
  });

  test("returns the documented shapes for a transaction scan and an x402 scan", async () => {
    const transaction = await buy("scan", claim(), APPROVAL);
    expect(body(transaction)).toMatchObject({
      verdict: "block",
      findings: expect.arrayContaining([expect.objectContaining({ code: "UNLIMITED_APPROVAL", severity: "critical" })]),
      normalized: { chainId: 8453, to: NETWORKS.base.usdc, selector: "0x095ea7b3", hasNativeValue: false },
    });
    const x402 = await buy("x402-scan", claim(), { paymentRequired: (await requestScan("scan")).body });
    expect(body(x402)).toMatchObject({
      normalized: [
        { index: 0, scheme: "exact", network: "base", chainId: 8453, amountAtomic: "500000", assetSymbol: "USDC" },
      ],
    });
  });

  test("rejects a repeated proof; with the same body, it returns the bought verdict", async () => {
    const proof = claim();
    const first = await buy("scan", proof, APPROVAL);
    const repeatedResponse = await buy("scan", proof, APPROVAL);
    expect([repeatedResponse.status, body(repeatedResponse)]).toMatchObject([
      409,
      { code: "PAYMENT_ALREADY_USED", settlementStatus: "settled", result: first.body },
    ]);
    expect(body(repeatedResponse).accepts).toBeUndefined();
    for (const [kind, json] of [
      ["scan", { ...APPROVAL, amount: "1" }],
      ["prompt-scan", GOOD["prompt-scan"]],
    ] as const) {
      const otherResponse = await buy(kind, proof, json);
      expect([otherResponse.status, body(otherResponse).code, body(otherResponse).result]).toEqual([
        409,
        "PAYMENT_ALREADY_USED",
        undefined,
      ]);
    }
  });

  test("settles one proof once for fifty simultaneous requests", async () => {
    const before = await treasuryBalance();
    const proof = claim();
    const responses = await Promise.all(Array.from({ length: 50 }, () => buy("scan", proof)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 409)).toHaveLength(49);
    expect(await treasuryBalance()).toBe(before + PRICE);
  });

  test.each<[string, Kind, CallOptions, number, string]>([
    [
      "another media type",
      "scan",
      { raw: "{}", headers: { "content-type": "text/plain" } },
      415,
      "UNSUPPORTED_MEDIA_TYPE",
    ],
    ["a body over 64 KB", "scan", { raw: `{"to":"${"a".repeat(65_536)}"}` }, 413, "BODY_TOO_LARGE"],
    ["an x402 body over 64 KB", "x402-scan", { raw: `{"a":"${"a".repeat(65_536)}"}` }, 413, "BODY_TOO_LARGE"],
    ["a prompt over 32 KB", "prompt-scan", { raw: `{"text":"${"é".repeat(16_384)}"}` }, 413, "BODY_TOO_LARGE"],
    ["a prompt far over it", "prompt-scan", { raw: "x".repeat(5_000_000) }, 413, "BODY_TOO_LARGE"],
    ["a content-length over it", "scan", { raw: "{}", headers: { "content-length": "70000" } }, 413, "BODY_TOO_LARGE"],
    ["bad JSON", "scan", { raw: "{" }, 400, "INVALID_JSON"],
    ["bytes that are not UTF-8", "scan", { raw: new Uint8Array([0xff]) }, 400, "INVALID_JSON"],
    ["duplicate keys", "scan", { raw: '{"to":"","to":"","data":"0x"}' }, 400, "INVALID_JSON"],
    ["__proto__", "scan", { raw: '{"to":"","__proto__":{}}' }, 400, "INVALID_JSON"],
    [
      "nesting 10,000 deep",
      "x402-scan",
      { raw: `{"paymentRequired":${"[".repeat(10_000)}${"]".repeat(10_000)}}` },
      400,
      "INVALID_JSON",
    ],
    ["a list", "scan", { json: [] }, 400, "INVALID_REQUEST"],
    ["nothing", "scan", { json: {} }, 400, "INVALID_REQUEST"],
    ["a number for to", "scan", { json: { to: 5, data: "0x" } }, 400, "INVALID_REQUEST"],
    ["a text for chainId", "scan", { json: { ...APPROVAL, chainId: "8453" } }, 400, "INVALID_REQUEST"],
    ["a number for valueWei", "scan", { json: { ...APPROVAL, valueWei: 1 } }, 400, "INVALID_REQUEST"],
    ["a number for expected", "x402-scan", { json: { ...GOOD["x402-scan"], expected: 5 } }, 400, "INVALID_REQUEST"],
    ["no text", "prompt-scan", { json: {} }, 400, "INVALID_REQUEST"],
    ["a number for text", "prompt-scan", { json: { text: 5 } }, 400, "INVALID_REQUEST"],
    ["24,001 characters", "prompt-scan", { json: { text: "a".repeat(24_001) } }, 400, "INVALID_REQUEST"],
    ["a lone surrogate", "prompt-scan", { raw: '{"text":"\\ud800"}' }, 400, "INVALID_REQUEST"],
  ])("with %s (%s) costs nothing", async (_, kind, options, status, code) => {
    const before = [await settlements(), await treasuryBalance()];
    const proof = claim();
    const response = await requestScan(kind, { ...options, headers: { ...options.headers, ...paying(proof) } });
    expect([response.status, body(response)]).toMatchObject([
      status,
      { status: "error", code, requestId: expect.any(String) },
    ]);
    expect([await settlements(), await treasuryBalance()]).toEqual(before);
    expect((await buy(kind, proof)).status).toBe(200);
  });

  test.each<[string, () => string | Claim, number, string]>([
    ["no x402 proof", () => "aGVsbG8=", 400, "INVALID_PAYMENT_HEADER"],
    ["no base64", () => "%%%", 400, "INVALID_PAYMENT_HEADER"],
    ["less than the price", () => claim({}, PRICE - 1n), 402, "PAYMENT_INSUFFICIENT"],
    ["more than the price", () => claim({}, PRICE + 1n), 402, "PAYMENT_INSUFFICIENT"],
    ["another payee", () => claimFrom(payer(), payer(1).address, PRICE), 402, "PAYMENT_RECIPIENT_MISMATCH"],
    ["another network", () => claim({ network: "base-sepolia" }), 402, "PAYMENT_NETWORK_MISMATCH"],
    ["an expired proof", () => claim({ windowSeconds: -5 }), 402, "PAYMENT_EXPIRED"],
    ["another's signature", () => ({ ...claim(), signature: claim().signature }), 402, "PAYMENT_SIGNATURE_INVALID"],
  ])("with %s gets no verdict", async (_, proof, status, code) => {
    const before = [await settlements(), (await scans()).length];
    const given = proof();
    const header = typeof given === "string" ? { "x-payment": given } : paying(given);
    const response = await requestScan("scan", { json: GOOD.scan, headers: header });
    expect([response.status, body(response).code]).toEqual([status, code]);
    if (status === 402) expect(body(response).accepts).toHaveLength(1);
    expect([await settlements(), (await scans()).length]).toEqual(before);
  });

  test("reports an invalid body before an invalid payment", async () => {
    const response = await requestScan("scan", { json: {}, headers: paying(claim({}, 1n)) });
    expect([response.status, body(response).code]).toEqual([400, "INVALID_REQUEST"]);
  });

  test("returns no verdict when the transfer fails", async () => {
    const empty = claimFrom(payer(5), treasury(), PRICE);
    const response = await buy("scan", empty, APPROVAL);
    expect([response.status, body(response).code, body(response).verdict]).toEqual([
      500,
      "SETTLEMENT_FAILED",
      undefined,
    ]);
    // Nothing was claimed: the same proof can be presented again and pays once the payer has money.
    const repeatedResponse = await buy("scan", empty, APPROVAL);
    expect([repeatedResponse.status, body(repeatedResponse).verdict]).toEqual([500, undefined]);
  });

  test("accepts a body of exactly the limit, and 24,000 characters of up to four bytes each", async () => {
    const filler = 65_536 - '{"data":"0x","to":""}'.length;
    const exact = await requestScan("scan", {
      raw: `{"data":"0x","to":"${"a".repeat(filler)}"}`,
      headers: paying(claim()),
    });
    expect(exact.status).toBe(200);
    const foxes = Math.floor((32_768 - JSON.stringify({ text: "" }).length - 24_000) / 3);
    const text = `${"🦊".repeat(foxes)}${"a".repeat(24_000 - foxes)}`;
    expect(Buffer.byteLength(JSON.stringify({ text }))).toBeGreaterThan(32_768 - 3);
    const long = await buy("prompt-scan", claim(), { text });
    expect([long.status, body(long).inputLength]).toEqual([200, 24_000]);
    const over = await buy("prompt-scan", claim(), { text: `🦊${text.slice(0, -1)}` });
    expect([over.status, body(over).code]).toEqual([413, "BODY_TOO_LARGE"]);
  });

  test("scans another server's 402 whatever its members are named", async () => {
    const raw = '{"paymentRequired":{"x402Version":1,"accepts":[],"constructor":1,"__proto__":{"a":1}}}';
    const response = await requestScan("x402-scan", { raw, headers: paying(claim()) });
    expect([response.status, body(response).verdict]).toEqual([200, "block"]);
  });

  test("scans a 402 with ten thousand payment options", async () => {
    const many = { paymentRequired: { x402Version: 1, accepts: Array.from({ length: 10_000 }, () => ({})) } };
    const response = await buy("x402-scan", claim(), many);
    expect([response.status, body(response).verdict]).toEqual([200, "block"]);
  });
});

describe("a scan paid under a mandate", () => {
  test("is signed from the offer in the 402 unchanged, and the mandate's budget is spent", async () => {
    const { agent, mandateId } = await fundedMandate();
    const required = await requestScan("prompt-scan", { json: GOOD["prompt-scan"] });
    const signed = await sign(agent, mandateId, body(required).accepts[0]);
    const response = await requestScan("prompt-scan", {
      json: GOOD["prompt-scan"],
      headers: { "x-payment": signed.xPaymentB64, "x-agent-id": agent.jwt },
    });
    expect([response.status, body(response).verdict]).toEqual([200, "pass"]);
    expect(await mandateOf(agent, mandateId)).toMatchObject({ spentAmount: "500000", pendingSpentAmount: "0" });
    const mine = await call("GET", "/api/firewall/scans", { bearer: agent.jwt });
    expect(body(mine)).toEqual({
      status: "ok",
      scans: [
        {
          scanId: expect.stringMatching(/^scn_/),
          kind: "prompt-scan",
          verdict: "pass",
          riskScore: 0,
          codes: [],
          rulesetVersion: RULESET_VERSION,
          settlementId: expect.stringMatching(/^stl_/),
          paymentRecordId: null,
          createdAt: expect.any(String),
        },
      ],
      nextCursor: null,
    });
  });
});

describe("the lost response of a paid scan", () => {
  test("can be fetched with the same proof once the transfer has settled", async () => {
    await service.workers.stop();
    await service.restart({ SETTLE_WAIT_SECONDS: "0" });
    const proof = claim();
    const first = await buy("scan", proof, APPROVAL);
    expect([first.status, body(first)]).toMatchObject([
      202,
      { status: "pending", instructions: expect.stringContaining("same body again") },
    ]);
    const earlyResponse = await buy("scan", proof, APPROVAL);
    expect([earlyResponse.status, body(earlyResponse).settlementStatus, body(earlyResponse).result]).toEqual([
      409,
      "pending",
      undefined,
    ]);
    service.workers.start();
    await until(async () => body(await buy("scan", proof, APPROVAL)).settlementStatus === "settled", "the transfer");
    const repeatedResponse = await buy("scan", proof, APPROVAL);
    expect([repeatedResponse.status, body(repeatedResponse).result]).toMatchObject([409, { verdict: "block" }]);
    await service.restart({ SETTLE_WAIT_SECONDS: "25" });
  });

  test("can be fetched even if the scan is no longer offered to others", async () => {
    const proof = claim();
    expect((await buy("scan", proof, APPROVAL)).status).toBe(200);
    await service.restart({ FIREWALL_PRICES: "scan=off" });
    const repeatedResponse = await buy("scan", proof, APPROVAL);
    const otherResponse = await buy("scan", claim(), APPROVAL);
    const unpaid = await requestScan("scan", { json: APPROVAL });
    const { endpoints } = body(await call("GET", ROOT));
    await service.restart({ FIREWALL_PRICES: "" });
    expect([repeatedResponse.status, body(repeatedResponse).result]).toMatchObject([409, { verdict: "block" }]);
    expect([otherResponse.status, body(otherResponse).code]).toEqual([404, "SCAN_NOT_OFFERED"]);
    expect([unpaid.status, body(unpaid).code]).toEqual([404, "SCAN_NOT_OFFERED"]);
    expect(endpoints[0]).toMatchObject({ enabled: false, price: null, paymentOptions: [] });
  });

  test("can be fetched only with exactly the paid body", async () => {
    const proof = claim();
    const asBytes = (raw: string) => requestScan("x402-scan", { raw, headers: paying(proof) });
    expect((await asBytes('{"paymentRequired":{"x402Version":null,"accepts":[]}}')).status).toBe(200);
    const otherResponse = await asBytes('{"paymentRequired":{"x402Version":1e999,"accepts":[]}}');
    expect([otherResponse.status, body(otherResponse).result]).toEqual([409, undefined]);
  });
});

describe("service credits", () => {
  test("are bought, listed, offered in the 402, spent once, and charged to the mandate's budget", async () => {
    const { owner, agent, mandateId } = await fundedMandate();
    const requestPrice = () => requestScan("scan", { json: APPROVAL, headers: { "x-agent-id": agent.agentId } });
    expect(body(await requestPrice()).accepts).toHaveLength(1);

    const boughtResponse = await confirmedCall(owner, "/api/credits/purchases", { amount: "1000000" });
    expect([boughtResponse.status, body(boughtResponse).settlementStatus]).toEqual([200, "settled"]);
    expect(await creditsOf(owner)).toMatchObject({ balance: "100", balanceFormatted: "1.00" });

    const required = await requestPrice();
    expect(body(required).accepts).toEqual([
      usdcEntry("scan", expect.any(String)),
      creditEntry("scan", expect.any(String)),
    ]);
    const signed = await sign(agent, mandateId, body(required).accepts[1]);
    expect(signed.xPayment).toMatchObject({ x402Version: 1, scheme: "exact", network: "service-credits" });
    expect(await mandateOf(agent, mandateId)).toMatchObject({ spentAmount: "0", pendingSpentAmount: "500000" });

    const onChain = await treasuryBalance();
    const payForScan = () =>
      requestScan("scan", {
        json: APPROVAL,
        headers: { "x-payment": signed.xPaymentB64, "x-agent-id": agent.agentId },
      });
    const responses = await Promise.all(Array.from({ length: 20 }, payForScan));
    const [good] = responses.filter(({ status }) => status === 200);
    expect(body(good as Answer)).toMatchObject({ verdict: "block" });
    expect(responses.filter(({ status }) => status === 409)).toHaveLength(19);
    const receipt = JSON.parse(Buffer.from(good?.headers.get("x-payment-response") ?? "", "base64").toString());
    expect(receipt).toMatchObject({
      success: true,
      network: "service-credits",
      transaction: expect.stringMatching(/^crd_/),
    });
    expect(await treasuryBalance()).toBe(onChain);
    expect(await creditsOf(owner)).toMatchObject({
      balance: "50",
      transactions: [
        { kind: "spend", amount: "-50", paymentRecordId: signed.paymentRecordId },
        { kind: "top_up", amount: "100" },
      ],
    });
    expect(await mandateOf(agent, mandateId)).toMatchObject({ spentAmount: "500000", pendingSpentAmount: "0" });
    const repeatedResponse = await payForScan();
    expect([repeatedResponse.status, body(repeatedResponse)]).toMatchObject([
      409,
      { code: "PAYMENT_ALREADY_USED", settlementStatus: "settled", result: good?.body },
    ]);
    const record = await call("GET", `/api/payments/${signed.paymentRecordId}`, { bearer: agent.jwt });
    expect(body(record).payment).toMatchObject({
      status: "settled",
      amount: "50",
      amountFormatted: "0.50",
      currency: "CREDITS",
      network: "service-credits",
      assetAddress: "service-credit",
      payTo: "sentinel",
      txHash: null,
    });
  });
});

async function fundedMandate() {
  const mandate = await signedMandate({ limitAmount: "5000000" });
  const status = await call("GET", "/api/agent/self/status", { bearer: mandate.agent.jwt });
  await service.world.mint(toAddress(body(status).agent.walletAddress), 3_000_000n);
  return mandate;
}

async function sign(agent: Parameters<typeof pay>[0], mandateId: string, entry: Json): Promise<Json> {
  const { maxAmountRequired: amount, asset: assetAddress, payTo, resource, network, scheme, description } = entry;
  const signed = await pay(agent, mandateId, { amount, assetAddress, payTo, resource, network, scheme, description });
  expect([signed.status, signed.body]).toMatchObject([200, { status: "ok" }]);
  return body(signed);
}

const mandateOf = async (agent: { jwt: string }, mandateId: string): Promise<Json> =>
  body(await call("GET", `/api/mandates/agent/${mandateId}`, { bearer: agent.jwt })).mandate;
const creditsOf = async ({ session }: { session: string }): Promise<Json> =>
  body(await call("GET", "/api/credits", { session }));
