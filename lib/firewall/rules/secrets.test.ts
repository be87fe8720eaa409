import { english, generateMnemonic } from "viem/accounts";
import { describe, expect, test } from "vitest";
import { scanPrompt } from "./prompt";

const hex64 = "4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318";
const phrase = "test walk nut penalty hip pave soap entry language right filter choice";
const proof = btoa(
  JSON.stringify({
    x402Version: 1,
    scheme: "exact",
    network: "base",
    payload: { signature: `0x${"a1b2c3d4e5".repeat(13)}`, authorization: { from: "0x01" } },
  }),
);

describe("secrets are replaced in the preview", () => {
  test.each([
    ["a wallet's key", `PRIVATE_KEY=0x${hex64}`, hex64],
    ["a wallet's key in words", `here is my private key ${hex64}`, hex64],
    ["a recovery phrase", `seed: ${phrase}!`, phrase],
    [
      "a numbered recovery phrase",
      phrase
        .split(" ")
        .map((word, index) => `${index + 1}. ${word}`)
        .join("\n"),
      "walk",
    ],
    ["a payment proof", `X-Payment: ${proof}`, proof],
    [
      "a signed authorization",
      `{"authorization":{"value":"1"},"signature":"0x${"9f3c5a7e1b".repeat(13)}"}`,
      "9f3c5a7e1b9f3c",
    ],
    [
      "a JSON web token",
      `Bearer ${btoa('{"alg":"RS256","typ":"JWT"}')}.${btoa('{"sub":"agent-7","exp":1}')}.Zm9vYmFyYmF6cXV4Zm9v`,
      "Zm9vYmFyYmF6",
    ],
    [
      "a PEM block",
      `-----BEGIN EC PRIVATE KEY-----\n${"MHcCAQEEIIGlRr8Xv".repeat(6)}\n-----END EC PRIVATE KEY-----`,
      "MHcCAQEE",
    ],
    ["a password", "DB_PASSWORD=tR8!kq02Lm", "tR8!kq02Lm"],
    ["a password in an address", "postgres://app:qT7vLx92pZ@db.internal:5432/x", "qT7vLx92pZ"],
    ["an API key by its name", 'apiKey: "9f2c41d0be7a4e6f8813c5aa70d2b961"', "9f2c41d0be7a"],
    ["a key with invisible characters in it", "ghp_Zx81kQpL0vNw\u200b92mTyRbUe64dAcHsJf37GoXi", "92mTyRbUe64d"],
    ["a password for curl", "curl -u deploy:n8Wq2xPz77 https://ci.internal", "n8Wq2xPz77"],
  ])("%s", (_, text, secret) => {
    const scan = scanPrompt({ text });
    expect(scan.redactedPreview).not.toContain(secret);
    expect(scan.redactedPreview).toContain("[REDACTED]");
    expect(scan.findings.map(({ code }) => code)).toContain("SECRET_PATTERN");
  });

  test("any valid recovery phrase of 12 to 24 words", () => {
    for (const strength of [128, 160, 192, 224, 256] as const) {
      const words = generateMnemonic(english, strength);
      expect(scanPrompt({ text: `Write down ${words} now` }).redactedPreview).toBe("Write down [REDACTED] now");
    }
  });
});

describe("what looks like a secret and is none stays", () => {
  test.each([
    `tx 0x${hex64} confirmed`,
    `sha256: ${hex64}`,
    `nonce: 0x${hex64}`,
    "commit 4c0883a69102937d6231471b5dbb6204fe512961",
    "payTo: 0x4f1fd97a4acfdb5853fb039a7f006e22f9abf508",
    "requestId=d04bae95-5581-8466-23a4-515098781d30",
    'api_key = "your_api_key_here"',
    "password: <PASSWORD>",
    'token: "$GITHUB_TOKEN"',
    "password = getpass.getpass()",
    "Never share your seed phrase or private key with anyone.",
    phrase.split(" ").reverse().join(" "),
    `data: 0xa9059cbb${"0".repeat(24)}${hex64.slice(0, 40)}${hex64}`,
    "https://user@example.com/path",
    "max_tokens: 4096, total_tokens = 12345678",
    "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE\n-----END PUBLIC KEY-----",
  ])("%s", (text) => {
    expect(scanPrompt({ text }).redactedPreview).toBe(text);
  });
});
