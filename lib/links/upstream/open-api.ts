import { formatUsdc } from "@/lib/core/money";
import { NETWORKS } from "@/lib/x402/networks";
import type { Link } from "../rules";
import { paidUrl } from "../urls";
import { type PaidMethod, type SoldPath, soldPaths, type Upstream, variableOf } from "./rules";

type SoldApi = Pick<Link, "linkId" | "network" | "title" | "description" | "amount" | "updatedAt"> & {
  upstream: Pick<Upstream, "methods" | "paths">;
};

/** The OpenAPI document of the API that a link sells. The API's queries, bodies and answers are not known. */
export function describeApi(baseUrl: string, link: SoldApi) {
  const { linkId, title, description, amount, updatedAt, upstream } = link;
  const paths = soldPaths(upstream, amount).map((sold, index) => {
    const operations = upstream.methods.map((method) => [
      method.toLowerCase(),
      operationOf(link, method, sold, `${method.toLowerCase()}${index + 1}`),
    ]);
    return [sold.path, Object.fromEntries(operations)];
  });
  return {
    openapi: "3.1.0" as const,
    info: { title: title ?? "Paid API", description, version: updatedAt.toISOString() },
    servers: [{ url: paidUrl(baseUrl, linkId) }],
    paths: Object.fromEntries(paths),
  };
}

const HAS_BODY: ReadonlySet<PaidMethod> = new Set(["POST", "PUT", "PATCH"]);
const ANY = { "*/*": {} };

function operationOf(
  { network, upstream }: SoldApi,
  method: PaidMethod,
  { path, amount }: SoldPath,
  operationId: string,
) {
  const { usdc, label, isTestnet } = NETWORKS[network];
  const price = formatUsdc(amount);
  const variable = variableOf(path);
  const parameter = {
    name: variable,
    in: "path",
    required: true,
    schema: { type: "string" },
    ...(upstream.paths.length === 0 && { description: "Any path, also one with slashes" }),
  };
  return {
    operationId,
    summary: `${method} ${path} for ${price} USDC`,
    // Of the Machine Payments Protocol's discovery draft and of AgentCash.
    "x-payment-info": {
      offers: [
        {
          intent: "charge",
          method: "evm",
          amount: `${amount}`,
          currency: usdc,
          description: `${price} USDC on ${label}`,
        },
      ],
      // Test money is worth no dollars.
      ...(!isTestnet && { price: { mode: "fixed", amount: price, currency: "USD" } }),
      protocols: ["x402", "mpp"],
    },
    security: [],
    ...(variable !== null && { parameters: [parameter] }),
    ...(HAS_BODY.has(method) && { requestBody: { required: false, content: ANY } }),
    responses: {
      200: { description: "The answer of the API, with its own status", content: ANY },
      402: { description: "The price of this request, for x402 and MPP. Send it again with a proof of payment" },
      503: { description: "The API failed after the payment. Send the same request with the same proof again" },
    },
  };
}
