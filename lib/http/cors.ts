import { AMOUNT_LEFT_HEADER, CALLS_LEFT_HEADER, COST_MAX_HEADER } from "@tessera/x402/passes";

type Header = readonly [name: string, value: string];

const PAID_HEADERS = `PAYMENT-REQUIRED, WWW-Authenticate, X-PAYMENT-RESPONSE, PAYMENT-RESPONSE, Payment-Receipt, ${CALLS_LEFT_HEADER}, ${AMOUNT_LEFT_HEADER}, Tessera-Cost, X-Request-Id, Retry-After`;

/**
 * Pages on any origin may request a price, pay and read the receipt. Stock clients also send Access-Control-Expose-Headers, as a
 * request header.
 */
export const corsHeaders: readonly Header[] = [
  ["Access-Control-Allow-Origin", "*"],
  ["Access-Control-Expose-Headers", PAID_HEADERS],
];

/** For hosts of MCP that run in a browser. Without a session, there is no Mcp-Session-Id to expose. */
export const browserHeaders: readonly Header[] = [
  ["Access-Control-Allow-Origin", "*"],
  ["Access-Control-Expose-Headers", "WWW-Authenticate, X-Request-Id, Retry-After"],
];

const preflightFor =
  (headers: readonly Header[], allowedHeaders: string, methods = "GET, POST") =>
  (): Response =>
    new Response(null, {
      status: 204,
      headers: [
        ...headers.map(([name, value]): [string, string] => [name, value]),
        ["Access-Control-Allow-Methods", `${methods}, OPTIONS`],
        ["Access-Control-Allow-Headers", allowedHeaders],
        ["Access-Control-Max-Age", "600"],
      ],
    });

const PAYING_HEADERS = `Content-Type, Authorization, X-Payment, Payment-Signature, Sign-In-With-X, Accept-Payment, X-Agent-ID, Idempotency-Key, ${COST_MAX_HEADER}, Access-Control-Expose-Headers`;

/** The OPTIONS handler of every paid resource. */
export const preflight = preflightFor(corsHeaders, PAYING_HEADERS);

/** The OPTIONS handler of paid calls. */
export const preflightOfCalls = preflightFor(corsHeaders, PAYING_HEADERS, "GET, POST, PUT, PATCH, DELETE");

/** The OPTIONS handler of every endpoint with `forBrowsers`. The asterisk does not include Authorization. */
export const preflightOfHosts = preflightFor(
  browserHeaders,
  "Authorization, Content-Type, Accept, MCP-Protocol-Version, Mcp-Session-Id, Mcp-Method, Mcp-Name, Last-Event-ID, *",
);
