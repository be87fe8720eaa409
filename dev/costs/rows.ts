import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { TOOLS } from "@/lib/mcp/handle";
import { ENDPOINTS, type Listed } from "@/lib/openapi/endpoints";
import { readRoutes } from "@/ops/compile-lib";

/** Something that can be called. `name`: "GET /api/agents", "GET /docs/{path}" or a tool's name. */
export type Callable = { name: string; kind: "endpoint" | "page" | "route" | "tool"; listed: Listed | null };

/** The home page, the only page outside app/. */
const HOME = "/";
const APP = join(import.meta.dirname, "../../app");

const pages = (): string[] =>
  readdirSync(APP, { recursive: true, encoding: "utf8" })
    .filter((file) => basename(file) === "page.tsx")
    .map((file) => `/${dirname(file).replace(/\([^)]*\)\/?/g, "")}`.replace(/\[+(?:\.\.\.)?([^\]]+)\]+/g, "{$1}"));

/** Every endpoint, page, other route and tool: the rows of the cost table. */
export function callables(): Callable[] {
  const endpoints = ENDPOINTS.map(
    (listed): Callable => ({
      name: `${listed.endpoint.method} ${listed.endpoint.path}`,
      kind: "endpoint",
      listed,
    }),
  );
  const declared = new Set(endpoints.map(({ name }) => name));
  const routes = Object.entries(readRoutes())
    .flatMap(([path, { methods }]) => methods.map((method) => `${method} ${path.replace("{...", "{")}`))
    .filter((name) => !declared.has(name));
  const named = (kind: Callable["kind"]) => (name: string) => ({ name, kind, listed: null });
  return [
    ...endpoints,
    ...routes.map(named("route")),
    ...[HOME, ...pages()]
      .map((path) => `GET ${path}`)
      .filter((name) => !routes.includes(name))
      .sort()
      .map(named("page")),
    ...TOOLS.map(({ name }) => name).map(named("tool")),
  ];
}
