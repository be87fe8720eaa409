import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { verifyWebhook } from "@/docs/verifiers/verify-webhook";
import { expectBody } from "../actors/api";
import type { OwnerActor } from "../actors/owners";
import type { Transcript } from "./transcript";

const PATIENCE_MS = 30_000;

const added = z.object({ secret: z.string() });

/**
 * The owner adds a webhook for settled payments, `play` makes a payment, and a local receiver gets the event. Resolves when the
 * receiver code of docs/webhooks.md has verified it.
 */
export async function playWebhook(
  say: Transcript,
  owner: OwnerActor,
  play: () => Promise<{ paymentRecordId: string; amount: bigint }>,
): Promise<void> {
  const receiver = await startReceiver();
  try {
    say.heading("The owner adds a webhook for settled payments");
    const json = { url: receiver.url, eventTypes: ["payment.settled"] };
    const { secret } = expectBody(await owner.confirm("/api/webhooks", json), 201, added, "the webhook");
    const { paymentRecordId, amount } = await play();

    say.heading("The receiver gets the event and verifies its signature");
    // An event of an earlier payment may arrive first.
    const delivered = receiver.until(
      ({ headers, body }) => verifyWebhook(secret, headers, body).data.paymentRecordId === paymentRecordId,
    );
    const request = await Promise.race([delivered, sleep(PATIENCE_MS, null, { ref: false })]);
    if (!request) throw new Error("the webhook did not arrive");
    const { type, data } = verifyWebhook(secret, request.headers, request.body);
    say.note(`webhook-id ${request.headers["webhook-id"]}`);
    say.note(request.body);
    say.check(
      "the signature is valid and the event is about this payment",
      [type, data.amount],
      ["payment.settled", `${amount}`],
    );
  } finally {
    receiver.close();
  }
}

type Got = { headers: IncomingHttpHeaders; body: string };

/** A receiver that accepts everything; `until` resolves with the first matching message. */
async function startReceiver() {
  const server = createServer();
  const all: Got[] = [];
  server.on("request", async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk);
    all.push({ headers: req.headers, body: Buffer.concat(chunks).toString("utf8") });
    res.writeHead(204).end(() => server.emit("received"));
  });
  const until = async (fits: (got: Got) => boolean): Promise<Got> => {
    for (let seen = 0; ; seen++) {
      while (seen === all.length) await once(server, "received");
      const request = all[seen];
      if (request && fits(request)) return request;
    }
  };
  await once(server.listen(0, "127.0.0.1"), "listening");
  // A listening TCP server has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://localhost:${port}/hooks`, until, close };
}
