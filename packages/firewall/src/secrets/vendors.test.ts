import fc from "fast-check";
import { expect, test } from "vitest";
import { assignedDecoys, assignedKeys } from "../../testing/assigned-keys.ts";
import { vendorDecoys, vendorKeys } from "../../testing/vendor-keys.ts";
import { findSecrets } from "../find-secrets.ts";
import { scanPrompt } from "../prompt/scan.ts";
import { nameEnds } from "./forms.ts";
import { keyPatterns, secretNames } from "./rules.ts";

test.each([
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
])("an example from documentation is not a secret: %s", (text) => {
  expect(findSecrets(text)).toEqual([]);
});

test("keys of vendors are found, and what resembles them is not", () => {
  const missed = vendorKeys.filter(([, text]) => findSecrets(`config ${text} end`).length === 0);
  expect(missed).toEqual([]);
  expect(vendorDecoys.filter(([, text]) => findSecrets(`see ${text} there`).length > 0)).toEqual([]);
});

test.each(assignedKeys)("a value is found by the name, header or command before it: %s", (text) => {
  expect(findSecrets(text).length).toBeGreaterThan(0);
});

test.each(assignedDecoys)("a value after such a name is not found if it is no secret: %s", (text) => {
  expect(findSecrets(text)).toEqual([]);
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

test.each(Object.getOwnPropertyNames(Object.prototype))(
  "the word %s before an option is not taken for a command",
  (name) => {
    expect(findSecrets(`${name} -p S3cretPassw0rd`)).toEqual([]);
  },
);

test("the search's quick check of last letters excludes no name of a secret", () => {
  const names = secretNames.source
    .replace(/^\(\?:|\)\\d\?\$$/g, "")
    .replaceAll(/\(\?:[^)]*\)\??|s\?/g, "")
    .split("|");
  expect(names).toEqual(expect.arrayContaining(["passwd", "token", "apikey", "credential", "mnemonic", "pass"]));
  expect(names.filter((name) => !nameEnds.has(name.slice(-3)))).toEqual([]);
});
