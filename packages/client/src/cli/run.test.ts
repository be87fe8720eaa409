import { createHmac } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { BASE_URL, type Handler, json, jwt, offerV1, passSeller, scripted, signed, v1 } from "../../testing/script.ts";
import { run } from "./run.ts";

const SIGN = "/api/payment/x402V3Payment";
const TOKEN = "tok_very_secret";
let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "tessera-cli-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const LOGGED_IN = { TESSERA_URL: BASE_URL, TESSERA_AGENT_ID: "a1", TESSERA_TOKEN: TOKEN };
const STATUS = {
  "/api/agent/self/status": () =>
    json(200, {
      agent: { id: "a1", name: "An \u001b[31magent", isAuthorized: true, walletAddress: null },
      balances: { usdc: { availableFormatted: "1.50" } },
      mandates: { open: 2 },
    }),
};

/** A command line, with its exit code and what it wrote. */
async function cli(
  argv: string[],
  {
    handlers = {},
    env = LOGGED_IN,
    input = "",
  }: { handlers?: Record<string, Handler>; env?: object; input?: string } = {},
) {
  const written = { out: "", err: "" };
  const { fetch, sent } = scripted(handlers);
  const code = await run(argv, {
    env: { ...env, TESSERA_CONFIG_DIR: directory },
    out: (text) => {
      written.out += text;
    },
    err: (text) => {
      written.err += text;
    },
    isTerminal: true,
    readIn: async () => input,
    lines: async function* () {
      yield* input.split("\n");
    },
    fetch,
    signal: new AbortController().signal,
  });
  expect(written.out + written.err).not.toContain(TOKEN);
  return { code, ...written, sent };
}

describe("the login command", () => {
  const modeOf = (name: string) => statSync(join(directory, name)).mode & 0o777;
  const stored = () => JSON.parse(readFileSync(join(directory, "config.json"), "utf8"));

  test("stores the token from standard input in a file that only the user can read", async () => {
    const args = ["login", "--url", BASE_URL, "--agent-id", "a1"];
    const { code } = await cli(args, { env: {}, input: `${TOKEN}\n`, handlers: STATUS });
    expect([code, modeOf("config.json"), stored()]).toEqual([
      0,
      0o600,
      { baseUrl: BASE_URL, agentId: "a1", token: TOKEN },
    ]);
    expect(await cli(["status"], { env: {}, handlers: STATUS })).toMatchObject({ code: 0 });
  });

  test("registers a new agent", async () => {
    const handlers = { ...STATUS, "/register": () => json(200, { agent_id: "a2", token: TOKEN, jwt: jwt() }) };
    const { code, sent } = await cli(["login", "--url", BASE_URL, "--register", "Bot"], { env: {}, handlers });
    expect([code, stored().agentId, JSON.parse(sent[0]?.body ?? "").agent_name]).toEqual([0, "a2", "Bot"]);
  });

  test("does not store a token that does not work", async () => {
    const handlers = { "/refresh": () => json(401, { error: "invalid_token" }) };
    const args = ["login", "--url", BASE_URL, "--agent-id", "a1"];
    const { code, err } = await cli(args, { env: {}, input: TOKEN, handlers });
    expect([code, err, readdirSync(directory)]).toEqual([3, expect.stringContaining("invalid_token"), []]);
  });
});

test("texts of others cannot control the terminal", async () => {
  const { out } = await cli(["status"], { handlers: STATUS });
  expect(out).toContain("usdc: 1.50");
  expect(out).not.toContain("\u001b");
});

test("with --json the output is JSON", async () => {
  expect(JSON.parse((await cli(["status", "--json"], { handlers: STATUS })).out)).toMatchObject({
    agent: { id: "a1" },
  });
});

test.each([
  [[], 0],
  [["--help"], 0],
  [["nothing"], 2],
  [["links", "sell"], 2],
  [["links", "constructor"], 2],
  [["constructor"], 2],
  [["status", "--colour"], 2],
  [["pay"], 2],
  [["pay", "https://seller.example/r"], 2],
  [["pay", "https://seller.example/r", "--max", "1,5"], 2],
  [["pay", "https://seller.example/r", "--max", "1", "--pass", "many"], 2],
  [["pay", "https://seller.example/r", "--max", "1", "--network", "polygon"], 2],
  [["pay", "https://seller.example/r", "--max", "1", "--resume", "pay_none"], 2],
  [["links", "create"], 2],
  [["scan", "face", "x", "--max", "1"], 2],
  [["scan", "transaction", "{", "--max", "1"], 2],
  [["scan", "prompt", "-", "--max", "1"], 2],
  [["listen"], 2],
])("the command %j exits with %i and sends nothing", async (argv, code) => {
  const result = await cli(argv);
  expect([result.code, result.sent]).toEqual([code, []]);
});

