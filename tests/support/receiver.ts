import { createHmac, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request that a webhook's receiver got. */
export type Got = { headers: IncomingHttpHeaders; body: string; method: string; path: string };
type Answering = (got: Got, res: ServerResponse) => void;
export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

const accept: Answering = (_, res) => void res.writeHead(204).end();

/** A receiver of webhooks that accepts everything by default. */
export async function startReceiver() {
  const got: Got[] = [];
  let answering = accept;
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    const { headers, method = "", url = "" } = req;
    const request = { headers, method, path: url, body: Buffer.concat(chunks).toString("utf8") };
    got.push(request);
    answering(request, res);
  });
  // Some tests end the sender during a request.
  server.on("clientError", (_, socket) => socket.destroy());
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://localhost:${port}/hooks`,
    got,
    answer: (next: Answering) => {
      answering = next;
    },
    answerStatus: (status: number, headers: Record<string, string> = {}) => {
      answering = (_, res) => void res.writeHead(status, headers).end(`status ${status}`);
    },
    accept: () => {
      answering = accept;
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

const TOLERANCE_SECONDS = 300;

/** The checks that Standard Webhooks 1.0.0 requires of a receiver, implemented from its text. Returns the message. */
export function verified(secret: string, { headers, body }: Got, now = new Date()): { type: string; data: unknown } {
  const [id, timestamp, signature] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map(
    (name) => headers[name],
  );
  if (typeof id !== "string" || typeof timestamp !== "string" || typeof signature !== "string")
    throw new Error("unsigned");
  if (Math.abs(now.getTime() / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) throw new Error("too old or too new");
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const right = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`, "utf8").digest();
  const isSigned = signature.split(" ").some((part) => {
    const [version, text = ""] = part.split(",");
    const given = Buffer.from(text, "base64");
    return version === "v1" && given.length === right.length && timingSafeEqual(given, right);
  });
  if (!isSigned) throw new Error("no signature is right");
  return JSON.parse(body);
}
