// Must come first: other modules of Next read the global AsyncLocalStorage when they are loaded.
import "next/dist/server/node-environment-baseline.js";

import { NextRequest } from "next/server";
import type { Log } from "@/lib/platform/log";
import { system } from "@/lib/wiring";
import { noteLogged } from "./undeclared";

/** Calls the route handlers of app/ directly, without a server. */
type Handler = (req: Request, segments: { params: Promise<Record<string, string>> }) => Promise<Response>;
type RouteModule = Partial<Record<string, Handler>>;

const modules = import.meta.glob<RouteModule>(["/app/**/route.ts", "/app/**/.well-known/**/route.ts"]);

const routes = Object.entries(modules).map(([file, load]) => ({
  load,
  segments: file
    .replace(/^\/app/, "")
    .replace(/\/route\.ts$/, "")
    .split("/")
    .filter((part) => part !== "" && !/^\(.*\)$/.test(part)),
}));

const watched = new WeakSet<Log>();

function watchLog(): void {
  const { log } = system();
  if (watched.has(log)) return;
  watched.add(log);
  const write = log.error.bind(log) as (...line: unknown[]) => void;
  log.error = (...line: unknown[]) => {
    noteLogged(line[0], line[1]);
    write(...line);
  };
}

export async function callInProcess(req: Request): Promise<Response> {
  watchLog();
  const { pathname } = new URL(req.url);
  // The server adds this header to every request (lib/http/caller.ts).
  req.headers.set("x-tessera-caller", req.headers.get("x-forwarded-for") ?? "127.0.0.1");
  if (pathname.startsWith("/api/auth/")) return answerOfNextAuth(req, pathname.slice("/api/auth/".length));
  const { handler, params } = await findHandler(req.method, pathname);
  return handler(req, { params: Promise.resolve(params) });
}

/** The handler of a path, and its parameters. */
async function findHandler(method: string, path: string) {
  const parts = path.split("/").filter(Boolean).map(decodeURIComponent);
  const matching = routes
    .map((route) => ({ route, params: match(route.segments, parts) }))
    .filter((c) => c.params !== null)
    // A literal segment takes precedence over a parameter, as in Next.
    .sort((a, b) => dynamic(a.route.segments) - dynamic(b.route.segments));
  // A catch-all route has the lowest precedence, for every method.
  const named = matching.filter(({ route }) => !route.segments.some(isRest));
  const candidates = named.length > 0 ? named : matching;
  for (const { route, params } of candidates) {
    const module = await route.load();
    // The same as in Next.
    const handler = module[method] ?? (method === "HEAD" ? module.GET : undefined);
    if (handler && params) return { handler, params };
  }
  throw new Error(`no route answers ${method} ${path}`);
}

const dynamic = (segments: string[]) => segments.filter((part) => part.startsWith("[")).length;

const isRest = (segment: string) => segment.startsWith("[[...");

function match(segments: string[], parts: string[]): Record<string, string> | null {
  const rest = segments.findIndex(isRest);
  if (rest >= 0) return match(segments.slice(0, rest), parts.slice(0, rest));
  if (segments.length !== parts.length) return null;
  const params: Record<string, string> = {};
  for (const [index, segment] of segments.entries()) {
    const part = parts[index] ?? "";
    if (segment.startsWith("[")) params[segment.slice(1, -1)] = part;
    else if (segment !== part) return null;
  }
  return params;
}

async function answerOfNextAuth(req: Request, path: string): Promise<Response> {
  const { GET, POST } = await import("@/app/api/auth/[...nextauth]/route");
  const { workAsyncStorage } = await import("next/dist/server/app-render/work-async-storage.external.js");
  const { workUnitAsyncStorage } = await import("next/dist/server/app-render/work-unit-async-storage.external.js");
  const { RequestCookies } = await import("next/dist/server/web/spec-extension/cookies.js");
  req.headers.set("host", new URL(req.url).host);
  if (req.method === "POST") req.headers.set("content-length", String((await req.clone().arrayBuffer()).byteLength));
  const params = Promise.resolve({ nextauth: path.split("/") });
  const respond = () => (req.method === "GET" ? GET : POST)(new NextRequest(req), { params });
  const unit = { type: "request", phase: "render", headers: req.headers, cookies: new RequestCookies(req.headers) };
  // The stores have dozens of members; headers() and cookies() read only these.
  return workAsyncStorage.run({ route: "test" } as never, () => workUnitAsyncStorage.run(unit as never, respond));
}
