import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { assignedDecoys, assignedKeys } from "../../testing/assigned-keys.ts";
import { vendorDecoys, vendorKeys } from "../../testing/vendor-keys.ts";
import { findSecrets } from "../find-secrets.ts";
import { scanPrompt } from "../prompt/scan.ts";
import { nameEnds } from "./forms.ts";
import { keyPatterns, secretNames } from "./rules.ts";

const MINT = "JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN";
const sealed = `AgB${"yWq7Rk2Zc9Lm4Xp8Tn3Vb6Hs1Jd5Gf0Qa".repeat(6)}`;
const pages = "PaginationToken nextSyncToken resume_token StartingToken prevPageToken deltaToken csrfToken".split(" ");

describe.each<[what: string, texts: readonly string[]]>([
  [
    "an example from documentation",
    [
      "export GITHUB_TOKEN=ghp_a1b2c3d4e5f6g7h8i9j0k1l2m3n4o5p6q7r8",
      "figd_your-personal-access-token-goes-here-0123456789",
      "https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX",
      "npm_abcabcabcabcabcabcabcabcabcabcabcabcab",
      "sk_test_exampleexampleexample12",
      "postgres://user:password@localhost:5432/app",
      "postgres://postgres:postgres@db/app",
      "mysql://[user]:[password]@[host]/[database]",
      "Server=db;User ID=sa;Password=<password>;",
      "redis://:$REDIS_PASSWORD@cache:6379",
      "dt0c01.EXAMPLE00000000000000000.EXAMPLEEXAMPLEEXAMPLEEXAMPLEEXAMPLEEXAMPLEEXAMPLEEXAMPLEEXAMPLE0",
    ],
  ],
  [
    "a coin's address",
    [
      `https://api.acme.io/score?token=${MINT}`,
      `{"chain":"solana","token":"${MINT}"}`,
      `baseToken: "${MINT}", quoteToken: "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"`,
      `token0 = 0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913`,
      `token=0xdba34672e30cb065b1f93e3ab55318768fd6fef66c15942c9f7cb846e2f900e7::usdc::USDC`,
    ],
  ],
  [
    "a ciphertext that is made to be stored",
    [
      "db:\n  password: ENC[AES256_GCM,data:Zm9vQ2x1YjEy,iv:3uR1mJ0mIqv6c5n9,tag:Zk1q2v8d0yT4,type:str]",
      "api_key: ENC[PKCS7,MIIBeQYJKoZIhvcNAQcDoIIBajCCAWYCAQAxggEhMIIBHQ]",
      'HELLO_TOKEN="encrypted:BDqDBibm4wsYqMpCjTQ6BsDHmMadg9K3dAt+Z9HPMfLEIRVz50hmLXPXRuDBXaJi"',
      "DB_PASSWORD=vault:v1:8SDd3WHDOjf7mq69CyCqYjBXAiQQAVZRkFM13ok481zoCmHnSeDX9vyf7w==",
      "client_secret: AQICAHhBv7vJ8QmXo2Tg5Zk1sLr9Yw3Nd6Pf0Hc4Ub8Ei",
      "password: U2FsdGVkX1+vupppZksvRf5pq5g5XjFRIipRkwB0K1Y=",
      `kind: SealedSecret\nspec:\n  encryptedData:\n    password: ${sealed}`,
    ],
  ],
  ["a mark of a page or a form", pages.map((name) => `{"${name}":"CAISlgEKiwEIAxKFAQgDEoABAHo0cWpZbm1RbE9kT2c3"}`)],
  ["a value after a name, header or command, if it is no secret,", assignedDecoys],
  [
    "an option after a word that is no command",
    Object.getOwnPropertyNames(Object.prototype).map((name) => `${name} -p S3cretPassw0rd`),
  ],
])("%s is not found", (_what, texts) => {
  test.each(texts)("%s", (text) => {
    expect(findSecrets(text)).toEqual([]);
  });
});

test.each([
  `access_token=${MINT}`,
  `BOT_TOKEN="${MINT}"`,
  `apiToken: "${MINT}"`,
  `secret=${MINT}`,
  `kind: Secret\nstringData:\n  password: ${sealed}`,
])("what lets in is a credential, even if an address or a ciphertext could be written so: %s", (text) => {
  expect(findSecrets(text)).toHaveLength(1);
});

test("keys of vendors are found, and what resembles them is not", () => {
  const missed = vendorKeys.filter(([, text]) => findSecrets(`config ${text} end`).length === 0);
  expect(missed).toEqual([]);
  expect(vendorDecoys.filter(([, text]) => findSecrets(`see ${text} there`).length > 0)).toEqual([]);
});

test.each(assignedKeys)("a value is found by the name, header or command before it: %s", (text) => {
  expect(findSecrets(text).length).toBeGreaterThan(0);
});

/** By the start of a pattern: what must precede it. */
const hosts: Readonly<Record<string, string>> = {
  "v3/": "https://mainnet.infura.io/",
  "v2/": "https://eth.alchemy.com/",
  web: "https://acme.webhook.office.com/",
  hoo: "https://chat.acme.io/",
  bot: "https://api.telegram.org/",
  pri: "https://calendar.acme.io/ical/me@acme.io/",
  sig: "https://acme.blob.core.windows.net/files?sv=2024-01-01&",
  "00(": "Authorization: SSWS ",
};

/** Omits negative lookaheads, and writes out lookbehinds. */
test.each(keyPatterns)("a key of the form %s is hidden at any position", (pattern) => {
  const host = hosts[pattern.slice(0, 3)] ?? "";
  const plain = new RegExp(`^${pattern.replace(/\(\?<=.*?\)\)?(?=\[)|\(\?[!=].*?\)/g, "")}$`);
  const keys = fc.sample(fc.stringMatching(plain), { numRuns: 30, seed: 1 });
  const hidden = keys.filter((key) =>
    [`${host}${key}`, `a ${host}${key} b`].every((text) => scanPrompt({ text }).redactedPreview.includes("[REDACTED]")),
  );
  expect(hidden.length).toBeGreaterThan(0);
});

test("the search's quick check of last letters excludes no name of a secret", () => {
  const names = secretNames.source
    .replace(/^\(\?:|\)\\d\?\$$/g, "")
    .replaceAll(/\(\?:[^)]*\)\??|s\?/g, "")
    .split("|");
  expect(names).toEqual(expect.arrayContaining(["passwd", "token", "apikey", "credential", "mnemonic", "pass"]));
  expect(names.filter((name) => !nameEnds.has(name.slice(-3)))).toEqual([]);
});
