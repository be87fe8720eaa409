import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { freePort } from "@/lib/dev/ports";
import { HEADER_BYTES_EVER_MAX } from "@/ops/limits.mjs";
import { findHandler } from "./http";

export type Served = { url: string; stop: () => Promise<void> };

/**
 * Puts the route handlers behind a real HTTP server, for clients that bring their own HTTP. Its address becomes
 * PUBLIC_BASE_URL: serve before configuration is read, or after `closeSystem`.
 */
export async function serve(): Promise<Served> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  process.env.PUBLIC_BASE_URL = url;
  const server = createServer({ maxHeaderSize: HEADER_BYTES_EVER_MAX }, (req, res) => {
    answer(url, req, res).catch((thrown: unknown) => {
      res.statusCode = 404;
      res.end(String(thrown));
    });
  });
  await once(server.listen(port, "127.0.0.1"), "listening");
  return {
    url,
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

async function answer(base: string, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const { method = "GET", url = "/" } = incoming;
  const headers = new Headers();
  for (const [name, values] of Object.entries(incoming.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value);
  }
  const hasBody = method !== "GET" && method !== "HEAD";
  // Node and the DOM each have a type for the same stream.
  const body = Readable.toWeb(incoming) as unknown as ReadableStream;
  const req = new Request(new URL(url, base), { method, headers, ...(hasBody && { body, duplex: "half" }) });
  const { handler, params } = await findHandler(method, new URL(req.url).pathname);
  const res = await handler(req, { params: Promise.resolve(params) });
  // What nobody read of a refused body must not be taken for the next request.
  if (!incoming.complete) outgoing.setHeader("connection", "close");
  outgoing.writeHead(res.status, [...res.headers].flat());
  outgoing.end(Buffer.from(await res.arrayBuffer()));
}
