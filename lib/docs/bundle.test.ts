import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { unzipped } from "@/tests/support/unzip";
import { bundleOf } from "./bundle";

const BASE = "https://wallet.example";
const MAIN = "dist/client/src/cli/main.js";
const PACKED: Record<string, string> = {
  "package.json": JSON.stringify({ name: "@tessera/client", version: "1.2.3", type: "module" }),
  [MAIN]: "console.log(1)\n".repeat(100),
  "dist/client/src/cli/main.d.ts": "export {};\n",
  [`dist/${"long-name/".repeat(12)}file.js`]: "",
};

let directory: string;
let archive: Buffer;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "tessera-bundle-"));
  for (const [name, text] of Object.entries(PACKED)) {
    const file = join(directory, "package", name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  execFileSync("tar", ["--format=ustar", "-czf", "packed.tgz", "package"], { cwd: directory });
  archive = readFileSync(join(directory, "packed.tgz"));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

test("the bundle has the packed client without its types, and a manifest that starts it", () => {
  const files = unzipped(bundleOf(archive, BASE));
  const code = Object.entries(PACKED).filter(([name]) => !name.endsWith(".d.ts"));
  const expected = code.map(([name, text]) => [`server/${name}`, text] as const);
  const { "manifest.json": text = "", ...rest } = Object.fromEntries(
    [...files].map(([name, bytes]) => [name, bytes.toString()]),
  );
  expect(rest).toEqual(Object.fromEntries(expected));
  const manifest = JSON.parse(text);
  expect(manifest).toMatchObject({ manifest_version: "0.3", name: "tessera", version: "1.2.3" });
  expect(manifest.server.entry_point).toBe(`server/${MAIN}`);
  expect(manifest.server.mcp_config.args).toEqual([`\${__dirname}/server/${MAIN}`, "mcp"]);
  expect(manifest.user_config.url.default).toBe(BASE);
  const asked = [...JSON.stringify(manifest.server).matchAll(/\$\{user_config\.(\w+)\}/g)].map(([, name]) => name);
  expect(asked.sort()).toEqual(Object.keys(manifest.user_config).sort());
  expect(manifest.user_config.token.sensitive).toBe(true);
});

test("the same client gives the same bundle", () => {
  expect(bundleOf(archive, BASE).equals(bundleOf(archive, BASE))).toBe(true);
});
