import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { auth, type OAuthClientProvider } from "@modelcontextprotocol/sdk/client/auth.js";
import type { OAuthClientInformationFull, OAuthTokens } from "@modelcontextprotocol/sdk/shared/auth.js";
import type { Page } from "@playwright/test";
import { Tessera } from "@tessera/client";
import { registerTessera } from "@tessera/client/x402";
import { wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { installPacked } from "../../packages/client/testing/packed";
import { stranger } from "./support/addresses";
import { BASE_URL } from "./support/api";
import { Journey, signIn, signInWallet } from "./support/journey";
import { connectAgent, openSeller, registerAgent, WEATHER } from "./support/mcp";
import { expect, test } from "./support/test";

/**
 * The first payment in four hosts, from nothing: no agent, no owner, an empty wallet, and a stock seller of x402 v2. A
 * journey has five minutes, the timeout of each test, and prints how long it took.
 */

const LIMIT_MINUTES = 5;
const PRICE = { usd: "$0.25", units: "250000" };
const BUDGET = { naturalLanguage: "Weather data for a week", limitAmount: "5000000", validForSeconds: 7 * 86_400 };

test.describe.configure({ timeout: LIMIT_MINUTES * 60_000 });

type Seller = Awaited<ReturnType<typeof openSeller>> & { host: string };

async function withSeller(buy: (seller: Seller) => Promise<void>): Promise<void> {
  const seller = await openSeller(stranger(), PRICE.usd);
  try {
    await buy({ ...seller, host: new URL(seller.url).hostname });
  } finally {
    seller.close();
  }
}

/** On the page of the mandate, signed in: the owner signs, and fills their spending wallet. */
async function signAndFund(journey: Journey, page: Page): Promise<void> {
  await journey.click(page.getByRole("radio", { name: "Your spending wallet" }));
  await journey.click(page.getByRole("button", { name: /^Sign with your wallet/ }));
  await signInWallet(journey, page);
  await journey.click(page.getByRole("button", { name: "Get test USDC" }));
  await expect(page.getByText("holds 100.00 USDC", { exact: true })).toBeVisible();
}

/** The whole of what an owner does for an agent that nobody owns yet, and whose mandate they see at `authorizationUrl`. */
async function becomeOwner(journey: Journey, page: Page, authorizationUrl: string): Promise<void> {
  await page.goto(authorizationUrl);
  await signIn(journey, page, "Connect a wallet and sign in");
  await journey.click(page.getByRole("button", { name: /^Link .* to your account$/ }));
  await signAndFund(journey, page);
}

/** The owner sees the payment that the seller was paid with. */
async function seePayment(page: Page, mandateId: string): Promise<void> {
  await page.goto(`/mandates/${mandateId}`);
  await expect(page.getByRole("row").filter({ hasText: "Settled" })).toContainText("0.25");
}

type Agent = Awaited<ReturnType<typeof connectAgent>>;

const proposeOverMcp = (agent: Agent, { host }: Seller) =>
  agent.call("create_intent_mandate", { intent: { ...BUDGET, hostAllowlist: [host] } });

async function payOverMcp(agent: Agent, { url }: Seller): Promise<void> {
  const paid = await agent.call("pay_url", { url, maxAmount: PRICE.units, idempotencyKey: "weather-1" });
  expect(paid).toMatchObject({ outcome: "delivered", answer: { status: 200 } });
  expect(JSON.parse((paid.answer as { body: string }).body)).toEqual(WEATHER);
}

/** What a host keeps of a connection by OAuth, and how it opens its user's browser. */
function oauthHost(open: (url: URL) => Promise<void>): OAuthClientProvider & { accessToken: () => string } {
  const kept: { client?: OAuthClientInformationFull; tokens?: OAuthTokens; verifier: string } = { verifier: "" };
  const redirectUrl = "http://localhost:9/callback";
  return {
    redirectUrl,
    clientMetadata: { client_name: "A host by OAuth", redirect_uris: [redirectUrl] },
    clientInformation: () => kept.client,
    saveClientInformation: (client) => {
      kept.client = client as OAuthClientInformationFull;
    },
    tokens: () => kept.tokens,
    accessToken: () => kept.tokens?.access_token ?? "",
    saveTokens: (tokens) => {
      kept.tokens = tokens;
    },
    redirectToAuthorization: open,
    saveCodeVerifier: (verifier) => {
      kept.verifier = verifier;
    },
    codeVerifier: () => kept.verifier,
  };
}

test("a host that connects by OAuth", { tag: "@once" }, ({ page }) =>
  withSeller(async (seller) => {
    const journey = new Journey("First payment, host by OAuth");
    let returned = new URL(BASE_URL);
    await page.route("http://localhost:9/**", (route) => {
      returned = new URL(route.request().url());
      return route.fulfill({ body: "back in the host" });
    });
    const host = oauthHost(async (url) => void (await page.goto(url.href)));
    const serverUrl = new URL("/mcp/oauth", BASE_URL);
    expect(await auth(host, { serverUrl })).toBe("REDIRECT");
    await signIn(journey, page, "Sign in with your wallet");
    await journey.click(page.getByRole("button", { name: "Connect" }));
    await expect(page.getByText("back in the host")).toBeVisible();
    expect(await auth(host, { serverUrl, authorizationCode: String(returned.searchParams.get("code")) })).toBe(
      "AUTHORIZED",
    );

    const agent = await connectAgent(host.accessToken(), "/mcp/oauth");
    const { mandateId, authorizationUrl } = await proposeOverMcp(agent, seller);
    await page.goto(String(authorizationUrl));
    await signAndFund(journey, page);
    await payOverMcp(agent, seller);
    await seePayment(page, String(mandateId));
    await agent.close();
    journey.end({ clicks: 8, fields: 0 });
  }),
);

test("a host with a token in a header", { tag: "@once" }, ({ page }) =>
  withSeller(async (seller) => {
    const journey = new Journey("First payment, host with a header");
    const agent = await registerAgent("Weather agent");
    const { mandateId, authorizationUrl } = await proposeOverMcp(agent, seller);
    await becomeOwner(journey, page, String(authorizationUrl));
    await payOverMcp(agent, seller);
    await seePayment(page, String(mandateId));
    await agent.close();
    journey.end({ clicks: 8, fields: 0 });
  }),
);

test("the command line, installed from the service", { tag: "@once" }, ({ page }) =>
  withSeller(async (seller) => {
    const journey = new Journey("First payment, command line");
    const project = installPacked(`${BASE_URL}/tessera-client.tgz`);
    const env = { ...process.env, NODE_OPTIONS: "", TESSERA_CONFIG_DIR: join(project.directory, "config") };
    const command = join(project.directory, "node_modules", ".bin", "tessera");
    const tessera = async (...args: string[]): Promise<Record<string, unknown>> =>
      JSON.parse((await promisify(execFile)(command, [...args, "--json"], { env })).stdout);
    try {
      await tessera("login", "--url", BASE_URL, "--register", "Weather agent");
      const proposal = ["--purpose", "Weather data", "--limit", "5", "--days", "7", "--host", seller.host];
      const { mandateId, authorizationUrl } = await tessera("mandates", "create", ...proposal);
      await becomeOwner(journey, page, String(authorizationUrl));
      await tessera("pay", seller.url, "--max", "0.25");
      await seePayment(page, String(mandateId));
    } finally {
      project.remove();
    }
    journey.end({ clicks: 8, fields: 0 });
  }),
);

test("a program with stock @x402/fetch", { tag: "@once" }, ({ page }) =>
  withSeller(async (seller) => {
    const journey = new Journey("First payment, @x402/fetch");
    const tessera = await Tessera.register({ baseUrl: BASE_URL, name: "Weather agent" });
    const budget = { ...BUDGET, hostAllowlist: [seller.host] };
    const { mandateId, authorizationUrl } = await tessera.mandates.create(budget);
    await becomeOwner(journey, page, authorizationUrl);
    const client = registerTessera(new x402Client(), { tessera, maxAmount: PRICE.units });
    const answer = await wrapFetchWithPayment(fetch, client)(seller.url);
    expect([answer.status, await answer.json()]).toEqual([200, WEATHER]);
    await seePayment(page, mandateId);
    journey.end({ clicks: 8, fields: 0 });
  }),
);
