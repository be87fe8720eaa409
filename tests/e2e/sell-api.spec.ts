import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Locator, Page } from "@playwright/test";
import { Tessera } from "@tessera/client";
import { callPaidTool } from "@tessera/client/paid-tools";
import { BASE_URL, call, fund, makeLink, newAgent, newPayee, newPerson, payPath, propose, sign } from "./support/api";
import { Journey, signInWallet } from "./support/journey";
import { seller } from "./support/links";
import { connectClient, openTools, TOOLS_KEY } from "./support/mcp";
import { become, expect, expectAccessible, expectFits, test } from "./support/test";

let api: Server;
let url: string;
let answering: (res: ServerResponse) => void;

test.beforeAll(async () => {
  api = createServer((req, res) => {
    req.resume();
    answering(res);
  });
  await once(api.listen(0, "127.0.0.1"), "listening");
  url = `http://localhost:${(api.address() as AddressInfo).port}/v1`;
});

test.afterAll(() => {
  api.closeAllConnections();
  api.close();
});

const quote = (res: ServerResponse) =>
  void res.writeHead(200, { "content-type": "application/json" }).end('{"symbol":"ETH","price":"3120.50"}');

const DOCUMENT = {
  openapi: "3.1.0",
  paths: {
    "/quotes/{symbol}": { get: { "x-payment-info": { price: "0.01" } } },
    "/report": { get: {} },
    "/a/{b}/{c}": { get: {} },
  },
};

test.beforeEach(() => {
  answering = quote;
});

/** From the front page to the form of a first link. */
async function becomeSeller(journey: Journey, page: Page): Promise<Locator> {
  await become(page, await newPerson(), false);
  await page.goto("/");
  await journey.click(page.getByRole("link", { name: "Try it with test money" }));
  await journey.click(page.getByRole("button", { name: /Tessera test wallet/ }));
  await signInWallet(journey, page);
  await journey.type(page.getByLabel("Name of your shop"), "Quotes shop");
  await journey.click(page.getByRole("button", { name: "Create a seller" }));
  return page.getByRole("form", { name: "New payment link" });
}

test("a new seller puts a price on an API from the front page", async ({ page }) => {
  test.slow();
  const journey = new Journey("A price on an API");
  const form = await becomeSeller(journey, page);
  await journey.click(form.getByRole("radio", { name: "Calls to your API" }));
  await journey.type(form.getByLabel("Address of your API"), url);
  await journey.type(form.getByLabel("Price of a request"), "0.01");
  await journey.click(form.getByRole("button", { name: "Create link" }));
  await expect(page.getByRole("heading", { name: "Your API has a price" })).toBeVisible();
  journey.end({ clicks: 6, fields: 3 });
  const paidUrl = (await page.getByText(/\/paid\/lnk_\w+$/).textContent()) ?? "";
  await call("GET", new URL(paidUrl).pathname, {}, 402);
});

test("a new seller puts a price on the tools of an MCP server from the front page, and an agent pays for a call (axe)", async ({
  page,
}) => {
  test.slow();
  const server = await openTools();
  const journey = new Journey("A price on tools");
  const form = await becomeSeller(journey, page);
  await journey.click(form.getByRole("radio", { name: "Your MCP tools" }));
  await journey.type(form.getByLabel("Price of a call"), "0.01");
  await journey.type(form.getByLabel("Address of your MCP server"), server.url);
  await journey.type(form.getByLabel("Headers it gets"), `Authorization: ${TOOLS_KEY}`);
  await journey.click(form.getByRole("button", { name: "Read its tools" }));
  await expect(form.getByText("2 tools read.")).toBeVisible();
  await expect(form.getByLabel("Tools and prices")).toHaveValue("forecast\nhistory");
  await journey.click(form.getByRole("button", { name: "Create link" }));
  await expect(page.getByRole("heading", { name: "Your tools have a price" })).toBeVisible();
  journey.end({ clicks: 7, fields: 4 });
  const serverUrl = (await page.getByText(/\/mcp\/lnk_\w+$/).textContent()) ?? "";
  await expectAccessible(page);
  await expectFits(page);

  const [owner, agent] = [await newPerson(), await newAgent()];
  const proposal = await propose(agent, { hostAllowlist: [new URL(serverUrl).host] });
  await sign(owner, proposal);
  await fund(owner);
  const tessera = new Tessera({ baseUrl: BASE_URL, agentId: agent.agentId, token: agent.token });
  const client = await connectClient(serverUrl);
  const { tools } = await client.listTools();
  expect(tools.map(({ name, description }) => [name, description])).toEqual([
    ["forecast", expect.stringContaining("Each call costs 0.01 USDC")],
    ["history", expect.stringContaining("Each call costs 0.01 USDC")],
  ]);
  const { mandateId } = proposal;
  const bought = await callPaidTool(
    client,
    { name: "forecast" },
    { tessera, serverUrl, mandateId, maxAmount: "10000" },
  );
  expect(bought).toMatchObject({
    result: { content: [{ type: "text", text: "sunny" }] },
    settlement: { success: true },
  });
  await client.close();

  await page.getByRole("link", { name: "Try it" }).click();
  const figures = page.getByRole("region", { name: "The last 30 days" });
  await expect(figures).toContainText("Income0.01 USDC");
  const rows = page.getByRole("table", { name: "Paid requests, newest first" }).getByRole("row");
  await expect(rows.nth(1)).toContainText(/^forecast200/);
  const trial = page.getByRole("region", { name: "Try it without paying" });
  await trial.getByRole("button", { name: "Send" }).click();
  await expect(trial.getByText("sunny")).toBeVisible();
  await trial.getByLabel("Tool").fill("gossip");
  await trial.getByRole("button", { name: "Send" }).click();
  await expect(trial.getByText("This link does not sell this tool.")).toBeVisible();
  await expectAccessible(page);
  await expectFits(page);
  server.close();
});

