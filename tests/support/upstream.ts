import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

/** An API of a seller. `drop`: breaks its connections off. */
export type UpstreamServer = { url: string; drop: () => void; close: () => void };

export async function openUpstream(answer: RequestListener): Promise<UpstreamServer> {
  const server = createServer(answer);
  await once(server.listen(0, "127.0.0.1").unref(), "listening");
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    drop: () => server.closeAllConnections(),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

let opened: Promise<UpstreamServer> | null = null;

/** The URL of an API that answers every request, for the rest of this process. */
export async function plainUpstream(): Promise<string> {
  opened ??= openUpstream((req, res) => {
    req.resume();
    res.writeHead(200, { "content-type": "application/json" }).end('{"status":"success"}');
  });
  return (await opened).url;
}
