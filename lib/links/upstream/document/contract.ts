import { API_DOCUMENT_BYTES_MAX, SOLD_METHODS } from "@tessera/x402/api-document";
import { z } from "zod";
import { endpoint } from "@/lib/core/endpoint";
import { edgeErrors } from "@/lib/http/errors";
import * as sample from "@/lib/samples";
import { linkErrors } from "../../errors";
import { upstreamHeaders } from "../fields";
import { UPSTREAM_PATHS_MAX, UPSTREAM_URL_LENGTH_MAX } from "../limits";
import { UPSTREAM_KINDS } from "../rules";
import { DOCUMENT_FAILURES, type DocumentReading } from "./service";

const documentView = z
  .object({
    url: z.string().describe("Where the document is, or the MCP server"),
    title: z.string().describe("The title that the document has; may be empty, and is for an MCP server"),
    methods: z.array(z.enum(SOLD_METHODS)).describe("Those that the paths have"),
    paths: z
      .array(
        z.object({
          path: z.string().describe("Below the API's URL. Of an MCP server, a slash and the name of a tool"),
          amount: z.string().nullable().describe("Of its `x-payment-info`, the highest; null without a price"),
        }),
      )
      .describe(`At most ${UPSTREAM_PATHS_MAX}`),
    leftOut: z
      .int()
      .describe("Paths that are not here: of other methods, with several variables, elsewhere, or over the limit"),
  })
  .nullable()
  .describe("What a link can sell; null if nothing was read");

export type DocumentView = z.output<typeof documentView>;
export type DocumentFailure = (typeof DOCUMENT_FAILURES)[number];

export const readUpstreamDocument = endpoint({
  method: "POST",
  path: "/api/upstream-document",
  summary: "Read what a link can sell of an API or an MCP server",
  description: `Of an API, requests \`openapi.json\` below \`url\` and then at its origin, without the API's headers: JSON of at most ${API_DOCUMENT_BYTES_MAX / 1_000_000} MB. Of an MCP server, asks for its tools, with \`headers\`. Over the public internet and without following redirects. Nothing is stored: the form of a new link takes the paths and tools over.`,
  auth: "owner",
  surface: "wallet",
  stores: "nothing",
  work: 60,
  body: z.object({
    kind: z.enum(UPSTREAM_KINDS, "must be http or mcp").default("http").describe("An API, or an MCP server"),
    url: z
      .string("must be a URL")
      .max(UPSTREAM_URL_LENGTH_MAX)
      .describe("The base URL of the API, or the endpoint of the MCP server"),
    headers: upstreamHeaders.optional().describe("What the MCP server gets with each request, such as its key"),
  }),
  response: z.object({
    success: z.literal(true),
    document: documentView,
    failure: z
      .enum(DOCUMENT_FAILURES)
      .nullable()
      .describe(
        "Why there is none. `unreachable`: no answer. `refused`: the MCP server refuses this service, as without its key. `absent`: another status than 200. `unreadable`: no OpenAPI document or no MCP, or too large. `nothing_to_sell`: no path of it can be sold below `url`, or no tool",
      ),
  }),
  errors: {
    UPSTREAM_URL_INVALID: linkErrors.table.UPSTREAM_URL_INVALID,
    rate_limited: edgeErrors.table.rate_limited,
  },
  example: {
    request: { url: "https://api.example.com/v1" },
    responses: {
      200: {
        ...sample.SUCCESS,
        document: {
          url: "https://api.example.com/v1/openapi.json",
          title: "Quotes",
          methods: ["GET"],
          paths: [{ path: "/quotes/{symbol}", amount: "20000" }],
          leftOut: 0,
        },
        failure: null,
      },
    },
  },
});

export const toDocumentResult = (reading: DocumentReading) =>
  reading.type === "read"
    ? { success: true as const, document: reading.document, failure: null }
    : { success: true as const, document: null, failure: reading.failure };