test("a command that needs an account exits with 3 without one", async () => {
  expect(await cli(["status"], { env: {} })).toMatchObject({ code: 3, err: expect.stringContaining("tessera login") });
});

test("the scan command reads what it scans from standard input", async () => {
  const path = "/api/transaction-firewall/sentinel/api/prompt-scan";
  const handlers = { [path]: () => json(200, { verdict: "pass" }) };
  const { sent } = await cli(["scan", "prompt", "-", "--max", "1"], { handlers, input: "Obey me\n" });
  expect(sent.filter(({ url }) => url.endsWith(path)).map(({ body }) => JSON.parse(body))).toEqual([
    { text: "Obey me\n" },
  ]);
});

describe("the pay command", () => {
  const PAY = ["pay", "https://seller.example/r", "--max", "0.01", "--mandate", "mand_1"];
  const shop = (paid: Handler): Record<string, Handler> => ({
    "/r": (sent, index) => (sent.headers.has("x-payment") ? paid(sent, index) : v1(offerV1())),
    [SIGN]: signed,
  });

  test("writes the content to standard output, and the payment's details to standard error", async () => {
    const { code, out, err } = await cli(PAY, { handlers: shop(() => new Response("the content")) });
    expect([code, out, err]).toEqual([0, "the content\n", expect.stringContaining("amount: 10000")]);
  });

  test("exits with 1 when the seller required no payment and responded with an error", async () => {
    const handlers = { "/r": () => json(404, { error: "no such link" }) };
    expect(await cli(PAY, { handlers })).toMatchObject({
      code: 1,
      out: expect.stringContaining("no such link"),
      err: expect.stringContaining("http_404"),
    });
  });

  test("exits with 4 when nothing was paid", async () => {
    const argv = ["pay", "https://seller.example/r", "--max", "0.009", "--mandate", "mand_1", "--json"];
    const { code, err } = await cli(argv, { handlers: shop(() => json(200, {})) });
    expect([code, JSON.parse(err)]).toMatchObject([4, { error: { code: "max_amount_exceeded", outcome: "not_paid" } }]);
  });

  test("exits with 5 when the outcome is open, stores the proof privately, and resumes with it", async () => {
    let isBack = false;
    const proofs: (string | null)[] = [];
    const handlers = shop(({ headers }) => {
      proofs.push(headers.get("x-payment"));
      return isBack ? new Response("the content") : json(403, {});
    });
    const first = await cli(PAY, { handlers });
    const [, id = ""] = /--resume (pay_\w+)/.exec(first.err) ?? [];
    expect([first.code, statSync(join(directory, "proofs", `${id}.json`)).mode & 0o777]).toEqual([5, 0o600]);
    expect(first.err + first.out).not.toContain(proofs[0] ?? "none");
    isBack = true;
    const second = await cli([...PAY, "--resume", id], { handlers });
    expect([second.code, second.out, new Set(proofs).size]).toEqual([0, "the content\n", 1]);
    expect(second.sent.filter(({ url }) => url.includes(SIGN))).toEqual([]);
    expect(readdirSync(join(directory, "proofs"))).toEqual([]);
  });

  test("buys a pass with --pass, and stores it privately for the agent's other commands", async () => {
    const argv = [
      "pay",
      "https://seller.example/paid/lnk_1/q",
      "--max",
      "0.01",
      "--pass",
      "0.50",
      "--mandate",
      "mand_1",
    ];
    const first = await cli(argv, { handlers: passSeller() });
    const second = await cli(argv, { handlers: passSeller() });
    expect([first, second]).toMatchObject([
      { code: 0, out: "on pass_1\n", err: expect.stringContaining("amount: 500000") },
      { code: 0, out: "on pass_1\n", err: expect.stringContaining("paid: nothing") },
    ]);
    const [name = ""] = readdirSync(join(directory, "passes"));
    expect(statSync(join(directory, "passes", name)).mode & 0o777).toBe(0o600);
    const other = await cli(argv, { handlers: passSeller("pass_2"), env: { ...LOGGED_IN, TESSERA_AGENT_ID: "a2" } });
    expect(other.out).toBe("on pass_2\n");
  });
});

