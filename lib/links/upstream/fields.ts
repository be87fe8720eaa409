import { pathKey } from "@tessera/x402/api-document";
import { z } from "zod";
import type { LinkId } from "@/lib/core/ids";
import { positiveAmount, type Usdc } from "@/lib/core/money";
import { passOffer, passOfferView } from "../passes/fields";
import { termsOf } from "../passes/rules";
import { mcpUrl, paidUrl, passUrl } from "../urls";
import {
  UPSTREAM_ANSWER_BYTES_DEFAULT,
  UPSTREAM_ANSWER_BYTES_MAX,
  UPSTREAM_HEADERS_LENGTH_MAX,
  UPSTREAM_HEADERS_MAX,
  UPSTREAM_PATH_LENGTH_MAX,
  UPSTREAM_PATHS_MAX,
  UPSTREAM_SECONDS_DEFAULT,
  UPSTREAM_SECONDS_MAX,
  UPSTREAM_URL_LENGTH_MAX,
} from "./limits";
import { isPathPattern, isUpstreamHeader, PAID_METHODS, type PaidMethod, UPSTREAM_KINDS, type Upstream } from "./rules";
import { isToolName, toolAt } from "./tools/names";

/** The seller's headers in a request. */
export const upstreamHeaders = z
  .record(z.string().toLowerCase(), z.string().max(UPSTREAM_HEADERS_LENGTH_MAX))
  .refine((all) => Object.keys(all).length <= UPSTREAM_HEADERS_MAX, `must have at most ${UPSTREAM_HEADERS_MAX} headers`)
  .refine(
    (all) => Object.values(all).join("").length <= UPSTREAM_HEADERS_LENGTH_MAX,
    `must have values of at most ${UPSTREAM_HEADERS_LENGTH_MAX.toLocaleString("en")} characters together`,
  )
  .refine(
    (all) => Object.entries(all).every(([name, value]) => isUpstreamHeader(name, value)),
    "must be names and values of HTTP headers, none of which belongs to the connection or to this service",
  );

const pathPrice = z.object({
  path: z
    .string()
    .max(UPSTREAM_PATH_LENGTH_MAX)
    .refine(isPathPattern, "must begin with a slash, have no query and at most one {variable} segment")
    .describe("Below `url`. `{name}` is one segment of any text: `/quotes/{symbol}`"),
  amount: positiveAmount.nullable().default(null).describe("The price of a call; null for the link's `amount`"),
});

const toolPrice = z.object({
  name: z
    .string("must be the name of a tool")
    .refine(isToolName, "must have 1 to 128 letters, digits, dots, hyphens and underscores")
    .describe("As the server lists it"),
  amount: positiveAmount.nullable().default(null).describe("The price of a call; null for the link's `amount`"),
});

/** Of an API whose seller names none. */
export const DEFAULT_METHODS: PaidMethod[] = ["GET", "POST"];

const methods = z
  .array(z.enum(PAID_METHODS), "must be a list of methods")
  .min(1, "must name at least one method")
  .refine((all) => new Set(all).size === all.length, "must name each method once");

