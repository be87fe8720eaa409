import { z } from "zod";
import { addressText } from "@/lib/core/address-text";
import { isStorable, NOT_STORABLE } from "@/lib/core/characters";
import { endpoint } from "@/lib/core/endpoint";
import { isoDate } from "@/lib/core/time-text";
import { PATHS_LISTED } from "@/lib/links/listings/service";
import * as sample from "@/lib/samples";
import { networkNamed } from "@/lib/x402/networks";
import { extensionsOf, MIME_TYPE, requirementV2 } from "@/lib/x402/requirement";
import type { ListedResource, ResourceFilter } from "./service";

const LIMIT_MAX = 100;
const LIMIT = 20;
const OFFSET_MAX = 10_000;
const TEXT_MAX = 200;

const shortText = z
  .string("must be given once")
  .max(TEXT_MAX, `must have at most ${TEXT_MAX} characters`)
  .refine(isStorable, NOT_STORABLE);

const count = (min: number, max: number) =>
  z
    .string("must be given once")
    .regex(/^\d{1,6}$/, `must be a number from ${min} to ${max}`)
    .transform(Number)
    .refine((n) => n >= min && n <= max, `must be a number from ${min} to ${max}`);

const filter = z.object({
  /** Only `http` matches: the service lists no MCP tools. */
  type: shortText.optional(),
  payTo: addressText.optional(),
  scheme: shortText.optional(),
  /** A network's name or CAIP-2 id. */
  network: shortText.optional(),
  /** The key of an x402 extension that the resource declares. */
  extensions: shortText.optional(),
  limit: count(1, LIMIT_MAX).default(LIMIT),
});

export const toFilter = ({ type, payTo, scheme, network, extensions }: z.output<typeof filter>): ResourceFilter => ({
  type,
  payTo,
  scheme,
  extensions,
  // An unknown network has no resources.
  ...(network !== undefined && { network: networkNamed(network)?.name ?? null }),
});

const resource = z.object({
  /** The URL to request. */
  resource: z.string(),
  type: z.literal("http"),
  x402Version: z.literal(2),
  /** PaymentRequirements of x402 v2. */
  accepts: z.array(z.looseObject({})),
  lastUpdated: isoDate,
  description: z.string(),
  mimeType: z.string(),
  serviceName: z.string(),
  openapi: z
    .string()
    .optional()
    .describe(
      "For a path of an API that a link sells: the URL of its OpenAPI document, with all paths, methods and prices",
    ),
  /** The extensions that its 402 declares, except its signed offer. */
  extensions: z.looseObject({}),
});

const x402Version = z.literal(2);

const listedExample = {
  resource: `${sample.ORIGIN}/pay/${sample.LINK}`,
  type: "http",
  x402Version: 2,
  accepts: [sample.acceptedOffer],
  lastUpdated: sample.UPDATED,
  description: "A report",
  mimeType: "application/json",
  serviceName: "Tessera",
  extensions: {},
};

/** x402 v2, section 8: discovery. */
export const listResources = endpoint({
  method: "GET",
  path: "/discovery/resources",
  summary:
    "Resources of this service that are for sale and listed: the firewall's scans, and links whose sellers list them, with the paths of the APIs that they sell",
  description: `Anybody may read it; nothing is listed without its seller's choice (\`isListed\`). Request a resource without a payment to get its 402: the list shortens descriptions and leaves out the words of a link's questions. A link that sells an API has an entry for each of its paths, of which the first ${PATHS_LISTED} are listed and \`openapi\` names all; \`{name}\` in a URL stands for one segment of your choice, and \`extensions.bazaar\` has the method. Links with the most sales come first (each payer once, with at least 1 USDC in all, not in test money and not from the seller), older ones before newer ones, and of each seller only some. \`offset\` and \`limit\` page through the list. It is up to two seconds old.`,
  auth: "none",
  surface: "resource",
  limitPerAddress: "discovery_per_address",
  query: filter.extend({ offset: count(0, OFFSET_MAX).default(0) }),
  response: z.object({
    x402Version,
    items: z.array(resource),
    pagination: z.object({ limit: z.int(), offset: z.int(), total: z.int() }),
  }),
  errors: {},
  example: {
    responses: { 200: { x402Version: 2, items: [listedExample], pagination: { limit: 20, offset: 0, total: 1 } } },
  },
});

export const searchResources = endpoint({
  method: "GET",
  path: "/discovery/search",
  summary: "Listed resources whose description or URL contains every word of the query",
  description:
    "The words may stand in any order and case; the first eight count. `partialResults` says that there are more matches: send `cursor` of `pagination` for them.",
  auth: "none",
  surface: "resource",
  limitPerAddress: "discovery_per_address",
  query: filter.extend({
    query: shortText.refine((text) => text !== "", "must not be empty").meta({ minLength: 1 }),
    cursor: count(0, OFFSET_MAX).optional(),
  }),
  response: z.object({
    x402Version,
    resources: z.array(resource),
    /** Whether more resources match than this page contains. */
    partialResults: z.boolean(),
    pagination: z.object({ limit: z.int(), cursor: z.string().nullable() }),
  }),
  errors: {},
  example: {
    responses: {
      200: {
        x402Version: 2,
        resources: [listedExample],
        partialResults: false,
        pagination: { limit: 20, cursor: null },
      },
    },
  },
});

/** The document that crawlers request first (`/.well-known/x402`). */
export const wellKnownX402 = endpoint({
  method: "GET",
  path: "/.well-known/x402",
  summary: "The URLs of listed paid resources, for crawlers",
  description: "Where crawlers of x402 look first. `instructions` is a text for people and language models.",
  auth: "none",
  surface: "resource",
  limitPerAddress: "discovery_per_address",
  response: z.object({ version: z.literal(1), resources: z.array(z.string()), instructions: z.string() }),
  errors: {},
  example: {
    responses: {
      200: { version: 1, resources: [listedExample.resource], instructions: "Request a resource to get its price." },
    },
  },
});

export const toResourceView = ({
  requirement,
  updatedAt,
  serviceName,
  openApiUrl,
}: ListedResource): z.output<typeof resource> => ({
  resource: requirement.resource,
  type: "http",
  x402Version: 2,
  accepts: [requirementV2(requirement)],
  lastUpdated: updatedAt,
  description: requirement.description,
  mimeType: MIME_TYPE,
  serviceName,
  ...(openApiUrl && { openapi: openApiUrl }),
  extensions: extensionsOf(requirement),
});
