import { expect, test } from "vitest";
import { preflight } from "./cors";

const list = (text: string | null) => new Set((text ?? "").split(",").map((name) => name.trim().toLowerCase()));

test("a page of any origin may send the headers that stock x402 clients send, and read those that they read", () => {
  const res = preflight();
  expect(res.status).toBe(204);
  expect(res.headers.get("access-control-allow-origin")).toBe("*");
  expect(res.headers.get("access-control-allow-credentials")).toBeNull();
  const allowed = list(res.headers.get("access-control-allow-headers"));
  for (const name of [
    "x-payment",
    "payment-signature",
    "sign-in-with-x",
    "access-control-expose-headers",
    "content-type",
    "authorization",
    "accept-payment",
    "x-agent-id",
  ]) {
    expect(allowed, name).toContain(name);
  }
  const exposed = list(res.headers.get("access-control-expose-headers"));
  for (const name of [
    "payment-required",
    "www-authenticate",
    "x-payment-response",
    "payment-response",
    "payment-receipt",
  ])
    expect(exposed, name).toContain(name);
});
