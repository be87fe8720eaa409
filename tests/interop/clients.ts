/** A published program that a file of this folder runs unmodified against the service. */
export type TestedClient = {
  /** Its npm package, in `package.json` beside this file. */
  package: string;
  /** What it buys here, and with whose money. */
  buys?: string;
  /** What is sold with it to this service's agents, or settled by its facilitator. */
  sells?: string;
  remarks: string;
  /** The tests, in this folder. */
  test: string;
};

const ITS_WALLET = "links, payment addresses and scans from a wallet of its own";

/** The table of docs/guides/clients.md, written by `npx tsx dev/docs/clients.ts`. */
export const CLIENTS: readonly TestedClient[] = [
  {
    package: "@x402/fetch",
    buys: `${ITS_WALLET}, also credits; or from the agent's wallet with \`registerTessera\``,
    remarks: "x402 v2 and v1. Refuses more than 1 USD until `setSpendControls`",
    test: "stock-clients.test.ts",
  },
  {
    package: "@x402/axios",
    buys: "at other sellers, from the agent's wallet with `registerTessera`",
    remarks: "x402 v2 and v1",
    test: "client-x402.test.ts",
  },
  {
    package: "x402-fetch",
    buys: ITS_WALLET,
    remarks: "x402 v1. Refuses more than 0.10 USD until its `maxValue` is raised",
    test: "stock-clients.test.ts",
  },
  { package: "x402-axios", buys: ITS_WALLET, remarks: "x402 v1", test: "stock-clients.test.ts" },
  {
    package: "mppx",
    buys: "links and scans from a wallet of its own",
    sells: "routes, bought with `pay_url` and the client, found by `search_services` in its discovery document",
    remarks: "Machine Payments Protocol, method `evm`, intent `charge`",
    test: "mpp-client.test.ts",
  },
  {
    package: "agents",
    buys: "scans over MCP from a wallet of its own (`withX402Client`)",
    sells: "tools over MCP (`withX402`), settled by the facilitator",
    remarks: "Cloudflare's. Its default maximum of 0.10 USD is below a scan: `maxPaymentValue`",
    test: "mcp-paid-tools.test.ts",
  },
  {
    package: "mcp-remote",
    buys: "with `pay_url`, for the model of its host",
    remarks: "with a token in a header, or by OAuth at `/mcp/oauth`",
    test: "mcp-clients.test.ts",
  },
  {
    package: "@modelcontextprotocol/inspector",
    buys: "with `pay_url`",
    remarks: "its command line, with a token in a header or by OAuth at `/mcp/oauth`",
    test: "mcp-clients.test.ts",
  },
  {
    package: "ai",
    buys: "what its model buys with `tesseraTools`",
    remarks: "the AI SDK",
    test: "client-ai-sdk.test.ts",
  },
  {
    package: "@x402/express",
    sells: "routes, settled by the facilitator",
    remarks: "x402 v2",
    test: "facilitator-sellers.test.ts",
  },
  {
    package: "@x402/hono",
    sells: "routes, settled by the facilitator",
    remarks: "x402 v2",
    test: "facilitator-sellers.test.ts",
  },
  {
    package: "x402-express",
    sells: "routes, settled by the facilitator",
    remarks: "x402 v1",
    test: "facilitator-sellers.test.ts",
  },
  {
    package: "x402-hono",
    sells: "routes, settled by the facilitator",
    remarks: "x402 v1",
    test: "facilitator-sellers.test.ts",
  },
];

/** Packages that the tests need beside the clients: runtimes, servers and parts of clients. */
export const NOT_CLIENTS: readonly string[] = [
  ...["@edge-runtime/vm", "bun", "deno", "@redocly/openapi-core"],
  ...["@hono/node-server", "hono", "axios", "viem"],
  ...["@x402/core", "@x402/evm", "@x402/extensions", "x402"],
];
