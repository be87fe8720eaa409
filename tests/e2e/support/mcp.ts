import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { HTTPFacilitatorClient } from "@x402/core/server";
import { ExactEvmScheme } from "@x402/evm/exact/server";
import { paymentMiddleware, x402ResourceServer } from "@x402/express";
import express from "express";
import { BASE_URL, call, newPerson } from "./api";

type Value = Record<string, unknown>;

export async function connectClient(url: string | URL, headers: Record<string, string> = {}): Promise<Client> {
  const client = new Client({ name: "an agent in a browser test", version: "1.0.0" });
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
  // Its types were not written for exactOptionalPropertyTypes.
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  return client;
}

/** An agent that knows only the address of `/mcp`. */
export type McpAgent = {
  /** The tool's structured result; throws if it is an error. */
  call: (name: string, args?: Value) => Promise<Value>;
  close: () => Promise<void>;
};

export async function connectAgent(token?: string, path = "/mcp"): Promise<McpAgent> {
  const headers: Record<string, string> = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  const client = await connectClient(new URL(path, BASE_URL), headers);
  return {
    call: async (name, args = {}) => {
      const { isError, structuredContent } = await client.callTool({ name, arguments: args });
      if (isError) throw new Error(`${name} failed: ${JSON.stringify(structuredContent)}`);
      return structuredContent as Value;
    },
    close: () => client.close(),
  };
}

/** Registers over MCP, and connects again with the token, as a host does. */
export async function registerAgent(agent_name: string): Promise<McpAgent> {
  const stranger = await connectAgent();
  const { token } = await stranger.call("init_agent_id", { agent_name });
  await stranger.close();
  return connectAgent(String(token));
}

export const WEATHER = { weather: "sunny" };

/** A seller of weather with npm's express middleware of x402 v2, which settles over this service's facilitator. */
export async function openSeller(payTo: string, price: string): Promise<{ url: string; close: () => void }> {
  const { cookie } = await newPerson();
  const created = await call<{ secret: string }>(
    "POST",
    "/api/facilitator/keys",
    { cookie, json: { name: "Shop" } },
    201,
  );
  const headers = { Authorization: `Bearer ${created.secret}` };
  const facilitator = new HTTPFacilitatorClient({
    url: `${BASE_URL}/facilitator`,
    createAuthHeaders: async () => ({ verify: headers, settle: headers, supported: headers, list: headers }),
  });
  const accepts = [{ scheme: "exact" as const, price, network: "eip155:8453" as const, payTo }];
  const routes = { "GET /weather": { accepts, description: "Weather", mimeType: "application/json" } };
  const resources = new x402ResourceServer(facilitator).register("eip155:8453", new ExactEvmScheme());
  const app = express();
  app.use(paymentMiddleware(routes, resources));
  app.get("/weather", (_, res) => void res.json(WEATHER));
  const server = await new Promise<Server>((listening) => {
    const started: Server = app.listen(0, () => listening(started));
  });
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/weather`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

export const TOOLS_KEY = "Bearer sk_secret_0123456789";

/** A seller's own MCP server with the tools `forecast` and `history`, which knows nothing of payments and wants `TOOLS_KEY`. */
export async function openTools(): Promise<{ url: string; close: () => void }> {
  const server = createServer(async (req, res) => {
    if (req.headers.authorization !== TOOLS_KEY) return void res.writeHead(401).end();
    const tools = new McpServer({ name: "weather", version: "1.0.0" });
    tools.registerTool("forecast", { description: "The weather of tomorrow" }, () => ({
      content: [{ type: "text", text: WEATHER.weather }],
    }));
    tools.registerTool("history", { description: "The weather of the past" }, () => ({
      content: [{ type: "text", text: "rainy" }],
    }));
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
    // Its types were not written for exactOptionalPropertyTypes.
    await tools.connect(transport as Parameters<typeof tools.connect>[0]);
    await transport.handleRequest(req, res);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/mcp`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
