import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createPost, type Outbound } from "@/lib/platform/outbound";
import { type Receiver, startReceiver } from "../support/receiver";

/** Outbound requests to addresses that strangers chose, over real connections. */
let receiver: Receiver;
let closing: (() => Promise<void>)[];

beforeEach(async () => {
  receiver = await startReceiver();
  closing = [receiver.close];
});
afterEach(async () => {
  await Promise.all(closing.map((close) => close()));
});

const PATIENT_MS = 5_000;
const SHORT_MS = 300;

/** Every name resolves to this machine by default. */
const posting = (outbound: Partial<Outbound> = {}) =>
  createPost({ allowsLoopback: true, totalMsMax: PATIENT_MS, resolve: async () => ["127.0.0.1"], ...outbound });

const send = (post: ReturnType<typeof createPost>, url: string) => post(new URL(url), { "X-Test": "yes" }, '{"a":1}');
const urlAt = (port: number, host = "hooks.example.com") => `http://${host}:${port}/`;

/** A TCP server whose response the test chooses. */
async function rawServer(talk: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    talk(socket);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  closing.push(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, "close");
  });
  return (server.address() as AddressInfo).port;
}

describe("the host name of a webhook URL", () => {
  test("is resolved once, and the connection goes to the checked address", async () => {
    const responses = [["127.0.0.1"], ["10.0.0.1"], ["169.254.169.254"]];
    const queried: string[] = [];
    const post = posting({
      resolve: async (host) => {
        queried.push(host);
        return responses.shift() ?? [];
      },
    });
    expect(await send(post, urlAt(receiver.port))).toMatchObject({ isAnswered: true, status: 204 });
    expect(queried).toEqual(["hooks.example.com"]);
    expect(receiver.got).toMatchObject([
      { method: "POST", body: '{"a":1}', headers: { host: `hooks.example.com:${receiver.port}`, "x-test": "yes" } },
    ]);
    // Public first, then private: each request is checked separately.
    expect(await send(post, urlAt(receiver.port))).toEqual({ isAnswered: false, why: "address_refused" });
    expect(receiver.got).toHaveLength(1);
  });

  test("is refused in production if it is this machine's, even if a server listens", async () => {
    const post = posting({ allowsLoopback: false });
    for (const host of ["hooks.example.com", "127.0.0.1", "127.1", "2130706433", "0x7f.1", "[::ffff:127.0.0.1]"]) {
      expect(await send(post, urlAt(receiver.port, host))).toEqual({ isAnswered: false, why: "address_refused" });
    }
    expect(receiver.got).toEqual([]);
  });

  test("may be localhost only where loopback addresses are allowed", async () => {
    const post = createPost({ allowsLoopback: true, totalMsMax: PATIENT_MS });
    expect(await send(post, urlAt(receiver.port, "localhost"))).toMatchObject({ isAnswered: true, status: 204 });
    const inProduction = createPost({ allowsLoopback: false, totalMsMax: PATIENT_MS });
    expect(await send(inProduction, urlAt(receiver.port, "localhost"))).toMatchObject({ why: "address_refused" });
    expect(receiver.got).toHaveLength(1);
  });

  test("with one dead and one live address is reached", async () => {
    const post = posting({ resolve: async () => ["::1", "127.0.0.1"] });
    expect(await send(post, urlAt(receiver.port))).toMatchObject({ isAnswered: true, status: 204 });
  });
});

