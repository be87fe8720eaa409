import type { z } from "zod";
import { type Auth, type Endpoint, type Example, isNotJson, responsesOf } from "@/lib/core/endpoint";
import { type Components, refTo, type Schema, wireSchema } from "@/lib/core/json-schema";
import { closed } from "@/lib/core/unknown-members";
import { DID, ORIGIN } from "@/lib/samples";
import { DEFAULT_NETWORK, NETWORKS } from "@/lib/x402/networks";
import { describeMembers } from "./describe";
import type { Listed } from "./endpoints";
import { bodyOf, codesOf, failureBody, isPaid } from "./failures";
import { headerParameters, responseHeaders } from "./headers";

const BODY_BYTES_DEFAULT = 65_536;

const SECURITY: Record<Auth, readonly object[]> = {
  none: [],
  agent: [{ agentLogin: [] }],
  owner: [{ ownerSession: [] }],
  visitor: [{ ownerSession: [] }, {}],
  guest: [{ agentLogin: [] }, {}],
  host: [{ agentLogin: [] }, {}],
  seller: [{ sellerKey: [] }],
};

/** For paid resources: an MPP credential, or an x402 proof in a header parameter. */
const PAID: readonly object[] = [{ payment: [] }, {}];

/** MPP: what a payable operation costs (draft-payment-discovery of the protocol's repository). A null amount: the 402 states the price. */
const PAYMENT_INFO = {
  offers: [
    {
      intent: "charge",
      method: "evm",
      amount: null,
      currency: NETWORKS[DEFAULT_NETWORK].usdc,
      description: "USDC on Base. The 402 states the price, and the network if it is another one",
    },
  ],
};

/** An OpenAPI 3.1 operation. Adds the schemas that it references to `components`. */
export function operationOf({ id, tag, endpoint: e }: Listed, baseUrl: string, components: Components) {
  const example = exampleOf(e, baseUrl);
  const parameters = [
    ...parametersIn("path", e.params, components),
    ...parametersIn("query", e.query, components),
    ...headerParameters(e),
  ];
  return {
    operationId: id,
    tags: [tag],
    summary: e.summary,
    description: e.description,
    security: isPaid(e) ? PAID : SECURITY[e.auth],
    ...(isPaid(e) && { "x-payment-info": PAYMENT_INFO }),
    ...(parameters.length > 0 && { parameters }),
    ...requestBodyOf(e, example.request, components),
    responses: responsesFor(e, example.responses ?? {}, components),
  };
}

/** The operation of a resource that is also a page: each response can be HTML, for clients that prefer it. */
export function asPage({ responses, ...operation }: ReturnType<typeof operationOf>, operationId: string) {
  const html = { "text/html": { schema: { type: "string" } } };
  const asPages = Object.entries(responses).map(([status, response]) => {
    const content = "content" in response ? response.content : {};
    return [status, { ...response, content: { ...(content as object), ...html } }] as const;
  });
  return { ...operation, operationId, responses: Object.fromEntries(asPages) };
}

/** An endpoint's example, with the service's own origin. */
export function exampleOf({ example = {} }: Pick<Endpoint, "example">, baseUrl: string): Example {
  const text = JSON.stringify(example).replaceAll(ORIGIN, baseUrl);
  return JSON.parse(text.replaceAll(DID, `did:web:${encodeURIComponent(new URL(baseUrl).host)}`)) as Example;
}

type Contract = Listed["endpoint"];

type Media = Record<string, { schema?: Schema; example?: unknown }>;
type RequestBody = { requestBody?: { description: string; required: boolean; content: Media } };

