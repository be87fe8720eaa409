import { expect, test } from "vitest";
import { securityHeaders } from "./headers.mjs";

const headerOf = (name: string, ...given: Parameters<typeof securityHeaders>) =>
  new Map(securityHeaders(...given)).get(name);

test("a window that a page opens cannot access that page, unless the operator offers a wallet that needs it", () => {
  const name = "Cross-Origin-Opener-Policy";
  for (const none of [undefined, ""]) expect(headerOf(name, "https://wallet.example", none)).toBe("same-origin");
  expect(headerOf(name, "https://wallet.example", "coinbase")).toBe("same-origin-allow-popups");
});

test("HSTS is sent only over https", () => {
  const name = "Strict-Transport-Security";
  expect(headerOf(name, "https://wallet.example", undefined)).toMatch(/^max-age=/);
  expect(headerOf(name, "http://localhost:3000", undefined)).toBeUndefined();
});