describe("a receiver's response", () => {
  test.each([301, 302, 303, 307, 308])("with the redirect status %d is not followed", async (status) => {
    const target = await startReceiver();
    closing.push(target.close);
    receiver.answerStatus(status, { location: target.url });
    expect(await send(posting(), urlAt(receiver.port))).toMatchObject({ isAnswered: true, status });
    expect(target.got).toEqual([]);
  });

  test("is read up to 64 KB, and then the connection is closed", async () => {
    let isClosed: Promise<unknown> = Promise.resolve();
    receiver.answer((_, res) => {
      isClosed = once(res, "close");
      res.writeHead(200);
      const pour = () => {
        while (!res.destroyed && res.write("x".repeat(16_384)));
      };
      res.on("drain", pour);
      pour();
    });
    const reply = await send(posting(), urlAt(receiver.port));
    expect(reply.isAnswered && reply.body.length).toBe(65_536);
    await isClosed;
  });

  test("whose body never ends counts by its status, with the received part", async () => {
    receiver.answer((_, res) => void res.writeHead(200).write("and so on"));
    const reply = await send(posting({ totalMsMax: SHORT_MS }), urlAt(receiver.port));
    expect(reply).toEqual({ isAnswered: true, status: 200, body: "and so on", retryAfter: null });
  });

  test("whose body is cut off counts by its status too", async () => {
    receiver.answer((_, res) => {
      res.writeHead(200, { "content-length": "100" }).write("half");
      setTimeout(() => res.destroy(), 50);
    });
    expect(await send(posting(), urlAt(receiver.port))).toMatchObject({ isAnswered: true, status: 200, body: "half" });
  });

  test("has its Retry-After returned", async () => {
    receiver.answerStatus(503, { "retry-after": "120" });
    expect(await send(posting(), urlAt(receiver.port))).toMatchObject({ status: 503, retryAfter: "120" });
  });
});

describe("a send without a response", () => {
  const faults: [string, (socket: Socket) => void, string][] = [
    ["a silent server", () => {}, "timeout"],
    [
      "a server that sends a header letter by letter",
      (socket) => {
        const timer = setInterval(() => socket.write("H"), 20);
        socket.once("close", () => clearInterval(timer));
      },
      "not_http",
    ],
    [
      "a server that sends endless headers",
      (socket) => {
        socket.write("HTTP/1.1 200 OK\r\n");
        const timer = setInterval(() => socket.write("a: b\r\n"), 20);
        socket.once("close", () => clearInterval(timer));
      },
      "timeout",
    ],
    [
      "a server that sends 102 for ever",
      (socket) => {
        const timer = setInterval(() => socket.write("HTTP/1.1 102 Processing\r\n\r\n"), 20);
        socket.once("close", () => clearInterval(timer));
      },
      "timeout",
    ],
    [
      "a server that sends 100 KB of headers",
      (socket) => void socket.write(`HTTP/1.1 200 OK\r\n${"a: b\r\n".repeat(20_000)}`),
      "not_http",
    ],
    ["a server of another protocol", (socket) => void socket.write("220 mail.example ESMTP\r\n"), "not_http"],
    ["a server that closes the connection", (socket) => void socket.destroy(), "connection"],
  ];

  test.each(faults)("reports %s", async (_, talk, reason) => {
    const port = await rawServer(talk);
    expect(await send(posting({ totalMsMax: SHORT_MS }), urlAt(port))).toEqual({ isAnswered: false, why: reason });
  });

  test("reports a host without a listening server", async () => {
    const gone = await startReceiver();
    await gone.close();
    expect(await send(posting(), urlAt(gone.port))).toEqual({ isAnswered: false, why: "connection" });
  });

  test("reports a connection that is never accepted", async () => {
    // A server that accepts nothing, with a full backlog: the next connection hangs.
    const script = `require("node:net").createServer().listen({ host: "127.0.0.1", port: 0, backlog: 1 }, function () {
      require("node:fs").writeSync(1, String(this.address().port));
      process.kill(process.pid, "SIGSTOP");
    })`;
    const child = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] });
    const [said] = await once(child.stdout, "data");
    const port = Number(said);
    const waiting = Array.from({ length: 8 }, () => connect(port, "127.0.0.1").on("error", () => {}));
    closing.push(async () => {
      for (const socket of waiting) socket.destroy();
      child.kill("SIGKILL");
    });
    expect(await send(posting({ totalMsMax: SHORT_MS }), urlAt(port))).toEqual({ isAnswered: false, why: "timeout" });
  });

  test("reports a slow name server", async () => {
    const post = posting({ totalMsMax: SHORT_MS, resolve: () => new Promise(() => {}) });
    expect(await send(post, urlAt(443))).toEqual({ isAnswered: false, why: "timeout" });
  });

  test("reports an untrusted certificate", async () => {
    const port = await tlsServer();
    expect(await send(posting(), `https://localhost:${port}/`)).toEqual({ isAnswered: false, why: "certificate" });
  });

  test("reports plain HTTP where TLS is required", async () => {
    const port = await rawServer((socket) => socket.write("HTTP/1.1 400 Bad Request\r\n\r\n"));
    const reply = await send(posting(), `https://localhost:${port}/`);
    expect(reply).toEqual({ isAnswered: false, why: "certificate" });
  });
});

