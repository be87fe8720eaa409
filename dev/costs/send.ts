import { Agent, request } from "node:http";

export type Sending = {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: Buffer | undefined;
  /** For a response that does not end: how long it is read. */
  endAfterMs?: number | undefined;
};
export type Received = { status: number; text: string; bytes: number };

// No keep-alive, so that the bytes of each connection can be counted.
const agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY });

/** Sends a request that accepts compression, as browsers do. `bytes`: bytes received over the wire. */
export function send(baseUrl: string, { method, path, headers, body, endAfterMs }: Sending): Promise<Received> {
  const { hostname, port } = new URL(baseUrl);
  const length = body ? { "content-length": String(body.length) } : {};
  return new Promise((resolve, reject) => {
    const sent = request({ agent, hostname, port, method, path, headers: { ...headers, ...length } }, (res) => {
      const { socket } = res;
      const chunks: Buffer[] = [];
      const finish = () =>
        resolve({ status: res.statusCode ?? 0, text: Buffer.concat(chunks).toString("utf8"), bytes: socket.bytesRead });
      res.on("data", (chunk: Buffer) => chunks.push(chunk));
      res.once("end", finish);
      res.once("error", reject);
      if (endAfterMs === undefined) return;
      setTimeout(() => {
        finish();
        res.destroy();
      }, endAfterMs);
    });
    sent.once("error", reject);
    sent.end(body);
  });
}
