import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { NETWORKS } from "@/lib/x402/networks";
import { BASE_URL, fetchPath } from "./http";
import type { Json } from "./mandates";
import type { Got, Receiver } from "./receiver";

const ENDPOINT = new URL(`${BASE_URL}/mcp`);

/** fetch for the protocol's clients, to this file's server. */
const toService = async (url: string | URL, init: RequestInit = {}): Promise<Response> => {
  const { pathname, search } = new URL(url);
  const { body, signal } = init;
  return fetchPath(init.method ?? "GET", pathname + search, {
    headers: new Headers(init.headers),
    ...(body && { body }),
    ...(signal && { signal }),
  });
};

export type ToolAnswer = { isError: boolean; value: Json; text: string; meta: Json };
export type McpClient = {
  call: (name: string, args?: object, meta?: Record<string, unknown>) => Promise<ToolAnswer>;
  tools: () => Promise<{ name: string; inputSchema: Json }[]>;
  close: () => Promise<void>;
};
/** Connects without credentials if `token` is left out. */
export type Connect = (token?: string) => Promise<McpClient>;

const requestInit = (token?: string) => (token === undefined ? {} : { headers: { Authorization: `Bearer ${token}` } });

function toAnswer(result: Json): ToolAnswer {
  const text = result.content?.[0]?.text ?? "";
  return { isError: result.isError === true, value: result.structuredContent, text, meta: result._meta };
}

/** @modelcontextprotocol/sdk 1.x. */
export const connectV1: Connect = async (token) => {
  const client = new ClientV1({ name: "test of sdk 1.x", version: "1.0.0" });
  // Its types were not written for exactOptionalPropertyTypes.
  const transport = new TransportV1(ENDPOINT, { fetch: toService, requestInit: requestInit(token) });
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  return {
    call: async (name, args = {}, _meta) =>
      toAnswer(await client.callTool({ name, arguments: { ...args }, ...(_meta && { _meta }) })),
    tools: async () => (await client.listTools()).tools,
    close: () => client.close(),
  };
};

/** What a person does with a URL that the server wants opened. */
export type Person = (params: { url: string; message: string }) => Promise<"accept" | "decline">;

/** @modelcontextprotocol/client 2.x. With `person`, it opens URLs for them; `auto` negotiates protocol 2026-07-28. */
export const connectV2 =
  (mode: "auto" | "legacy", person?: Person): Connect =>
  async (token) => {
    const client = new ClientV2(
      { name: "test of client 2.x", version: "1.0.0" },
      { versionNegotiation: { mode }, capabilities: person ? { elicitation: { url: {} } } : {} },
    );
    if (person)
      client.setRequestHandler("elicitation/create", async ({ params }) => ({
        action: await person(params as { url: string; message: string }),
      }));
    await client.connect(new TransportV2(ENDPOINT, { fetch: toService, requestInit: requestInit(token) }));
    return {
      call: async (name, args = {}, _meta) =>
        toAnswer(await client.callTool({ name, arguments: { ...args }, ...(_meta && { _meta }) })),
      tools: async () => (await client.listTools()).tools,
      close: () => client.close(),
    };
  };

/** The body of a 402 of x402 v1 for `url`, in USDC on Base. `change`: members of its only offer. */
export const requiredV1 = (url: string, payTo: string, amount = "10000", change: object = {}): string =>
  JSON.stringify({
    x402Version: 1,
    error: "X-PAYMENT header is required",
    accepts: [
      {
        scheme: "exact",
        network: "base",
        maxAmountRequired: amount,
        resource: url,
        description: "data",
        mimeType: "text/plain",
        payTo,
        maxTimeoutSeconds: 60,
        asset: NETWORKS.base.usdc,
        extra: { name: "USD Coin", version: "2" },
        ...change,
      },
    ],
  });

/** Makes a local server sell what is sold at `path` of the service: a real x402 seller with another host. */
export function sellFrom(receiver: Receiver, path: string): void {
  receiver.answer((request: Got, res) => {
    const headers = new Headers();
    for (const name of ["x-payment", "payment-signature", "accept"]) {
      const value = request.headers[name];
      if (typeof value === "string") headers.set(name, value);
    }
    fetchPath("GET", path, { headers })
      .then(async (response) => {
        res.writeHead(response.status, Object.fromEntries(response.headers)).end(await response.text());
      })
      .catch((error: unknown) => res.destroy(error as Error));
  });
}
