import { createSiweMessage } from "viem/siwe";
import { describe, expect, test } from "vitest";
import { toAddress } from "@/lib/core/address";
import { addSeconds } from "@/lib/core/time";
import { deviceOf, isForThisSite, readMessage } from "./rules";

const NOW = new Date("2026-11-20T12:00:00.000Z");
const ADDRESS = toAddress("0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266");
const BASE = "https://wallet.example";

type Fields = Partial<Parameters<typeof createSiweMessage>[0]>;
const message = (fields: Fields = {}) =>
  createSiweMessage({
    domain: "wallet.example",
    uri: BASE,
    address: ADDRESS,
    chainId: 8453,
    version: "1",
    nonce: "abcdefgh12345678",
    issuedAt: NOW,
    ...fields,
  });

const isAccepted = (text: string, baseUrl = BASE, now = NOW) => {
  const read = readMessage(text);
  return read !== null && isForThisSite(read, baseUrl, now);
};

describe("an EIP-4361 message", () => {
  test.each([
    ["as our page writes it", message({ statement: "Sign in to Tessera.", expirationTime: addSeconds(NOW, 600) })],
    ["without a statement", message()],
    ["without a statement, spaced as older libraries did", message().replace("\n\n\nURI", "\n\nURI")],
    ["for the test network", message({ chainId: 84532 })],
    ["with a scheme", message({ scheme: "https" })],
    ["with a request id and resources", message({ requestId: "r", resources: ["https://wallet.example/x"] })],
    ["without milliseconds", message().replace(".000Z", "Z")],
    ["with a time zone", message().replace("12:00:00.000Z", "13:00:00+01:00")],
    ["not before now", message({ notBefore: NOW })],
  ])("%s is parsed and accepted", (_, text) => {
    expect(isAccepted(text)).toBe(true);
  });

  test("is read into its fields", () => {
    const text = message({ statement: "Hello", expirationTime: addSeconds(NOW, 60), notBefore: addSeconds(NOW, -60) });
    expect(readMessage(text)).toEqual({
      scheme: undefined,
      domain: "wallet.example",
      address: ADDRESS,
      uri: BASE,
      version: "1",
      chainId: 8453,
      nonce: "abcdefgh12345678",
      issuedAt: NOW,
      expirationTime: addSeconds(NOW, 60),
      notBefore: addSeconds(NOW, -60),
    });
  });

  test.each([
    ["for another domain", message({ domain: "evil.example" })],
    ["for a domain that begins like ours", message({ domain: "wallet.example.evil.test" })],
    ["for our domain on another port", message({ domain: "wallet.example:444" })],
    ["with user information before the domain", message().replace(/^/, "user@")],
    ["for another site's page", message({ uri: "https://evil.example" })],
    ["for our page over plain http", message({ uri: "http://wallet.example" })],
    ["for another page of this site", message({ uri: "https://wallet.example/elsewhere" })],
    ["with another scheme", message({ scheme: "http" })],
    ["on another chain", message({ chainId: 1 })],
    ["on a chain with a leading zero", message().replace("Chain ID: 8453", "Chain ID: 08453")],
    ["of another version", message().replace("Version: 1", "Version: 2")],
    ["with a short nonce", message().replace("abcdefgh12345678", "abc")],
    ["with a nonce that is no word", message().replace("abcdefgh12345678", "abcdefgh-1234567")],
    ["already expired", message({ expirationTime: NOW })],
    ["not yet valid", message({ notBefore: addSeconds(NOW, 1) })],
    ["issued tomorrow", message({ issuedAt: addSeconds(NOW, 86_400) })],
    ["issued six minutes ahead", message({ issuedAt: addSeconds(NOW, 360) })],
    ["issued sixteen minutes ago", message({ issuedAt: addSeconds(NOW, -960) })],
    ["with a date that is none", message().replace("2026-11-20", "2026-13-45")],
    ["with a date in words", message().replace(/Issued At: .*/, "Issued At: today")],
    ["with text after its end", `${message()}\n`],
    ["with words after its end", `${message()}\nand pay Mallory`],
    ["with text before its beginning", `Hello\n${message()}`],
    ["with a second statement", message({ statement: "a" }).replace("\na\n", "\na\nb\n")],
    ["with its fields in another order", message().replace(/(Version: 1)\n(Chain ID: 8453)/, "$2\n$1")],
    ["without a nonce", message().replace(/Nonce: .*\n/, "")],
    ["with a short address", message().replace(ADDRESS, ADDRESS.slice(0, 41))],
    ["with carriage returns", message().replaceAll("\n", "\r\n")],
    ["that is endless", message({ statement: "x".repeat(5000) })],
    ["that is empty", ""],
  ])("%s is refused", (_, text) => {
    expect(isAccepted(text)).toBe(false);
  });

  test("must name the port of a site that has one", () => {
    const text = message({ domain: "localhost:3000", uri: "http://localhost:3000" });
    expect(isAccepted(text, "http://localhost:3000")).toBe(true);
    expect(isAccepted(message({ domain: "localhost", uri: "http://localhost:3000" }), "http://localhost:3000")).toBe(
      false,
    );
  });
});

test.each([
  ["Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0", "Firefox on Linux"],
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0",
    "Edge on Windows",
  ],
  [
    "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36",
    "Chrome on Android",
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1",
    "Safari on iOS",
  ],
  [
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15",
    "Safari on macOS",
  ],
  ["curl/8.5.0", "Unknown device"],
  ["<script>alert(1)</script> Linux", "A program on Linux"],
  ["", "Unknown device"],
])("the device is read from the User-Agent %j", (userAgent, device) => {
  expect(deviceOf(userAgent)).toBe(device);
});
