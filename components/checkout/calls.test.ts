import { expect, test } from "vitest";
import { wordsOf } from "@/components/texts/words";
import { callLines, callPrice, passName } from "./calls";

const paidUrl = "https://wallet.test/paid/lnk_1";
const calls = (...paths: { path: string | null; amount: string }[]) => ({
  ...{ kind: "http" as const, mcpUrl: null, paidUrl, paths },
  openApiUrl: "",
  methods: ["GET", "POST"],
  pass: null,
});
const TEXTS = wordsOf("en", "offer");

test("the price of a request is one, or from the lowest to the highest", () => {
  const dear = { path: "/a", amount: "500000" };
  expect(callPrice(calls(dear, dear), TEXTS)).toBe("0.50 USDC");
  const some = calls(dear, { path: "/b", amount: "9000" }, { path: "/c", amount: "10000" });
  expect(callPrice(some, TEXTS)).toBe("0.009 USDC to 0.50 USDC");
});

test("a call has the first path with its variable in capitals, its method and its price", () => {
  expect(callLines(calls({ path: "/quotes/{symbol}", amount: "20000" }))).toEqual({
    curl: `curl -i '${paidUrl}/quotes/SYMBOL'`,
    client: `await tessera.pay("${paidUrl}/quotes/SYMBOL", {}, { maxAmount: parseUsdc("0.02") });`,
    clientWithPass: null,
  });
  expect(callLines({ ...calls({ path: null, amount: "10000" }), methods: ["PUT"] })).toEqual({
    curl: `curl -i -X PUT '${paidUrl}/PATH'`,
    client: `await tessera.pay("${paidUrl}/PATH", { method: "PUT" }, { maxAmount: parseUsdc("0.01") });`,
    clientWithPass: null,
  });
  const pass = { calls: 1_000, hours: null, isByUse: false, amount: "5000000", isRefundable: false };
  expect(callLines({ ...calls({ path: "/report", amount: "10000" }), pass }).clientWithPass).toBe(
    `await tessera.pay("${paidUrl}/report", {}, { maxAmount: parseUsdc("0.01"), preferPass: parseUsdc("5.00") });`,
  );
});

test.each([
  [1_000, null, false, "1,000 requests", "1.000 Anfragen"],
  [1, 1, false, "1 request within 1 hour", "1 Anfrage innerhalb von 1 Stunde"],
  [10, 36, false, "10 requests within 36 hours", "10 Anfragen innerhalb von 36 Stunden"],
  [null, 720, false, "any number of requests within 30 days", "beliebig viele Anfragen innerhalb von 30 Tagen"],
  [null, null, true, "requests priced by use", "Anfragen nach Verbrauch"],
  [null, 24, true, "requests priced by use within 1 day", "Anfragen nach Verbrauch innerhalb von 1 Tag"],
])("a pass of %s calls and %s hours, by use %s, is named", (count, hours, isByUse, english, german) => {
  const pass = { calls: count, hours, isByUse, amount: "1", isRefundable: false };
  const sold = { kind: "http" as const, pass };
  expect([passName(sold, TEXTS), passName(sold, wordsOf("de", "offer"))]).toEqual([english, german]);
});

test("a tool is called with an MCP client, over HTTP with a pass, and its pass is for calls", () => {
  const pass = { calls: 1_000, hours: null, isByUse: false, amount: "5000000", isRefundable: false };
  const mcpUrl = "https://wallet.test/mcp/lnk_1";
  const tools = {
    ...calls({ path: "/forecast", amount: "20000" }),
    kind: "mcp" as const,
    mcpUrl,
    methods: ["POST"],
    pass,
  };
  const options = `{ tessera, serverUrl: "${mcpUrl}", maxAmount: parseUsdc("0.02") }`;
  expect(callLines(tools)).toEqual({
    curl: `curl -i -X POST '${paidUrl}/forecast'`,
    client: `await callPaidTool(mcpClient, { name: "forecast", arguments: {} }, ${options});`,
    clientWithPass: `await tessera.pay("${paidUrl}/forecast", { method: "POST" }, { maxAmount: parseUsdc("0.02"), preferPass: parseUsdc("5.00") });`,
  });
  expect(callLines({ ...tools, paths: [{ path: null, amount: "20000" }] }).client).toContain('name: "TOOL"');
  expect(passName(tools, TEXTS)).toBe("1,000 calls");
});

test("a path cannot leave the quotes of a command", () => {
  const { curl } = callLines(calls({ path: "/a'$(reboot)&b'", amount: "1" }));
  expect(curl).toBe(`curl -i '${paidUrl}/a%27$(reboot)&b%27'`);
});