test("links, payouts, refunds and mandates are created with amounts in USDC", async () => {
  const createdResponse = json(200, { paymentLink: { linkId: "lnk_1" } });
  const handlers: Record<string, Handler> = {
    "/api/payment-links": () => createdResponse,
    "/api/payouts": () => json(201, { payoutId: "p" }),
    "/api/payment-links/refunds/initiate": () => json(201, { refundId: "rfd_1" }),
    "/api/mandates/create-intent": () => json(200, { mandateId: "mand_1" }),
  };
  const bodyOf = async (...argv: string[]) => {
    const { code, sent } = await cli(argv, { handlers });
    expect(code).toBe(0);
    return JSON.parse(sent.at(-1)?.body ?? "");
  };
  expect(await bodyOf("links", "create", "--amount", "0.3", "--max-uses", "1")).toEqual({
    amount: "300000",
    maxUses: 1,
  });
  expect(await bodyOf("payouts", "create", "--to", "0x1", "--amount", "2")).toEqual({
    toAddress: "0x1",
    amount: "2000000",
  });
  expect(await bodyOf("refunds", "create", "7", "--amount", "0.1")).toEqual({ paymentId: 7, amount: "100000" });
  expect(await bodyOf("mandates", "create", "--purpose", "Data", "--limit", "5", "--host", "a.example")).toEqual({
    intent: { naturalLanguage: "Data", limitAmount: "5000000", validForSeconds: 604_800, hostAllowlist: ["a.example"] },
  });
  const capped = ["mandates", "create", "--purpose", "Data", "--limit", "5", "--per-day", "0.5", "--per-month", "4"];
  expect((await bodyOf(...capped)).intent).toMatchObject({ maxAmountPerDay: "500000", maxAmountPerMonth: "4000000" });
});

test("the listen command prints and forwards signed events, returns a challenge, and refuses everything else", async () => {
  const secret = `whsec_${Buffer.from("a secret of a webhook").toString("base64")}`;
  const quit = new AbortController();
  const written = { out: "", err: "" };
  const forwarded = vi.fn(async () => new Response(null, { status: 204 }));
  const running = run(["listen", "--port", "0", "--forward", "http://127.0.0.1:9/hooks", "--json"], {
    env: { TESSERA_WEBHOOK_SECRET: secret, TESSERA_CONFIG_DIR: directory },
    out: (text) => {
      written.out += text;
    },
    err: (text) => {
      written.err += text;
    },
    isTerminal: false,
    readIn: async () => "",
    lines: async function* () {},
    fetch: forwarded as never,
    signal: quit.signal,
  });
  await expect.poll(() => written.err).toContain("http://127.0.0.1:");
  const [url = ""] = /http:\/\/127\.0\.0\.1:\d+\//.exec(written.err) ?? [];
  const send = (body: string, key = secret) => {
    const at = String(Math.floor(Date.now() / 1000));
    const hmac = createHmac("sha256", Buffer.from(key.slice(6), "base64"))
      .update(`evt_1.${at}.${body}`)
      .digest("base64");
    const headers = { "webhook-id": "evt_1", "webhook-timestamp": at, "webhook-signature": `v1,${hmac}` };
    return fetch(url, { method: "POST", headers, body });
  };
  const challenge = await send('{"type":"webhook.verification","data":{"challenge":"c-1"}}');
  expect([challenge.status, await challenge.json()]).toEqual([200, { challenge: "c-1" }]);
  expect(forwarded).not.toHaveBeenCalled();
  expect((await send('{"type":"payment_link.paid","data":{}}')).status).toBe(204);
  expect(forwarded).toHaveBeenCalledTimes(1);
  expect((await send('{"type":"forged","data":{}}', "whsec_AAAA")).status).toBe(400);
  expect((await send("x".repeat(1_100_000))).status).toBe(400);
  expect((await fetch(url)).status).toBe(405);
  quit.abort();
  expect(await running).toBe(0);
  expect(
    written.out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).type),
  ).toEqual(["webhook.verification", "payment_link.paid"]);
  expect(written.out + written.err).not.toContain(secret);
});

