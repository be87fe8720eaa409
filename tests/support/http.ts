import { type IncomingMessage, request } from "node:http";
import { Readable } from "node:stream";
import { BASE_URL, IS_IN_PROCESS, PORT } from "./base-url";
import { connections } from "./connections";
import { assertDocumented } from "./documented";
import { server } from "./wiring";

export { BASE_URL } from "./base-url";

export type Answer = { status: number; headers: Headers; body: unknown; text: string };

export type CallOptions = {
  bearer?: string;
  /** A session cookie. Also sets the service's own Origin. */
  session?: string;
  headers?: Record<string, string>;
  json?: unknown;
  /** Sent unchanged, for bodies that are not valid JSON. */
  raw?: BodyInit;
  /** The port of another server of the service (replica.ts). */
  port?: number;
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
  const res = await fetchPath(method, pathAndQuery, {
    headers,
    ...(body !== undefined && { body }),
    ...(options.port && { port: options.port }),
  });
  const text = await res.text();
  const { pathname: path } = new URL(pathAndQuery, BASE_URL);
  assertDocumented({ method, path, status: res.status, headers: res.headers, text, body: parsed(text) });
  return { status: res.status, headers: res.headers, text, body: parsed(text) };
}

export type PathInit = { headers?: HeadersInit; body?: BodyInit; signal?: AbortSignal; port?: number };

/** Sends one request to this file's server. Redirects are not followed and bodies are not decompressed. */
export async function fetchPath(method: string, pathAndQuery: string, init: PathInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  if (IS_IN_PROCESS) {
    const { callInProcess: answerHere } = await import("./in-process");
    const { body, signal } = init;
    const rest = { ...(body !== undefined && { body, duplex: "half" as const }), ...(signal && { signal }) };
    return answerHere(new Request(`${BASE_URL}${pathAndQuery}`, { method, headers, ...rest }));
  }
  await server();
  const body = init.body === undefined ? undefined : Buffer.from(await new Response(init.body).arrayBuffer());
  const hasOwnLength = headers.has("content-length");
  if (body && !hasOwnLength) headers.set("content-length", String(body.length));
  const { pathname, search } = new URL(pathAndQuery, BASE_URL);
  const { signal } = init;
  // Node's client, because fetch changes methods and headers and refuses some that a client may send.
  const port = init.port ?? PORT;
  if (!headers.has("host")) headers.set("host", `localhost:${port}`);
  const req = request({
    // Not by name, which would be looked up for each connection.
    host: "127.0.0.1",
    port,
    method,
    path: `${pathname}${search}`,
    headers: Object.fromEntries(headers),
    // A wrong length ends the connection's use.
    agent: !hasOwnLength && connections(port),
    ...(signal && { signal }),
  });
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    req.once("response", resolve);
    // Also happens when the server has responded and refuses the rest of the body.
    req.on("error", reject);
  });
  req.end(body);
  return responseOf(await answered);
}

const BODILESS = new Set([101, 204, 205, 304]);

function responseOf(incoming: IncomingMessage): Response {
  const headers = new Headers();
  for (const [name, values] of Object.entries(incoming.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value);
  }
  const status = incoming.statusCode ?? 0;
  // Node and the DOM have different types for the same stream.
  const body = BODILESS.has(status) ? null : (Readable.toWeb(incoming) as unknown as ReadableStream);
  return new Response(body, { status, headers });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
