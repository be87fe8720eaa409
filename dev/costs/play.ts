import { z } from "zod";
import { countsStorage, type Endpoint, workOf } from "@/lib/core/endpoint";
import { DEFAULT_LIMITS, type LimitName } from "@/lib/core/limits";
import { pageWork } from "@/lib/http/page-work";
import { callMcp } from "@/lib/mcp/contract";
import { TOOLS } from "@/lib/mcp/handle";
import { bodyOf } from "@/lib/openapi/failures";
import { largest, type Shape, shapeOf } from "./largest";
import { type CallCost, type Calls, type Cost, type Measuring, measure, measureCalls } from "./measure";
import { EXTRAS, RECIPES, type Recipe } from "./recipes";
import { type Callable, callables } from "./rows";
import type { Received, Sending } from "./send";
import type { Actor, CostWorld } from "./world";

/** A row of the table: one way to call something. */
export type Row = {
  name: string;
  actor: Actor;
  /** How often one address may call it per minute; null if unlimited. */
  callsAMinute: number | null;
  /** Whether its stored data counts against the budgets of stored bytes. */
  isStorageCounted: boolean;
  callable: Callable | null;
  recipe: Recipe;
};

/** The body limit unless the contract sets another. */
const BODY_BYTES_MAX = 65_536;
const TOOL_BYTES_MAX = 200_000;
const HTML = { accept: "text/html" };

export function rows(): Row[] {
  const called = callables().flatMap((callable) =>
    [RECIPES[callable.name] ?? {}].flat().map((recipe) => rowOf(callable, recipe)),
  );
  const extras = Object.entries(EXTRAS).map(([name, recipe]) => ({
    name,
    actor: recipe.actor ?? "stranger",
    callsAMinute: callsAMinute(null, recipe, name),
    isStorageCounted: false,
    callable: null,
    recipe,
  }));
  return [...called, ...extras];
}

/**
 * Reads run first, while lists have the largest items. Rows that end or narrow something run after those that create it; rows that
 * end the agent run last.
 */
const LATER = [
  /^(?:POST|PUT) |^(?:create|initiate|request|top_up|submit|update|delete|cancel)_/,
  /^(?:DELETE|PATCH) |\/(?:revoke|enabled|reject|deny|cancel|refuse|rotate|token|move-to-vault)$/,
  /^DELETE \/api\/agents\/\{agentId\}$|unlink|^DELETE \/api\/sessions|revoke$/,
];
const rank = ({ name }: Row) => LATER.findLastIndex((pattern) => pattern.test(name));

/** Rows in an order that works in a single world. */
export const playable = (all: readonly Row[]): Row[] => all.toSorted((a, b) => rank(a) - rank(b));

function rowOf(callable: Callable, recipe: Recipe): Row {
  const { name } = callable;
  const called = endpointOf(callable, recipe);
  return {
    name: recipe.variant ? `${name} (${recipe.variant})` : name,
    actor: recipe.actor ?? actorOf(callable),
    callsAMinute: callsAMinute(callable, recipe, name),
    isStorageCounted: called !== null && countsStorage(called),
    callable,
    recipe,
  };
}

function actorOf({ kind, name, listed }: Callable): Actor {
  if (kind === "tool") return "agent";
  if (kind === "page") return /^GET \/(?:dashboard|authorize|mandates)/.test(name) ? "owner" : "stranger";
  const { auth = "none" } = listed?.endpoint ?? {};
  return auth === "agent" || auth === "owner" || auth === "seller" ? auth : "stranger";
}

let turns = 0;

/** Measures calls of a row. */
export const play = (world: CostWorld, row: Row, measuring: Measuring): Promise<Cost> =>
  measure(world, callsOf(world, row), measuring);

/** Without the event loop and the memory, whose collections of garbage take three quarters of the time. */
export const playCalls = (world: CostWorld, row: Row, repetitions: number): Promise<CallCost> =>
  measureCalls(world, callsOf(world, row), repetitions);

const callsOf = (world: CostWorld, row: Row): Calls => ({
  create: () => sendingOf(world, row, turns++),
  read: row.callable?.kind === "tool" ? outcomeOfTool : ({ status }) => `${status}`,
});

