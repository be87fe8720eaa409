import type { Endpoint } from "@/lib/core/endpoint";
import { AppError, type Kind, STATUS } from "@/lib/core/errors";
import type { Inside } from "@/lib/http/route";

/** A handler of the API, with its declaration. */
export type Handler = {
  (req: Request, segments: { params: Promise<Record<string, string>> }, inside?: Inside): Promise<Response>;
  readonly endpoint: Endpoint;
};
/** Those that tools call (app/mcp/handlers.ts). */
export type Handlers = Readonly<Record<string, Handler>>;

export type Call = {
  params?: Record<string, string>;
  query?: Record<string, string | undefined>;
  json?: unknown;
  headers?: Record<string, string>;
  idempotencyKey?: string | undefined;
};

type Json = Record<string, unknown>;
export type Answer = { status: number; body: Json };

/** Calls the API's own handlers, so that tools have the same rules, limits and errors as the endpoints. */
export type Api = {
  /** Returns the response unchanged. */
  send: (endpoint: Endpoint, call: Call) => Promise<Response>;
  /** Returns the JSON body. Throws an AppError with the endpoint's code and message. */
  call: (endpoint: Endpoint, call: Call) => Promise<Answer>;
};

export type Caller = { baseUrl: string; origin: Request; inside: Inside };

export function createApi(handlers: Handlers, { baseUrl, origin, inside }: Caller): Api {
  const send: Api["send"] = async (
    endpoint,
    { params = {}, query = {}, json, headers: extraHeaders, idempotencyKey },
  ) => {
    const { method, path } = endpoint;
    const headers = new Headers(extraHeaders);
    // Rate limits count the address that called /mcp.
    const caller = origin.headers.get("x-tessera-caller");
    if (caller !== null) headers.set("x-tessera-caller", caller);
    if (json !== undefined) headers.set("content-type", "application/json");
    if (idempotencyKey !== undefined) headers.set("idempotency-key", idempotencyKey);
    const url = new URL(pathWith(path, params), baseUrl);
    for (const [key, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(key, value);
    const body = json === undefined ? null : JSON.stringify(json);
    const request = new Request(url, { method, headers, body });
    return handlerOf(handlers, endpoint)(request, { params: Promise.resolve(params) }, inside);
  };
  const call: Api["call"] = async (endpoint, request) => {
    const response = await send(endpoint, request);
    const body: Json = await response.json();
    if (response.status >= 400) throw errorOf(response.status, body);
    return { status: response.status, body };
  };
  return { send, call };
}

export function handlerOf(handlers: Handlers, endpoint: Endpoint): Handler {
  const handler = Object.values(handlers).find((one) => one.endpoint === endpoint);
  if (!handler) throw new Error(`app/mcp/handlers.ts has no handler for ${endpoint.method} ${endpoint.path}`);
  return handler;
}

const pathWith = (path: string, params: Record<string, string>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));

const KINDS = Object.fromEntries(Object.entries(STATUS).map(([kind, status]) => [status, kind as Kind]));

/** Converts an error body to an AppError. Identity endpoints send only a string, `error`. */
export function errorOf(status: number, { code, message, error, ...details }: Json): AppError {
  const fallback = typeof error === "string" ? error : "The request was refused";
  return new AppError(
    typeof code === "string" ? code : fallback,
    KINDS[status] ?? "internal",
    typeof message === "string" ? message : fallback,
    details,
  );
}
