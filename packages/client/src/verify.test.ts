import { createHmac, generateKeyPairSync, sign } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { credentialVerifier, receiptVerifier, VerificationError, verifyWebhook } from "./verify.ts";

const SERVICE = "https://tessera.example";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe("verifying a webhook", () => {
  const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  const body = '{"type":"webhook.test","timestamp":"2026-09-21T14:13:20.000Z","data":{"webhookId":"whk_1"}}';
  const now = new Date(1_790_000_000_000);
  const signatureOf = (text: string, time = 1_790_000_000, key = secret) =>
    `v1,${createHmac("sha256", Buffer.from(key.slice(6), "base64"))
      .update(`evt_1.${time}.${text}`)
      .digest("base64")}`;
  const headers = (signature = signatureOf(body), time = 1_790_000_000) => ({
    "webhook-id": "evt_1",
    "webhook-timestamp": String(time),
    "webhook-signature": signature,
  });

  test("accepts plain headers and a Headers object, with one valid signature of several", async () => {
    const event = { type: "webhook.test", data: { webhookId: "whk_1" } };
    expect(await verifyWebhook(secret, headers(), body, { now })).toMatchObject(event);
    const rotated = headers(`v1,${"A".repeat(43)}= ${signatureOf(body)}`);
    expect(await verifyWebhook(secret, new Headers(rotated), body, { now })).toMatchObject(event);
  });

  test.each([
    ["another body", headers(), `${body} `],
    ["another secret", headers(signatureOf(body, 1_790_000_000, "whsec_AAAA")), body],
    ["no signature", headers(""), body],
    ["an unknown version", headers(signatureOf(body).replace("v1", "v2")), body],
    ["no base64", headers("v1,***"), body],
    ["a message of an hour ago", headers(signatureOf(body, 1_789_996_400), 1_789_996_400), body],
    ["a message of tomorrow", headers(signatureOf(body, 1_790_086_400), 1_790_086_400), body],
    ["missing headers", {}, body],
    ["a timestamp that is no number", { ...headers(), "webhook-timestamp": "now" }, body],
  ])("is refused with %s", async (_, said, text) => {
    const caught = await verifyWebhook(secret, said, text, { now }).catch((error) => error);
    expect(VerificationError.is(caught)).toBe(true);
  });

  test.each(["", "whsec_"])("is not possible with the secret %j", async (empty) => {
    await expect(verifyWebhook(empty, headers(), body, { now })).rejects.toThrow(TypeError);
  });
});

const pair = () => generateKeyPairSync("rsa", { modulusLength: 2048 });
const ours = pair();
const theirs = pair();
const b64 = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

function jwsOf(header: object, payload: object, key = ours.privateKey): string {
  const signed = `${b64({ alg: "RS256", kid: "k1", ...header })}.${b64(payload)}`;
  return `${signed}.${sign("RSA-SHA256", Buffer.from(signed), key).toString("base64url")}`;
}

const jwksOf = (...kids: string[]) =>
  vi.fn(async () =>
    Response.json({
      keys: kids.map((kid) => ({ ...ours.publicKey.export({ format: "jwk" }), kid, use: "sig", alg: "RS256" })),
    }),
  );