/** An upstream in a request. */
export const upstreamBody = z
  .object({
    kind: z
      .enum(UPSTREAM_KINDS, "must be http or mcp")
      .default("http")
      .describe(
        "`http`: an API, whose `paths` are sold. `mcp`: an MCP server, whose `tools` are sold at /mcp/{linkId}",
      ),
    url: z
      .string("must be a URL")
      .max(UPSTREAM_URL_LENGTH_MAX)
      .describe(
        "The base URL of the seller's API, over https. Paid requests to /paid/{linkId}/… go to the same path below it. Of an MCP server, its endpoint (Streamable HTTP)",
      ),
    headers: upstreamHeaders
      .optional()
      .describe(
        `Headers that the upstream gets with each request, for example its API key. At most ${UPSTREAM_HEADERS_LENGTH_MAX.toLocaleString("en")} characters together. Sealed, and never shown again: an answer that has one of at least 8 characters is not delivered. Absent in an update: they stay, unless \`url\` names another origin`,
      ),
    methods: methods.optional().describe(`Of an API. Default: ${DEFAULT_METHODS.join(" and ")}`),
    paths: z
      .array(pathPrice, "must be a list of paths")
      .max(UPSTREAM_PATHS_MAX, `must have at most ${UPSTREAM_PATHS_MAX} paths`)
      .refine(
        (all) => new Set(all.map(({ path }) => pathKey(path))).size === all.length,
        "must name each path once, whatever the case of its letters",
      )
      .optional()
      .describe("What can be bought of an API. Absent or empty: every path below `url`, for the link's `amount`"),
    tools: z
      .array(toolPrice, "must be a list of tools")
      .max(UPSTREAM_PATHS_MAX, `must have at most ${UPSTREAM_PATHS_MAX} tools`)
      .refine(
        (all) => new Set(all.map(({ name }) => name.toLowerCase())).size === all.length,
        "must name each tool once, whatever the case of its letters",
      )
      .optional()
      .describe("What can be bought of an MCP server. Absent or empty: every tool, for the link's `amount`"),
    secondsMax: z
      .int("must be a whole number of seconds")
      .min(1)
      .max(UPSTREAM_SECONDS_MAX, `must be at most ${UPSTREAM_SECONDS_MAX}`)
      .default(UPSTREAM_SECONDS_DEFAULT)
      .describe("How long the upstream may take"),
    answerBytesMax: z
      .int("must be a whole number of bytes")
      .min(1)
      .max(UPSTREAM_ANSWER_BYTES_MAX, `must be at most ${UPSTREAM_ANSWER_BYTES_MAX}`)
      .default(UPSTREAM_ANSWER_BYTES_DEFAULT)
      .describe("How large its answer may be"),
    pass: passOffer.nullable().default(null),
  })
  .refine(({ kind, methods: named }) => kind !== "mcp" || named === undefined, {
    path: ["methods"],
    error: "must be absent for an MCP server, whose tools are sold",
  })
  .refine(({ kind, paths }) => kind !== "mcp" || paths === undefined, {
    path: ["paths"],
    error: "must be absent for an MCP server: name its tools",
  })
  .refine(({ kind, tools }) => kind !== "http" || tools === undefined, {
    path: ["tools"],
    error: "must be absent for an API: `kind` must be mcp to sell tools",
  })
  .describe(
    "The seller's API, in place of content: the link sells calls to it at /paid/{linkId}/…, and nothing at its own URL",
  );

export type UpstreamInput = z.output<typeof upstreamBody>;

/** An upstream in responses to its seller. */
export const upstreamView = z
  .object({
    kind: z.enum(UPSTREAM_KINDS).describe("An API, or an MCP server"),
    url: z.string().describe("The base URL of the seller's API, or the endpoint of their MCP server"),
    methods: z.array(z.enum(PAID_METHODS)).describe("What can be bought"),
    paths: z
      .array(
        z.object({
          path: z.string().describe("`{name}` is one segment of any text"),
          amount: z.string().nullable().describe("The price of a call; null for the link's `amount`"),
        }),
      )
      .describe("What can be bought; empty for every path. A tool is sold as a POST to the path of its name, too"),
    tools: z
      .array(
        z.object({
          name: z.string().describe("As the server lists it"),
          amount: z.string().nullable().describe("The price of a call; null for the link's `amount`"),
        }),
      )
      .optional()
      .describe("What can be bought of an MCP server; empty for every tool"),
    secondsMax: z.int().describe("How long the upstream may take"),
    answerBytesMax: z.int().describe("How large its answer may be"),
    headerNames: z.array(z.string()).describe("The names of the seller's headers. Their values are never shown"),
    paidUrl: z.string().describe("Where buyers send their requests; a path is added to it"),
    mcpUrl: z.string().optional().describe("Where MCP clients connect to buy the tools of an MCP server"),
    pass: passOfferView,
  })
  .describe("The seller's API, if the link sells calls to it");

export const toUpstreamView = (
  upstream: Upstream,
  baseUrl: string,
  { linkId, amount }: { linkId: LinkId; amount: Usdc },
): z.output<typeof upstreamView> => ({
  ...upstream,
  paidUrl: paidUrl(baseUrl, linkId),
  ...(upstream.kind === "mcp" && {
    tools: upstream.paths.map(({ path, amount }) => ({ name: toolAt(path), amount })),
    mcpUrl: mcpUrl(baseUrl, linkId),
  }),
  pass: upstream.pass && { ...upstream.pass, url: passUrl(baseUrl, linkId, termsOf(upstream, upstream.pass, amount)) },
});
