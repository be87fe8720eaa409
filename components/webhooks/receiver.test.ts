import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { isEcho, message } from "@/lib/webhooks/messages";
import { newSecret, signatureHeaders } from "@/lib/webhooks/signature";
import { RECEIVER } from "./receiver";

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

test("the receiver that the dialog shows answers the challenge, takes signed events and refuses all others", async () => {
  const folder = mkdtempSync(join(tmpdir(), "receiver-"));
  const secret = newSecret();
  const port = await freePort();
  writeFileSync(join(folder, "receiver.mjs"), RECEIVER);
  const env = { ...process.env, PORT: String(port), WEBHOOK_SECRET: secret };
  const receiver = spawn(process.execPath, ["receiver.mjs"], { cwd: folder, env });
  onTestFinished(() => {
    receiver.kill();
    rmSync(folder, { recursive: true });
  });
  let printed = "";
  receiver.stdout.on("data", (chunk) => {
    printed += chunk;
  });
  const url = `http://127.0.0.1:${port}/`;
  await vi.waitFor(() => fetch(url), { timeout: 10_000, interval: 50 });

  const send = (body: string, { secrets = [secret], sentAt = new Date(), sent = body } = {}) =>
    fetch(url, { method: "POST", body: sent, headers: signatureHeaders(secrets, { eventId: "evt_1", body, sentAt }) });
  const { body: challenge } = message("webhook.verification", new Date(), { webhookId: "whk_1", challenge: "c" });
  const verified = await send(challenge);
  expect([verified.status, isEcho(challenge, await verified.text())]).toEqual([200, true]);

  const { body: event } = message("payment_link.paid", new Date(), { linkId: "lnk_1" });
  expect((await send(event, { secrets: [newSecret(), secret] })).status).toBe(204);
  await vi.waitFor(() => expect(printed).toContain("evt_1 payment_link.paid { linkId: 'lnk_1' }"));

  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
  for (const forged of [
    await send(event, { secrets: [newSecret()] }),
    await send(event, { sent: event.replace("lnk_1", "lnk_2") }),
    await send(event, { sentAt: minutesAgo(6) }),
    await send(event, { sentAt: minutesAgo(-6) }),
    await fetch(url, { method: "POST", body: event }),
    await fetch(url),
  ])
    expect(forged.status).toBe(400);
});
