import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

let opened: Promise<string> | null = null;

/** The URL of an API that answers every request, for the rest of this process. */
export function plainUpstream(): Promise<string> {
  opened ??= open();
  return opened;
}

async function open(): Promise<string> {
  const server = createServer((req, res) => {
    req.resume();
    res.writeHead(200, { "content-type": "application/json" }).end('{"status":"success"}');
  });
  await once(server.listen(0, "127.0.0.1").unref(), "listening");
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}