describe("verifying a credential", () => {
  const audience = "https://api.example.com";
  const claims = () => ({
    typ: "agent-vc",
    sub: "agent-1",
    iss: "service-agent-did",
    aud: audience,
    jti: "vc_1",
    challenge: "c",
    iat: Math.floor(Date.now() / 1000),
    exp: Math.floor(Date.now() / 1000) + 60,
  });
  const vcOf = (change: object = {}, header: object = {}, key = ours.privateKey) =>
    jwsOf({ typ: "agent-vc", ...header }, { ...claims(), ...change }, key);
  const verifier = (fetch: unknown = jwksOf("k1"), isFirst = true) =>
    credentialVerifier({
      service: SERVICE,
      audience,
      useChallenge: () => isFirst,
      fetch: fetch as typeof globalThis.fetch,
    });

  test("that is valid returns its claims", async () => {
    expect(await verifier()(vcOf(), "c")).toMatchObject({ sub: "agent-1", challenge: "c" });
  });

  test.each<[string, () => string, string[]]>([
    ["another audience", () => vcOf({ aud: "https://other.example" }), ["audience"]],
    ["a list of audiences", () => vcOf({ aud: [audience] }), ["audience"]],
    ["another issuer", () => vcOf({ iss: "me" }), ["issuer"]],
    ["another challenge", () => vcOf({ challenge: "d" }), ["challenge"]],
    ["an end in the past", () => vcOf({ exp: 1 }), ["lifetime"]],
    ["no end", () => vcOf({ exp: undefined }), ["lifetime"]],
    ["the type of a login", () => vcOf({}, { typ: "JWT" }), ["type"]],
    ["a foreign signature", () => vcOf({}, {}, theirs.privateKey), ["signature"]],
    ["an unknown key", () => vcOf({}, { kid: "k2" }), ["signature"]],
    ["no key", () => vcOf({}, { kid: undefined }), ["signature"]],
    ["the algorithm none", () => vcOf({}, { alg: "none" }), ["signature"]],
    ["the algorithm HS256", () => vcOf({}, { alg: "HS256" }), ["signature"]],
    ["a critical extension", () => vcOf({}, { crit: ["x"] }), ["signature"]],
    ["four parts", () => `${vcOf()}.x`, ["signature"]],
    ["no JSON", () => "a.b.c", ["signature"]],
    ["nothing", () => "", ["signature"]],
    ["too much", () => "a".repeat(100_000), ["signature"]],
  ])("with %s is refused", async (_, vc, rules) => {
    const caught = await verifier()(vc(), "c").catch((error) => error);
    expect([VerificationError.is(caught), caught.rules]).toEqual([true, rules]);
  });

  test("whose challenge was used before is refused", async () => {
    await expect(verifier(undefined, false)(vcOf(), "c")).rejects.toMatchObject({ rules: ["single-use"] });
  });

  test("without the public keys returns neither valid nor invalid", async () => {
    const caught = await verifier(async () => new Response("", { status: 503 }))(vcOf(), "c").catch((error) => error);
    expect([VerificationError.is(caught), caught.message]).toEqual([false, expect.stringContaining("503")]);
  });

  test("loads the keys once in five minutes, and for unknown key ids at most every 30 seconds", async () => {
    const fetch = jwksOf("k1");
    const verify = verifier(fetch);
    await Promise.all([verify(vcOf(), "c"), verify(vcOf(), "c")]);
    for (let n = 0; n < 5; n++) await verify(vcOf({}, { kid: `unknown-${n}` }), "c").catch(() => {});
    expect(fetch).toHaveBeenCalledTimes(1);
    vi.setSystemTime(Date.now() + 31_000);
    for (let n = 0; n < 5; n++) await verify(vcOf({}, { kid: `unknown-${n}` }), "c").catch(() => {});
    expect(fetch).toHaveBeenCalledTimes(2);
    await verify(vcOf(), "c");
    expect(fetch).toHaveBeenCalledTimes(2);
    vi.setSystemTime(Date.now() + 301_000);
    await verify(vcOf(), "c");
    expect(fetch).toHaveBeenCalledTimes(3);
  });
});

describe("verifying a receipt", () => {
  const verify = () => receiptVerifier({ service: `${SERVICE}/`, fetch: jwksOf("k1") as never });
  test("of the service returns its claims", async () => {
    const jws = jwsOf({ typ: "receipt+jwt" }, { iss: SERVICE, sub: "stl_1", amount: "5" });
    expect(await verify()(jws)).toMatchObject({ sub: "stl_1", amount: "5" });
  });
  test.each([
    ["of another service", { typ: "receipt+jwt" }, { iss: "https://evil.example" }, ["issuer"]],
    ["that is a credential", { typ: "agent-vc" }, { iss: SERVICE }, ["type"]],
  ])("is refused for %s", async (_, header, payload, rules) => {
    await expect(verify()(jwsOf(header, payload))).rejects.toMatchObject({ rules });
  });
});
