import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { CLIENTS, NOT_CLIENTS } from "../../tests/interop/clients";
import { CLIENT_DOCS, withClients } from "./clients";

test("the table of docs/guides/clients.md is up to date (npx tsx dev/docs/clients.ts)", () => {
  const text = readFileSync(CLIENT_DOCS, "utf8");
  expect(withClients(text)).toBe(text);
});

test("each package of tests/interop is in the table, or is no client", () => {
  const { devDependencies } = JSON.parse(readFileSync("tests/interop/package.json", "utf8"));
  const told = [...CLIENTS.map((client) => client.package), ...NOT_CLIENTS];
  expect(told.sort()).toEqual(Object.keys(devDependencies).sort());
});

test.each(CLIENTS)("$test runs $package", ({ package: name, test: file }) => {
  const code = readFileSync(`tests/interop/${file}`, "utf8");
  // Imported, or started from its folder in node_modules.
  expect(code).toMatch(new RegExp(`["/]?${name}(?:/[\\w./-]*)?"`));
});
