import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { McpServer } from "@modelcontextprotocol/server";
import { callPaidTool } from "@tessera/client/paid-tools";
import { z } from "zod";
import type { AgentActor } from "../actors/agents";
import { expectBody } from "../actors/api";
import { startTools } from "../actors/tools";
import type { Transcript } from "./transcript";

const PRICE = 15_000n;

const madeLink = z.object({ paymentLink: z.object({ upstream: z.object({ mcpUrl: z.string() }) }) });

export type ToolParties = { buyer: AgentActor; vendor: AgentActor; mandateId: string };

/** The vendor sells a tool of its MCP server, and an agent calls it with a stock MCP client. `held` reads the payer's balance from the chain. */
export async function playTools(
  say: Transcript,
  { buyer, vendor, mandateId }: ToolParties,
  held: () => Promise<bigint>,
): Promise<void> {
  say.heading("The vendor puts a price on a tool of its MCP server");
  const asked: string[] = [];
  const small = await startTools(() => openForecasts(asked));
  const client = new Client({ name: "research-agent", version: "1.0.0" });
  try {
    const created = await vendor.call("POST", "/api/payment-links", {
      amount: PRICE.toString(),
      title: "Forecasts",
      upstream: { kind: "mcp", url: small.url, tools: [{ name: "forecast" }] },
    });
    const { mcpUrl } = expectBody(created, 200, madeLink, "the link").paymentLink.upstream;

    say.heading("The research agent connects to the link and finds the tool with its price");
    await client.connect(new StreamableHTTPClientTransport(new URL(mcpUrl)));
    const { tools } = await client.listTools();
    say.check("one tool is sold", [tools.map(({ name }) => name)], [["forecast"]]);
    say.check("its description has the price", tools[0]?.description?.includes("0.015 USDC"), true);

    say.heading("It calls the tool, pays under its mandate, and gets the tool's result");
    const balanceBefore = await held();
    const order = { tessera: buyer.tessera, serverUrl: mcpUrl, maxAmount: `${PRICE}`, mandateId };
    const call = { name: "forecast", arguments: { city: "Bern" } };
    const buy = () => callPaidTool(client, call, { ...order, idempotencyKey: "forecast-of-bern" });
    const { result } = await buy();
    const [content] = result.content;
    say.check("the result is the tool's", content?.type === "text" && content.text, "Sunny in Bern");
    say.check("the agent paid the price of one call", balanceBefore - (await held()), PRICE);

    say.heading("The same call again is the same purchase");
    await buy();
    say.check("the server was asked once", asked, ["Bern"]);
    say.check("and nothing more was paid", balanceBefore - (await held()), PRICE);
  } finally {
    await client.close();
    small.close();
  }
}

function openForecasts(asked: string[]): McpServer {
  const server = new McpServer({ name: "forecasts", version: "1.0.0" });
  const inputSchema = z.object({ city: z.string() });
  server.registerTool("forecast", { description: "Weather of a city", inputSchema }, ({ city }) => {
    asked.push(city);
    return { content: [{ type: "text", text: `Sunny in ${city}` }] };
  });
  return server;
}