test("the form of a link to an MCP server says what is wrong with it, and keeps its tools when it is edited (axe)", async ({
  page,
}) => {
  const server = await openTools();
  await seller(page, "Weather shop");
  await page.goto("/dashboard/links/new");
  const form = page.getByRole("form", { name: "New payment link" });
  await form.getByRole("radio", { name: "Your MCP tools" }).check();
  await expect(form.getByLabel("Methods")).toHaveCount(0);
  const read = form.getByRole("button", { name: "Read its tools" });
  await read.click();
  await expect(form.getByText("Enter the address of your MCP server first.")).toBeVisible();
  await form.getByLabel("Address of your MCP server").fill(server.url);
  await read.click();
  await expect(form.getByText("It refused this server. Enter its headers above.")).toBeVisible();
  await form.getByLabel("Address of your MCP server").fill(url);
  await read.click();
  await expect(form.getByText("It does not answer as an MCP server of Streamable HTTP.")).toBeVisible();
  await form.getByLabel("Address of your MCP server").fill(server.url);
  await form.getByLabel("Price of a call").fill("0.01");
  await form.getByLabel("Headers it gets").fill(`Authorization: ${TOOLS_KEY}`);
  await form.getByLabel("Tools and prices").fill("/forecast");
  await form.getByRole("button", { name: "Create link" }).click();
  await expect(form.getByText("Write each line as name or name = price, with the name of a tool.")).toBeVisible();
  await expectAccessible(page);
  await expectFits(page);
  await form.getByLabel("Tools and prices").fill("forecast = 0.02");
  await form.getByRole("button", { name: "Create link" }).click();
  await page.getByRole("link", { name: "View this link" }).click();
  const settings = page.getByRole("region", { name: "Settings" });
  await expect(settings).toContainText("forecast0.02 USDC");
  await page.getByRole("link", { name: "Edit link" }).click();
  const edit = page.getByRole("form", { name: "Edit payment link" });
  await expect(edit.getByLabel("Tools and prices")).toHaveValue("forecast = 0.02");
  await edit.getByLabel("Tools and prices").fill("forecast = 0.02\nhistory");
  await edit.getByRole("button", { name: "Save changes" }).click();
  await expect(settings).toContainText("historythe price above");
  server.close();
});