test("a certificate is checked for the host name, not for the address", async () => {
  const port = await tlsServer();
  const dir = await mkdtemp(join(tmpdir(), "webhook-ca-"));
  closing.push(() => rm(dir, { recursive: true }));
  await writeFile(join(dir, "ca.pem"), CERTIFICATE);
  // Node reads its trusted certificates only at startup.
  const script = `
    const { createPost } = await import("./lib/platform/outbound.ts");
    const post = createPost({ allowsLoopback: true, resolve: async () => ["127.0.0.1"] });
    for (const name of ["hooks.example.com", "other.example.com"])
      console.log(JSON.stringify(await post(new URL("https://" + name + ":${port}/"), {}, "{}")));`;
  const args = ["--import", "tsx", "--input-type=module", "-e", script];
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: join(dir, "ca.pem") };
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "inherit"] });
  let message = "";
  child.stdout.on("data", (text) => {
    message += text;
  });
  await once(child, "close");
  const [right, wrong] = message
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(right).toMatchObject({ isAnswered: true, status: 200 });
  expect(wrong).toEqual({ isAnswered: false, why: "certificate" });
});

async function tlsServer(): Promise<number> {
  const server = createTlsServer({ key: KEY, cert: CERTIFICATE }, (_, res) => res.end());
  await once(server.listen(0, "127.0.0.1"), "listening");
  closing.push(async () => void server.close());
  return (server.address() as AddressInfo).port;
}

// A self-signed certificate for these tests only: openssl req -x509 -newkey ec -days 36500 -subj /CN=localhost
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBqDCCAU6gAwIBAgIUCcv10gqZYjIXBE2ayPrPmOQ8ZO0wCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTE4NTUyOVoYDzIxMjYxMDI4
MTg1NTI5WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAARiRIPGezDF9X4Quu7q91PGlZ9bhlzA4pRVodq+Z4GqJAhdJyoOH1Tz
+OlGURPwP45lhdfqABRYo6riTJt6uibco3wwejAdBgNVHQ4EFgQUNahzyQCfAUOw
gsMKj8F7QPJeKoMwHwYDVR0jBBgwFoAUNahzyQCfAUOwgsMKj8F7QPJeKoMwDwYD
VR0TAQH/BAUwAwEB/zAnBgNVHREEIDAegglsb2NhbGhvc3SCEWhvb2tzLmV4YW1w
bGUuY29tMAoGCCqGSM49BAMCA0gAMEUCIFl8/3hK22d/geTr0vSw/nyautZ602cR
6KUL7hQy75RAAiEArrKcmG4JDrZcluMbJMyCJnWNJaW5Ja9ah0JyTQnLvGE=
-----END CERTIFICATE-----
`;
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgAbn9pL6U+KZBoE+P
M3Y5qJW8e6S/yJacSTcgT+SRsJ+hRANCAARiRIPGezDF9X4Quu7q91PGlZ9bhlzA
4pRVodq+Z4GqJAhdJyoOH1Tz+OlGURPwP45lhdfqABRYo6riTJt6uibc
-----END PRIVATE KEY-----
`;
