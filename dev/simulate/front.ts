import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Front = { url: string; stop: () => Promise<void> };

/** The service's public address: forwards each request to the next running server, without retries. */
export async function startFront(ports: () => readonly number[]): Promise<Front> {
  let turn = 0;
  const forward = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const running = ports();
    const port = running[turn++ % Math.max(1, running.length)];
    if (port === undefined) return void outgoing.destroy();
    const { method, url: path } = incoming;
    // Compression would take most of the machine's time.
    const headers = { ...incoming.headers, "accept-encoding": "identity" };
    const onward = request({ host: "127.0.0.1", port, method, path, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
      // If a server dies while it responds, the client gets a partial response, as it would without this proxy.
      response.once("error", () => outgoing.destroy());
    });
    onward.once("error", () => outgoing.destroy());
    incoming.pipe(onward);
  };
  // Closing an idle connection at the moment of its reuse would be a fault that the seed did not draw.
  const server = createServer({ keepAliveTimeout: 0 }, forward);
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
