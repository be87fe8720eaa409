/** Calls the service's own route handlers, found by path among the files of app/, without a server in between. */
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

export const BASE_URL = "http://localhost:3000";

export type Answer = { status: number; headers: Headers; body: unknown; text: string };

export type CallOptions = {
  bearer?: string;
  /** A session cookie; sets our own Origin too. */
  session?: string;
  headers?: Record<string, string>;
  json?: unknown;
  /** Sent as it is, for bodies that are not good JSON. */
  raw?: BodyInit;
};

export async function call(method: string, pathAndQuery: string, options: CallOptions = {}): Promise<Answer> {
  const headers = new Headers(options.headers);
  if (options.bearer) headers.set("authorization", `Bearer ${options.bearer}`);
  if (options.session) {
    headers.set("cookie", `next-auth.session-token=${options.session}`);
    if (!headers.has("origin")) headers.set("origin", BASE_URL);
  }
  const body = options.raw ?? (options.json === undefined ? undefined : JSON.stringify(options.json));
  if (body !== undefined && !headers.has("content-type")) headers.set("content-type", "application/json");
  const req = new Request(`${BASE_URL}${pathAndQuery}`, {
    method,
    headers,
    ...(body !== undefined && { body, duplex: "half" }),
  });
  const { handler, params } = await findHandler(method, new URL(req.url).pathname);
  const res = await handler(req, { params: Promise.resolve(params) });
  const text = await res.text();
  return { status: res.status, headers: res.headers, text, body: parsed(text) };
}

/** The handler that answers a path, and the parameters it finds in it. */
export async function findHandler(method: string, path: string) {
  const parts = path.split("/").filter(Boolean).map(decodeURIComponent);
  const matching = routes
    .map((route) => ({ route, params: match(route.segments, parts) }))
    .filter((c) => c.params !== null)
    // A literal segment wins over a parameter, as in Next.
    .sort((a, b) => dynamic(a.route.segments) - dynamic(b.route.segments));
  // What takes all the rest of a path answers only where nothing else does, whatever the method.
  const named = matching.filter(({ route }) => !route.segments.some(isRest));
  const candidates = named.length > 0 ? named : matching;
  for (const { route, params } of candidates) {
    const handler = (await route.load())[method];
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
  for (const [at, segment] of segments.entries()) {
    const part = parts[at] ?? "";
    if (segment.startsWith("[")) params[segment.slice(1, -1)] = part;
    else if (segment !== part) return null;
  }
  return params;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