function requestBodyOf(e: Contract, example: unknown, components: Components): RequestBody {
  if (e.rawBody) {
    const description = `The bytes of a file, at most ${e.rawBody.bytesMax.toLocaleString("en")}`;
    return { requestBody: { description, required: true, content: { "application/octet-stream": {} } } };
  }
  if (e.passedBody) {
    const description = `Any body, at most ${e.passedBody.bytesMax.toLocaleString("en")} bytes`;
    return { requestBody: { description, required: false, content: { "*/*": {} } } };
  }
  const body = bodyOf(e);
  if (!body) return {};
  const bytes = (e.bodyBytesMax ?? BODY_BYTES_DEFAULT).toLocaleString("en");
  const schema = wireSchema(body, components);
  const { ignoresUnknown } = e;
  const media = {
    schema: ignoresUnknown === undefined ? closed(schema) : schema,
    ...(example !== undefined && { example }),
  };
  return {
    requestBody: {
      description: `JSON in UTF-8, at most ${bytes} bytes. ${ignoresUnknown === undefined ? "Other members are refused by name" : `Other members are ignored: ${ignoresUnknown}`}`,
      required: e.body !== undefined,
      content: { "application/json": media },
    },
  };
}

/** One parameter per member of an object schema. */
function parametersIn(where: "path" | "query", schema: z.ZodType | undefined, components: Components): object[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = wireSchema(schema, components);
  return Object.entries(properties).map(([name, { description, "x-required": isRequired, ...keywords }]) => ({
    name,
    in: where,
    ...(description !== undefined && { description }),
    required: where === "path" || required.includes(name) || isRequired === true,
    schema: keywords,
  }));
}

type Examples = NonNullable<Example["responses"]>;

function responsesFor(e: Contract, examples: Examples, components: Components): Record<string, object> {
  const declared = responsesOf(e);
  const codes = codesOf(e);
  const statuses = [...new Set([...Object.keys(declared).map(Number), ...codes.keys()])].sort((a, b) => a - b);
  const json = statuses.map((status) => {
    const success = declared[status];
    const failed = codes.get(status);
    const schemas = [
      ...(success ? [successSchema(e, status, success, components)] : []),
      ...(failed ? [failureBody(e.surface, status, failed)] : []),
    ];
    const example = examples[status];
    const [only] = schemas;
    // A body that is passed on has any type.
    const type = only?.contentMediaType ?? "application/json";
    const media = {
      schema: schemas.length === 1 ? only : { anyOf: schemas },
      ...(example !== undefined && { example }),
    };
    const named = failed && e.surface !== "identity" ? `: ${[...failed].sort().join(", ")}` : "";
    return [
      String(status),
      {
        description: `${DESCRIPTIONS[status] ?? "Response"}${named}`,
        headers: responseHeaders(e, status),
        content: { [String(type)]: media },
      },
    ] as const;
  });
  return { ...Object.fromEntries(json), ...notJson(e) };
}

function successSchema({ method, path }: Contract, status: number, schema: z.ZodType, components: Components): Schema {
  const bodySchema = describeMembers(wireSchema(schema, components), `${method} ${path}`, "response");
  return status < 400 ? bodySchema : { allOf: [bodySchema, refTo("Remedy")] };
}

/** Responses of an endpoint whose handler writes the body itself. */
function notJson(e: Contract): Record<string, object> {
  if (!isNotJson(e.response)) return {};
  const [type = ""] = e.response.contentType.split(";");
  const headers = responseHeaders(e, 200);
  const isMcp = e.path.startsWith("/mcp");
  const isJson = type === "application/json";
  // A batch of MCP is answered with an array, and a notification not at all.
  const schema = { type: isMcp ? ["object", "array"] : isJson ? "object" : "string" };
  return {
    200: { description: DESCRIPTIONS[200], headers, content: { [type]: { schema } } },
    ...(isMcp && { 202: { description: "A notification was read", headers } }),
    ...(e.response.hasETag && { 304: { description: DESCRIPTIONS[304], headers } }),
  };
}

const DESCRIPTIONS: Readonly<Record<number, string>> = {
  200: "Done",
  201: "Created",
  202: "Accepted; not finished yet",
  304: "Not modified",
  400: "The request is not valid",
  401: "Not logged in",
  402: "Payment required, or the proof that was sent does not pay",
  403: "Not allowed",
  404: "Not found",
  409: "Conflicts with the current state",
  410: "Over",
  413: "The body is too large",
  414: "The path or the query is too long",
  415: "Not JSON",
  422: "Not possible with these values",
  429: "Too many requests",
  431: "The headers are too large",
  500: "An error of the service, or a transfer that was not made",
  503: "A part of the service does not respond",
};
