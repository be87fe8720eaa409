import { Agent, request } from "node:http";

export type Reply = { status: number; text: string };
export type Call = { method?: string; path: string; headers?: Record<string, string>; json?: unknown };
export type Client = { send: (call: Call) => Promise<Reply>; close: () => void };

/** A minimal HTTP client with up to `connections` keep-alive sockets. */
export function openClient(baseUrl: string, connections: number): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const { hostname, port } = new URL(baseUrl);
  return {
    send: ({ method = "GET", path, headers = {}, json }) =>
      new Promise((resolve, reject) => {
        const body = json === undefined ? undefined : JSON.stringify(json);
        const type =
          body === undefined ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
        const req = request({ agent, hostname, port, method, path, headers: { ...headers, ...type } }, (res) => {
          const chunks: Buffer[] = [];
          res.on("data", (chunk: Buffer) => chunks.push(chunk));
          res.once("end", () => resolve({ status: res.statusCode ?? 0, text: Buffer.concat(chunks).toString() }));
          res.once("error", reject);
        });
        req.once("error", reject);
        req.end(body);
      }),
    close: () => agent.destroy(),
  };
}

/** How often per second `work` completes with `lanes` concurrent calls during `seconds`. */
export async function rateOf(work: () => Promise<void>, lanes: number, seconds: number): Promise<number> {
  const began = performance.now();
  const deadline = began + seconds * 1000;
  let done = 0;
  const lane = async () => {
    while (performance.now() < deadline) {
      await work();
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return done / ((performance.now() - began) / 1000);
}

/** Runs `work` for every item, `lanes` at a time. Results are in the items' order. */
export async function inLanes<T, R>(items: readonly T[], lanes: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const waiting = items.entries();
  const lane = async () => {
    for (const [index, item] of waiting) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return results;
}
