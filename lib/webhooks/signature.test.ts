import { expect, test } from "vitest";
import { newSecret, signatureHeaders } from "./signature";

test("the signature of the example in Standard Webhooks is the published one", () => {
  const headers = signatureHeaders(["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"], {
    eventId: "msg_p5jXN8AQM9LWM0D4loKWxJek",
    sentAt: new Date(1614265330 * 1000),
    body: '{"test": 2432232314}',
  });
  expect(headers).toEqual({
    "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "webhook-timestamp": "1614265330",
    "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  });
});

test("during a rotation there are two signatures, separated by a space", () => {
  const secrets = [newSecret(), newSecret()];
  const signed = { eventId: "evt_1", sentAt: new Date(0), body: "{}" };
  const [first, second] = secrets.map((secret) => signatureHeaders([secret], signed)["webhook-signature"]);
  expect(signatureHeaders(secrets, signed)["webhook-signature"]).toBe(`${first} ${second}`);
  expect(first).not.toBe(second);
});

test("a webhook secret is whsec_ and 32 random bytes in base64", () => {
  const secrets = Array.from({ length: 50 }, newSecret);
  expect(new Set(secrets).size).toBe(50);
  for (const secret of secrets) {
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(Buffer.from(secret.slice(6), "base64")).toHaveLength(32);
  }
});
