import { execFile, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePort } from "@/dev/local/ports";
import { newOwner, type TestOwner } from "../support/actors";
import { confirmedCall } from "../support/confirmations";
import { type Json, linkedPair, type Parties, signedMandate } from "../support/mandates";
import { funded } from "../support/payouts";
import { type Served, serve } from "../support/serve";
import { shareService } from "../support/service";
import { eventually } from "../support/vault-mandates";

/** Published MCP clients, unmodified: with a token in a header at /mcp, and by OAuth at /mcp/oauth. */
const service = shareService();
const packages = resolve("tests/interop/node_modules");
const MCP_REMOTE = join(packages, "mcp-remote/dist/proxy.js");
const INSPECTOR = join(packages, "@modelcontextprotocol/inspector/clients/launcher/build/index.js");

let server: Served;
let pair: Parties;
let home: string;
/** Sells for 0.02 USDC. */
let url: string;
let env: Record<string, string> & { NODE_ENV: "production" };

beforeAll(async () => {
  server = await serve();
  pair = await signedMandate();
  await funded(service.world, pair.owner);
  const seller = await linkedPair();
  url = `${server.url}/unifypaymentlink/agentid/${seller.agent.agentId}?amount=20000&asset=usdc`;
  home = mkdtempSync(join(tmpdir(), "tessera-client-"));
  // No program opens a browser: the person is `consent`.
  env = { NODE_ENV: "production", HOME: home, PATH: home, MCP_REMOTE_CONFIG_DIR: join(home, "mcp-remote") };
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** The owner lets the app at the end of this URL act as a new agent; the browser goes back to the app. */
async function consent(owner: TestOwner, authorizationUrl: URL, agentName: string): Promise<void> {
  const request = Object.fromEntries(authorizationUrl.searchParams);
  const { status, body } = await confirmedCall(owner, "/api/connections", { request, agentName });
  expect([status, body]).toEqual([200, expect.objectContaining({ status: "ok" })]);
  // The app prints its URL before it listens.
  const returned = await eventually(
    () => fetch((body as Json).redirectTo).catch(() => null),
    "the app to listen for its user's return",
  );
  expect(returned.status).toBe(200);
}

/** The URL that the client asks its user to open. */
function authorizationUrlIn(output: Readable): Promise<URL> {
  return new Promise((found, failed) => {
    let written = "";
    output.on("data", (chunk: Buffer) => {
      written += chunk;
      const [url] = /http:\S+\/oauth\/authorize\?\S+(?=\s)/.exec(written) ?? [];
      if (url) found(new URL(url));
    });
    output.on("end", () => failed(new Error(`no URL of the authorization server in: ${written}`)));
  });
}

describe("mcp-remote", () => {
  function start(...args: string[]) {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [MCP_REMOTE, ...args],
      env,
      stderr: "pipe",
    });
    const client = new Client({ name: "host of mcp-remote", version: "1.0.0" });
    const connected = client.connect(transport);
    // A test that fails before it waits for this must not fail the whole run.
    connected.catch(() => {});
    return { client, errors: transport.stderr as Readable, connected };
  }
  const statusBy = async (client: Client) =>
    ((await client.callTool({ name: "get_agent_status", arguments: {} })) as Json).structuredContent;

  test("connects and buys with a header, as Claude Desktop starts it", async () => {
    const { client, connected } = start(`${server.url}/mcp`, "--header", `Authorization:Bearer ${pair.agent.token}`);
    await connected;
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("pay_url");
    expect((await statusBy(client)).agent).toMatchObject({ id: pair.agent.agentId, isAuthorized: true });
    const order = { url, maxAmount: "20000", idempotencyKey: "by-mcp-remote" };
    const { structuredContent } = (await client.callTool({ name: "pay_url", arguments: order })) as Json;
    expect(structuredContent).toMatchObject({ outcome: "delivered", payment: { amount: "20000" } });
    await client.close();
  });

  test("signs its user in at /mcp/oauth, and needs no browser at its next start", async () => {
    const owner = await newOwner();
    const first = start(`${server.url}/mcp/oauth`);
    await consent(owner, await authorizationUrlIn(first.errors), "By mcp-remote");
    await first.connected;
    const { agent } = await statusBy(first.client);
    expect(agent).toMatchObject({ name: "By mcp-remote", isAuthorized: true });
    await first.client.close();
    const second = start(`${server.url}/mcp/oauth`);
    await second.connected;
    expect((await statusBy(second.client)).agent.id).toBe(agent.id);
    await second.client.close();
  });
});

describe("the command line of @modelcontextprotocol/inspector", () => {
  const run = promisify(execFile);
  const at = (path: string) => [
    "--cli",
    "--transport",
    "http",
    "--server-url",
    `${server.url}${path}`,
    "--format",
    "json",
  ];

  test("lists the tools and buys with a header", async () => {
    const header = ["--header", `Authorization: Bearer ${pair.agent.token}`];
    const listed = await run(process.execPath, [INSPECTOR, ...at("/mcp"), ...header, "--method", "tools/list"], {
      env,
    });
    expect(listed.stdout).toContain("pay_url");
    const order = JSON.stringify({ url, maxAmount: "20000", idempotencyKey: "by-inspector" });
    const call = ["--method", "tools/call", "--tool-name", "pay_url", "--tool-args-json", order];
    const { stdout } = await run(process.execPath, [INSPECTOR, ...at("/mcp"), ...header, ...call], { env });
    expect(stdout).toContain('"delivered"');
  });

  test("finds no tool schema that other hosts cannot use", async () => {
    const args = [INSPECTOR, ...at("/mcp"), "--method", "tools/list", "--strict"];
    const { stderr } = await run(process.execPath, args, { env });
    expect(stderr).not.toMatch(/"severity":\s*"error"/);
  });

  test("signs its user in at /mcp/oauth", async () => {
    const owner = await newOwner();
    const callback = `http://127.0.0.1:${await freePort(0)}/oauth/callback`;
    const args = [
      ...at("/mcp/oauth"),
      "--callback-url",
      callback,
      "--method",
      "tools/call",
      "--tool-name",
      "get_agent_status",
    ];
    const child = spawn(process.execPath, [INSPECTOR, ...args], {
      // Without a terminal it asks for a login only if it may try to open a browser.
      env: { ...env, MCP_AUTO_OPEN_ENABLED: "true" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const output = text(child.stdout);
    await consent(owner, await authorizationUrlIn(child.stderr), "By inspector");
    expect(await output).toContain("By inspector");
  });
});
