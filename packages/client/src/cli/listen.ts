import { createServer, type IncomingMessage } from "node:http";
import { parseUrl } from "../../../x402/src/url.ts";
import { VerificationError, verifyWebhook } from "../verify.ts";
import type { Args } from "./args.ts";
import { formatValue, type Io, UsageError } from "./io.ts";

const BODY_BYTES_MAX = 1_048_576;
const FORWARD_SECONDS = 10;

/**
 * Receives webhooks on 127.0.0.1, prints those with a valid signature and forwards them to `--forward`. Responds to the challenge that
 * verifies a receiver. Runs until the signal aborts.
 */
export async function listen(args: Args, io: Io): Promise<void> {
  const secret = io.env.TESSERA_WEBHOOK_SECRET;
  if (!secret) throw new UsageError("set TESSERA_WEBHOOK_SECRET to the webhook's secret (whsec_…)");
  const forward = args.text("forward");
  if (forward !== undefined && !parseUrl(forward)) throw new UsageError("--forward must be a URL");
  const server = createServer((req, res) => {
    receive(req)
      .catch((error: unknown): [number, string?] => {
        io.err(`not received: ${error instanceof Error ? error.message : "unknown"}\n`);
        return [VerificationError.is(error) ? 400 : 502];
      })
      .then(([status, body = ""]) => res.writeHead(status, { "Content-Type": "application/json" }).end(body));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(args.whole("port") ?? 4242, "127.0.0.1", resolve);
  });
  const address = server.address();
  io.err(`Receiving webhooks at http://127.0.0.1:${typeof address === "object" && address ? address.port : ""}/\n`);
  await new Promise<void>((resolve) => {
    if (io.signal.aborted) resolve();
    io.signal.addEventListener("abort", () => resolve(), { once: true });
  });
  server.closeAllConnections();
  server.close();

  async function receive(req: IncomingMessage): Promise<[number, string?]> {
    if (req.method !== "POST") return [405];
    const body = await bodyOf(req);
    const event = await verifyWebhook(secret ?? "", req.headers, body);
    io.out(
      args.isJson
        ? `${JSON.stringify({ id: req.headers["webhook-id"], ...event })}\n`
        : `${formatValue(event, false)}\n`,
    );
    if (event.type === "webhook.verification") return [200, JSON.stringify({ challenge: event.data.challenge })];
    if (forward === undefined) return [204];
    const headerNames = ["content-type", "webhook-id", "webhook-timestamp", "webhook-signature"];
    const headers = headerNames.flatMap((name): [string, string][] => {
      const value = req.headers[name];
      return typeof value === "string" ? [[name, value]] : [];
    });
    const signal = AbortSignal.timeout(FORWARD_SECONDS * 1000);
    const response = await io.fetch(forward, { method: "POST", headers, body, redirect: "manual", signal });
    await response.body?.cancel();
    // 502 makes the service deliver the message again.
    return [response.status >= 200 && response.status < 300 ? 204 : 502];
  }
}

async function bodyOf(req: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of req as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > BODY_BYTES_MAX) throw new VerificationError(["size"], "the body is too large");
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}
