import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export type ReceivedPush = { path: string; ttl: string; urgency: string; notice: Record<string, string> };
/** A subscription as a browser gives it to a page. */
export type TestBrowser = { endpoint: string; keys: { p256dh: string; auth: string } };

export type PushService = {
  got: ReceivedPush[];
  /** A browser that subscribed with the service's key. */
  subscribe: (publicKey: string) => TestBrowser;
  /** The reply to further messages: a status, or null for taking them. "silence" ends the connection instead. */
  answer: (reply: number | "silence" | null, headers?: Record<string, string>) => void;
  close: () => Promise<void>;
};

type Keys = { ecdh: ReturnType<typeof createECDH>; auth: Buffer; publicKey: string };

/** A push service (RFC 8030) that checks who sends (RFC 8292), and reads messages as the browser would (RFC 8291). */
export async function startPushService(): Promise<PushService> {
  const got: ReceivedPush[] = [];
  const browsers = new Map<string, Keys>();
  let reply: number | "silence" | null = null;
  let replyHeaders: Record<string, string> = {};
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on("data", (chunk: Buffer) => chunks.push(chunk));
    req.on("end", () => {
      if (reply === "silence") return req.socket.destroy();
      if (reply !== null) return res.writeHead(reply, replyHeaders).end("no");
      const path = req.url ?? "";
      const keys = browsers.get(path);
      if (!keys) return res.writeHead(404).end();
      if (!isSignedBy(keys.publicKey, req.headers.authorization ?? "", origin())) return res.writeHead(403).end();
      if (req.headers["content-encoding"] !== "aes128gcm") return res.writeHead(415).end();
      const { ttl = "", urgency = "" } = req.headers;
      got.push({
        path,
        ttl: String(ttl),
        urgency: String(urgency),
        notice: JSON.parse(decrypt(Buffer.concat(chunks), keys)),
      });
      return res.writeHead(201).end();
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    got,
    subscribe: (publicKey) => {
      const ecdh = createECDH("prime256v1");
      const p256dh = ecdh.generateKeys("base64url");
      const auth = randomBytes(16);
      const path = `/push/${randomBytes(12).toString("hex")}`;
      browsers.set(path, { ecdh, auth, publicKey });
      return { endpoint: `${origin()}${path}`, keys: { p256dh, auth: auth.toString("base64url") } };
    },
    answer: (next, headers = {}) => {
      reply = next;
      replyHeaders = headers;
    },
    close: () => new Promise((closed) => server.close(() => closed())),
  };
}

/** Whether a header `vapid t=…, k=…` is of this key, for this origin, for at most a day. */
function isSignedBy(publicKey: string, header: string, origin: string): boolean {
  const [, token = "", key] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(header) ?? [];
  const [head = "", body = "", signature = ""] = token.split(".");
  if (key !== publicKey) return false;
  const point = Buffer.from(publicKey, "base64url");
  const [x, y] = [point.subarray(1, 33).toString("base64url"), point.subarray(33).toString("base64url")];
  const signer = createPublicKey({ key: { kty: "EC", crv: "P-256", x, y }, format: "jwk" });
  const isSigned = verify(
    "sha256",
    Buffer.from(`${head}.${body}`),
    { key: signer, dsaEncoding: "ieee-p1363" },
    Buffer.from(signature, "base64url"),
  );
  const { aud, exp, sub } = JSON.parse(Buffer.from(body, "base64url").toString());
  const seconds = exp - Date.now() / 1000;
  return isSigned && aud === origin && seconds > 0 && seconds <= 86_400 && /^(mailto:|https:)/.test(sub);
}

const hkdf = (secret: Buffer, salt: Buffer, info: Buffer | string, length: number): Buffer =>
  Buffer.from(hkdfSync("sha256", secret, salt, info, length));

/** One record of aes128gcm (RFC 8188), with the key of RFC 8291. */
function decrypt(body: Buffer, { ecdh, auth }: Keys): string {
  const salt = body.subarray(0, 16);
  const keyLength = body.readUInt8(20);
  const sender = body.subarray(21, 21 + keyLength);
  const sealed = body.subarray(21 + keyLength);
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), ecdh.getPublicKey(), sender]);
  const secret = hkdf(ecdh.computeSecret(sender), auth, info, 32);
  const key = hkdf(secret, salt, "Content-Encoding: aes128gcm\0", 16);
  const nonce = hkdf(secret, salt, "Content-Encoding: nonce\0", 12);
  const opener = createDecipheriv("aes-128-gcm", key, nonce).setAuthTag(sealed.subarray(-16));
  const plain = Buffer.concat([opener.update(sealed.subarray(0, -16)), opener.final()]);
  return plain.subarray(0, plain.lastIndexOf(2)).toString();
}