async function sendingOf(world: CostWorld, row: Row, turn: number): Promise<Sending> {
  const { callable, recipe, actor, name } = row;
  const own = typeof recipe.headers === "function" ? recipe.headers(world) : recipe.headers;
  const headers = { "accept-encoding": "gzip", ...(await world.headersOf(actor)), ...own };
  if (callable?.kind === "tool") {
    const args = largest(shapeOfTool(callable.name), recipe.example?.(world, turn) ?? {}, TOOL_BYTES_MAX, turn);
    return toolCall(callable.name, args, headers);
  }
  const [, method = "GET", template = ""] = /^([A-Z]+) (\S*)/.exec(callable?.name ?? name) ?? [];
  const endpoint = callable?.listed?.endpoint;
  const path =
    typeof recipe.path === "function"
      ? recipe.path(world, turn)
      : (recipe.path ?? `${filled(template, world)}${endpoint ? longestPage(endpoint) : ""}`);
  const rest = { method, path, endAfterMs: recipe.endAfterMs };
  if (recipe.raw)
    return { ...rest, headers: { ...headers, "content-type": recipe.raw.type }, body: recipe.raw.bytes(turn) };
  if (callable?.kind === "page") return { ...rest, headers: { ...HTML, ...headers } };
  const schema = endpoint && bodyOf(endpoint);
  if (!schema) return { ...rest, headers };
  const example = recipe.example?.(world, turn) ?? endpoint.example?.request ?? {};
  const json = largest(shapeOf(schema), example, endpoint.bodyBytesMax ?? BODY_BYTES_MAX, turn);
  return {
    ...rest,
    headers: { ...headers, "content-type": "application/json" },
    body: Buffer.from(JSON.stringify(json)),
  };
}

const filled = (template: string, { ids }: CostWorld): string =>
  template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const id = ids[name];
    if (id === undefined) throw new Error(`${template}: add a ${name} to the world of costs, or a path to its recipe`);
    return id;
  });

/** A query for the longest page that the list allows. */
function longestPage({ query }: Endpoint): string {
  const most = ["1000", "500", "200", "100", "50"].find((limit) => query?.safeParse({ limit }).success);
  return query && most && "limit" in ((query as z.ZodObject).shape ?? {}) ? `?limit=${most}` : "";
}

const toolOf = (name: string | undefined) => TOOLS.find((tool) => tool.name === name);

/** A tool's arguments as the tool parses them. */
function shapeOfTool(name: string): Shape {
  const tool = toolOf(name);
  if (!tool) throw new Error(`there is no tool ${name}`);
  return {
    schema: tool.input.schema() as Shape["schema"],
    isValid: (value) => {
      try {
        tool.input.parse(value);
        return true;
      } catch {
        return false;
      }
    },
  };
}

function toolCall(name: string, args: unknown, headers: Record<string, string>) {
  const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } };
  return {
    method: "POST",
    path: "/mcp",
    headers: { ...headers, accept: "application/json, text/event-stream", "content-type": "application/json" },
    body: Buffer.from(JSON.stringify(message)),
  };
}

const code = z.object({ result: z.object({ structuredContent: z.object({ error: z.object({ code: z.string() }) }) }) });

function outcomeOfTool({ status, text }: Received): string {
  const [, error] = /"code":"(\w+)"/.exec(text) ?? [];
  try {
    return code.parse(JSON.parse(text)).result.structuredContent.error.code;
  } catch {
    return text.includes('"isError":true') ? (error ?? `${status}`) : `${status}`;
  }
}

const perMinute = (limit: LimitName): number => (DEFAULT_LIMITS[limit].requests * 60) / DEFAULT_LIMITS[limit].seconds;

const endpointOf = (callable: Callable | null, { endpoint }: Recipe): Endpoint | null =>
  callable?.listed?.endpoint ?? toolOf(callable?.name)?.endpoint ?? endpoint ?? null;

/** Calls that one address may make per minute; null if unlimited. */
function callsAMinute(callable: Callable | null, recipe: Recipe, name: string): number | null {
  const { limit, path, moreWork = 0 } = recipe;
  const [, template = ""] = /^[A-Z]+ (\S+)/.exec(name) ?? [];
  const asked = typeof path === "string" ? path.replace(/\?.*/, "") : template;
  const route = callable?.kind === "route" ? template : null;
  const called = endpointOf(callable, recipe);
  const isMcp = callable?.kind === "tool" || asked === callMcp.path;
  const work = (isMcp ? workOf(callMcp) : 0) + (called ? workOf(called) : 0) + moreWork;
  const limits = [
    ...[limit, called?.limitPerAddress].flatMap((each) => (each ? [perMinute(each)] : [])),
    ...(work > 0 ? [perMinute("work_per_address") / work] : []),
  ];
  const pages = isMcp || called ? 0 : pageWork({ path: asked, route, wantsPage: true });
  if (pages > 0) limits.push(perMinute("page_work_per_address") / pages);
  return limits.length === 0 ? null : Math.min(...limits);
}
