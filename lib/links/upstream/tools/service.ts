import { isSpecType, type Tool } from "@modelcontextprotocol/server";
import { z } from "zod";
import { setBounded } from "@/lib/core/bounded";
import type { LinkId } from "@/lib/core/ids";
import { edgeErrors } from "@/lib/http/errors";
import { limit } from "@/lib/http/limit";
import { type Ctx, type System, UNKNOWN_CALLER } from "@/lib/platform/context";
import { sendFor } from "@/lib/platform/outbound-guard";
import { linkErrors } from "../../errors";
import type { Link } from "../../rules";
import * as links from "../../store";
import { secretHeaders } from "../columns";
import { type Failed, failed } from "../ended";
import { roomOf } from "../room";
import { hasSecret, offeredPath, type SoldPath, secretsIn, type Upstream, type UpstreamFailure } from "../rules";
import * as store from "../store";
import { isToolName, toolAt, toolPath } from "./names";
import { isCheckable } from "./rules";
import { openSession, type ServerAt } from "./session";

/** Of a server, also of one that sells them all. */
const TOOLS_MAX = 100;
const PAGES_MAX = 5;
/** Of one page, and of all tools that are kept of a server. */
export const LIST_BYTES_MAX = 262_144;
/** As many as fill it in ordinary schemas. */
const LIST_VALUES_MAX = 20_000;
const LIST_SECONDS_MAX = 10;
/** With `LIST_BYTES_MAX`, they take at most 16 MB: as JSON, because values can take thirty times as much. */
const LISTS_MAX = 64;
const KEPT_MS = 60_000;
const FAILED_KEPT_MS = 5_000;

/** A tool as its server describes it. Not its `outputSchema`: clients hold it against a result that only states the price. */
type ServerTool = Pick<Tool, "name" | "title" | "description" | "inputSchema" | "annotations">;
/** With the price of a call. */
export type SoldTool = ServerTool & Pick<SoldPath, "amount">;

const page = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().nullish() });

type McpLink = Pick<Link, "linkId" | "agentId" | "ownerId" | "amount" | "sealedUpstreamHeaders"> & {
  upstream: Upstream;
};
/** `json`: the tools. `leftOut`: how many others the pages have that were read. */
type Listing = { type: "listed"; names: string[]; json: Buffer; leftOut: number } | Failed;

/** By link and how it reaches the server: what a seller changes counts at once. */
const listings = new Map<string, { listing: Promise<Listing>; untilMs: number }>();

/**
 * The tools that a link sells and its server has, as it said within the last minute. Throws unavailable if it cannot be read, CALLS_FULL
 * and rate_limited.
 */
export async function soldTools(ctx: Ctx, link: McpLink): Promise<SoldTool[]> {
  const { json } = await listingOf(ctx, link);
  const tools: ServerTool[] = JSON.parse(json.toString("utf8"));
  return tools.flatMap((tool) => {
    const offered = offeredPath(link.upstream, link.amount, toolPath(tool.name));
    return offered ? [{ ...tool, amount: offered.amount }] : [];
  });
}

const unread = (failure: UpstreamFailure) =>
  edgeErrors.unavailable({
    message: `The seller's MCP server does not list its tools (${failure}). This request took no payment. Send it again later`,
  });

/** Throws PATH_NOT_OFFERED for a tool that the server does not have, and the errors of `soldTools`. */
export async function assertTool(ctx: Ctx, link: McpLink, path: string): Promise<void> {
  const { names } = await listingOf(ctx, link);
  if (!names.includes(toolAt(path))) throw linkErrors.PATH_NOT_OFFERED({ paths: names.map(toolPath) });
}

async function listingOf(ctx: Ctx, link: McpLink): Promise<Extract<Listing, { type: "listed" }>> {
  const listing = await keptListing(ctx, link);
  if (listing.type === "failed") throw unread(listing.failure);
  return listing;
}