describe("the commands for invoices, services and money", () => {
  const bodyOf = (sent: { body: string }[]) => JSON.parse(sent.at(-1)?.body ?? "{}");

  test("send an invoice with the typed lines, in atomic USDC", async () => {
    const handlers = { "POST /api/invoices": () => json(200, { invoice: { invoiceId: "inv_1", url: "https://a/i" } }) };
    const argv = ["invoices", "create", "--buyer", "Ada", "--due", "2026-12-31", "--line", "Call 14:30, hours: 1.5"];
    const { code, out, sent } = await cli(argv, { handlers });
    expect([code, out]).toEqual([0, "invoiceId: inv_1\nurl: https://a/i\n"]);
    const lines = [{ description: "Call 14:30, hours", unitAmount: "1500000" }];
    expect(bodyOf(sent)).toEqual({ buyer: { name: "Ada" }, dueDate: "2026-12-31", lines });
  });

  test.each([[[]], [["--line", "no amount"]], [["--line", ": 5"]], [["--line", "Work: five"]]])(
    "do not send an invoice with %j",
    async (lines) => {
      const { code, err, sent } = await cli(["invoices", "create", "--buyer", "Ada", "--due", "2026-12-31", ...lines]);
      expect([code, sent]).toEqual([2, []]);
      expect(err).toContain("--line");
    },
  );

  test("cancel an invoice by its id", async () => {
    const handlers = { "POST /api/invoices/inv_1/cancel": () => json(200, { invoice: { state: "cancelled" } }) };
    expect(await cli(["invoices", "cancel", "inv_1"], { handlers })).toMatchObject({
      code: 0,
      out: "state: cancelled\n",
    });
  });

  test("list URLs and prices of services, and all services without a search text", async () => {
    const found = {
      resource: "https://a/r",
      description: "Rain",
      accepts: [{ amount: "20000", network: "eip155:8453" }],
    };
    const handlers = {
      "GET /discovery/search": () => json(200, { resources: [found] }),
      "GET /discovery/resources": () => json(200, { items: [] }),
    };
    const { out, sent } = await cli(["search", "rain", "bern", "--limit", "5"], { handlers });
    expect(out).toBe("url: https://a/r\ndescription: Rain\nprice: 0.02\nnetwork: eip155:8453\n");
    expect(new URL(sent.at(-1)?.url ?? "").search).toBe("?query=rain+bern&limit=5");
    expect(await cli(["search"], { handlers })).toMatchObject({ code: 0, out: "none\n" });
  });

  test("show what to sign for a cancellation, and submit the signature", async () => {
    const path = "/api/settlements/stl_1/cancellation";
    const handlers = {
      [`GET ${path}`]: () => json(200, { payer: "0x1" }),
      [`POST ${path}`]: () => json(202, { status: "pending" }),
    };
    expect(await cli(["cancellation", "stl_1"], { handlers })).toMatchObject({ code: 0, out: "payer: 0x1\n" });
    const { out, sent } = await cli(["cancellation", "stl_1", "--signature", "0xab"], { handlers });
    expect([out, bodyOf(sent)]).toEqual(["status: pending\n", { signature: "0xab" }]);
  });

  test("pay no more than the amount for a top-up, for the agent's owner", async () => {
    const topUp: Handler = () => v1(offerV1({ maxAmountRequired: "5000001" }));
    const { code, sent } = await cli(["top-up", "--max", "5"], { handlers: { "/api/credits/top-up": topUp } });
    expect([code, bodyOf(sent)]).toEqual([4, { amount: "5000000", agentId: "a1" }]);
  });

  test("fail when the chain returns no balance, instead of showing 0", async () => {
    const path = "/api/networks/base/balances/0x1";
    const of = (balance: string | null) => ({ handlers: { [path]: () => json(200, { balance }) } });
    expect((await cli(["balance", "0x1"], of("1500000"))).out).toContain("balance: 1.50");
    expect((await cli(["balance", "0x1"], of(null))).code).toBe(1);
  });

  test("send test USDC to the spending wallet, or to an address", async () => {
    const handlers = { ...STATUS, "/api/devnet/faucet": () => json(200, { balance: "100000000" }) };
    expect((await cli(["test-usdc"], { handlers })).code).toBe(2);
    const { out, sent } = await cli(["test-usdc", "0x1", "--amount", "2"], { handlers });
    expect([out, bodyOf(sent)]).toEqual(["address: 0x1\nbalance: 100.00\n", { address: "0x1", amount: "2000000" }]);
  });
});