test("the checkout of a link that sells tools names them, and where and how they are paid for (axe)", async ({
  page,
}) => {
  const link = await makeLink(await newPayee(), {
    amount: "10000",
    resourceContent: null,
    upstream: {
      ...{
        kind: "mcp",
        url: "http://localhost:9/mcp",
        tools: [{ name: "forecast", amount: "20000" }, { name: "history" }],
      },
      pass: { isByUse: true, hours: 720, amount: "5000000" },
    },
  });
  const [mcpUrl, paidUrl] = [link.url.replace("/pay/", "/mcp/"), link.url.replace("/pay/", "/paid/")];
  await page.goto(link.url);
  await expect(page.getByRole("heading", { name: "Tools for agents" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Price of a call" })).toBeVisible();
  await expect(page.getByText("0.01 USDC to 0.02 USDC", { exact: true })).toBeVisible();
  const sold = page.getByRole("region", { name: "What can be called" }).getByRole("listitem");
  await expect(sold).toHaveText(["forecast0.02 USDC", "history0.01 USDC"]);
  await expect(page.getByText(mcpUrl, { exact: true })).toBeVisible();
  await expect(page.getByText(`curl -i -X POST '${paidUrl}/forecast'`)).toBeVisible();
  await expect(page.getByText(`callPaidTool(mcpClient, { name: "forecast"`)).toContainText(`serverUrl: "${mcpUrl}"`);
  await expect(page.getByText("Pass for calls priced by use within 30 days", { exact: true })).toBeVisible();
  await expect(page.getByText("Each takes what it used, at most its price")).toBeVisible();
  await expect(page.getByRole("button", { name: /^Pay|Connect/ })).toHaveCount(0);
  await expectAccessible(page);
  await expectFits(page);
  await page.goto(`${link.url}?lang=de`);
  await expect(page.getByRole("heading", { name: "Tools für Agenten" })).toBeVisible();
  await expect(page.getByText("Pass für Aufrufe nach Verbrauch innerhalb von 30 Tagen")).toBeVisible();
});

test("a seller puts a price on an API, tries it, and sees what buyers paid for and what went wrong (axe)", async ({
  page,
}) => {
  test.slow();
  await seller(page, "Quotes shop");
  await page.goto("/dashboard/links/new");
  const form = page.getByRole("form", { name: "New payment link" });
  await form.getByLabel("Title").fill("Quotes");
  await form.getByLabel("What they get").fill("Not of an API.");
  await form.getByRole("radio", { name: "Calls to your API" }).check();
  await expect(form.getByLabel("What they get")).toHaveCount(0);
  const readDocument = form.getByRole("button", { name: "Read its OpenAPI document" });
  await readDocument.click();
  await expect(form.getByText("Enter the address of your API first.")).toBeVisible();
  await form.getByLabel("Address of your API").fill(url);
  await form.getByLabel("Price of a request").fill("0.01");
  await form.getByLabel("Headers it gets").fill("Authorization Bearer sk_secret_0123456789");
  answering = (res) => void res.writeHead(404).end();
  await readDocument.click();
  await expect(form.getByText("There is no openapi.json at this address.")).toBeVisible();
  await form.getByLabel("Paths and prices").fill("/report = 0,50");
  answering = (res) => void res.end(JSON.stringify(DOCUMENT));
  await readDocument.click();
  await expect(form.getByText("2 paths read. 1 left out: a link cannot sell them.")).toBeVisible();
  await expect(form.getByLabel("Paths and prices")).toHaveValue("/report = 0,50\n/quotes/{symbol} = 0.01");
  answering = quote;
  await form.getByRole("button", { name: "Create link" }).click();
  await expect(form.getByText("Write each line as name: value.")).toBeVisible();
  await expect(form.getByText("/report: Use a point for decimals")).toBeVisible();
  await expectAccessible(page);
  await expectFits(page);
  await form.getByLabel("Headers it gets").fill("Authorization: Bearer sk_secret_0123456789");
  await form.getByLabel("Paths and prices").fill("/quotes/{symbol}\n/report = 0.50");
  await form.getByText("More", { exact: true }).click();
  await form.getByLabel("Price of the pass").fill("5");
  await form.getByRole("textbox", { name: "Calls", exact: true }).fill("1000");
  await expectAccessible(page);
  await form.getByRole("button", { name: "Create link" }).click();
  await expect(page.getByRole("heading", { name: "Your API has a price" })).toBeVisible();
  const paidUrl = (await page.getByText(/\/paid\/lnk_\w+$/).textContent()) ?? "";
  await expectAccessible(page);
  await expectFits(page);

  await page.getByRole("link", { name: "View this link" }).click();
  await expect(page.getByRole("region", { name: "Where programs pay" })).toContainText(paidUrl);
  const settings = page.getByRole("region", { name: "Settings" });
  await expect(settings).toContainText("Headers it getsauthorization");
  await expect(settings).toContainText("/report0.50 USDC");
  await expect(settings).toContainText("Pass for 1,000 requests5.00 USDC");
  await expect(page.getByText("sk_secret")).toHaveCount(0);
  await expectAccessible(page);
  await expectFits(page);

  await page.getByRole("link", { name: "Requests" }).click();
  await expect(page.getByText("No paid requests yet")).toBeVisible();
  const trial = page.getByRole("region", { name: "Try it without paying" });
  await trial.getByRole("button", { name: "Send" }).click();
  await expect(trial.getByText("Write a value in place of {symbol}.")).toBeVisible();
  await trial.getByLabel("Path").fill("/nothing");
  await trial.getByRole("button", { name: "Send" }).click();
  await expect(trial.getByText("This link does not sell this path.")).toBeVisible();
  await trial.getByLabel("Path").fill("/quotes/ETH");
  await trial.getByRole("button", { name: "Send" }).click();
  await expect(trial.getByText('{"symbol":"ETH","price":"3120.50"}')).toBeVisible();
  await expect(trial.getByText("200", { exact: true })).toBeVisible();
  await expectAccessible(page);
  await expectFits(page);

  const buyer = await newPerson();
  await call("POST", "/api/devnet/faucet", { json: { address: buyer.account.address, amount: "1000000" } });
  const { pathname } = new URL(paidUrl);
  expect(await payPath(buyer, `${pathname}/quotes/ETH`)).toEqual({ symbol: "ETH", price: "3120.50" });
  answering = (res) => void res.writeHead(401).end();
  await payPath(buyer, `${pathname}/quotes/BTC`, 60, 503);
  await page.reload();
  const figures = page.getByRole("region", { name: "The last 30 days" });
  await expect(figures).toContainText("Requests2");
  await expect(figures).toContainText("Income0.02 USDC");
  await expect(figures).toContainText("Answered 2001");
  await expect(figures).toContainText("Check the headers and its limits.1");
  await expect(figures).toContainText("GET /quotes/{symbol}");
  const rows = page.getByRole("table", { name: "Paid requests, newest first" }).getByRole("row");
  await expect(rows.nth(1)).toContainText("GET /quotes/BTC");
  await expect(rows.nth(1)).toContainText("Failed · 401");
  await expect(rows.nth(2)).toContainText("200");
  await expectAccessible(page);
  await expectFits(page);

  await page.getByRole("link", { name: "Edit link" }).click();
  const edit = page.getByRole("form", { name: "Edit payment link" });
  await expect(edit.getByText("Stored: authorization. Leave it empty to keep them.")).toBeVisible();
  await edit.getByLabel("It answers within").fill("5");
  await edit.getByLabel("Priced by what is used").check();
  await expect(edit.getByRole("textbox", { name: "Calls", exact: true })).toHaveCount(0);
  await expectAccessible(page);
  await edit.getByRole("button", { name: "Save changes" }).click();
  await expect(settings).toContainText("At most5 s");
  await expect(settings).toContainText("Pass for requests priced by use5.00 USDC");
  await expect(settings).toContainText("Headers it getsauthorization");
});

test("the checkout of a link that sells an API says what it is, and offers no payment (axe)", async ({ page }) => {
  const paths = [
    { path: "/quotes/{symbol}", amount: "20000" },
    { path: "/report", amount: "500000" },
  ];
  const link = await makeLink(await newPayee(), {
    resourceContent: null,
    upstream: {
      ...{ url, paths, methods: ["GET", "POST"] },
      pass: { calls: 1000, hours: 24, amount: "5000000", isRefundable: true },
    },
  });
  const paidUrl = link.url.replace("/pay/", "/paid/");
  await page.goto(link.url);
  await expect(page.getByRole("heading", { name: "An API for programs" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Price of a request" })).toBeVisible();
  await expect(page.getByText("0.02 USDC to 0.50 USDC", { exact: true })).toBeVisible();
  const sold = page.getByRole("region", { name: "What can be requested" }).getByRole("listitem");
  await expect(sold).toHaveText(["/quotes/{symbol}GET · POST0.02 USDC", "/reportGET · POST0.50 USDC"]);
  await expect(page.getByText(paidUrl, { exact: true })).toBeVisible();
  await expect(page.getByText(`curl -i '${paidUrl}/quotes/SYMBOL'`)).toBeVisible();
  await expect(page.getByText("Pass for 1,000 requests within 1 day", { exact: true })).toBeVisible();
  await expect(page.getByText("5.00 USDC", { exact: true })).toBeVisible();
  const lines = page.getByText(`tessera.pay("${paidUrl}/quotes/SYMBOL"`);
  await expect(lines).toContainText(['maxAmount: parseUsdc("0.02") }', 'preferPass: parseUsdc("5.00")']);
  await expect(
    page.getByText("If the API fails, the same payment brings up to 10 tries within an hour."),
  ).toBeVisible();
  await expect(page.getByRole("button", { name: /^Pay|Connect/ })).toHaveCount(0);
  await expectAccessible(page);
  await expectFits(page);
  const opened = page.waitForResponse((response) => response.url().endsWith("/openapi.json"));
  await page.getByRole("link", { name: "OpenAPI document" }).click();
  expect((await (await opened).json()).paths).toHaveProperty(["/report", "get", "x-payment-info"]);
  await page.goto(`${link.url}?lang=de`);
  await expect(page.getByRole("heading", { name: "Eine API für Programme" })).toBeVisible();
});