function keptListing(ctx: Ctx, link: McpLink): Promise<Listing> {
  const key = JSON.stringify([link.linkId, link.upstream, link.sealedUpstreamHeaders]);
  const kept = listings.get(key);
  if (kept && Date.now() < kept.untilMs) return kept.listing;
  const entry = { listing: readTools(ctx, link), untilMs: Date.now() + KEPT_MS };
  setBounded(listings, key, entry, LISTS_MAX);
  entry.listing.then(
    ({ type }) => {
      if (type === "failed") entry.untilMs = Date.now() + FAILED_KEPT_MS;
    },
    () => {
      entry.untilMs = 0;
    },
  );
  return entry.listing;
}

/** Anybody can ask for the price of a tool, so what a server sends takes the room of a call. */
async function readTools(ctx: Ctx, link: McpLink): Promise<Listing> {
  await limit(ctx, "outbound_per_host", new URL(link.upstream.url).hostname);
  const seat = roomOf(ctx).seat({ buyer: ctx.caller ?? UNKNOWN_CALLER, seller: link.ownerId ?? link.agentId });
  try {
    if (!seat.hold("answers", LIST_BYTES_MAX)) throw linkErrors.CALLS_FULL();
    return await askForTools(ctx, link, seat.closing);
  } finally {
    seat.leave();
  }
}

async function askForTools(system: System, link: McpLink, signal: AbortSignal): Promise<Listing> {
  const isSold = (name: string) => offeredPath(link.upstream, link.amount, toolPath(name)) !== null;
  return listTools(system, { ...link.upstream, secrets: secretHeaders(system, link) }, isSold, signal);
}

type Server = ServerAt & { secrets: Readonly<Record<string, string>> };

/** The tools of a server that pass `isWanted` and have a name that can be sold. */
export async function listTools(
  system: System,
  { url, secondsMax, secrets }: Server,
  isWanted: (name: string) => boolean = () => true,
  signal?: AbortSignal,
): Promise<Listing> {
  const headers = { ...secrets, "user-agent": `Tessera (+${system.config.baseUrl})` };
  const server = { url, secondsMax: Math.min(secondsMax, LIST_SECONDS_MAX) };
  const session = await openSession(sendFor(system, { replyBytesMax: LIST_BYTES_MAX }), server, headers, signal);
  if (session.type === "failed") return session;
  const tools = new Map<string, ServerTool>();
  let leftOut = 0;
  let cursor: string | null | undefined;
  try {
    for (let pages = 0; pages < PAGES_MAX; pages += 1) {
      const answer = await session.ask("tools/list", cursor ? { cursor } : {});
      if (answer.type === "failed") return answer;
      const { data } = page.safeParse(answer.result);
      if (!data) return failed("error");
      if (!isCheckable(data.tools, LIST_VALUES_MAX)) return failed("too_large");
      for (const described of data.tools) {
        if (!isSpecType.Tool(described) || !isToolName(described.name) || !isWanted(described.name)) {
          leftOut += 1;
          continue;
        }
        const { name, title, description, inputSchema, annotations } = described;
        tools.set(name, { name, title, description, inputSchema, annotations });
      }
      cursor = data.nextCursor;
      if (!cursor || tools.size >= TOOLS_MAX) break;
    }
  } finally {
    session.close();
  }
  const listed = [...tools.values()].slice(0, TOOLS_MAX);
  const json = Buffer.from(JSON.stringify(listed));
  if (json.length > LIST_BYTES_MAX || !isCheckable(listed, LIST_VALUES_MAX)) return failed("too_large");
  if (hasSecret(json, secretsIn(secrets))) return failed("secret");
  return { type: "listed", names: listed.map(({ name }) => name), json, leftOut: leftOut + tools.size - listed.length };
}

/**
 * The link of an address that sells tools, also one that sells them no longer: who paid before gets an answer. Throws LINK_NOT_FOUND for
 * every other link.
 */
export async function findToolLink({ db }: Pick<System, "db">, linkId: LinkId): Promise<Link> {
  const link = await links.findEver(db, linkId);
  const upstream = link?.upstream ?? (await store.findEnded(db, linkId))?.upstream;
  if (!link || upstream?.kind !== "mcp") throw linkErrors.LINK_NOT_FOUND();
  return link;
}
