import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { installPacked, type Project } from "./testing/packed.ts";

let project: Project;

beforeAll(() => {
  project = installPacked();
  // Compiling and installing take several seconds, more on a busy machine.
}, 180_000);

afterAll(() => project?.remove());

type Entry = { types: string; default: string };
const manifest = (): { exports: Record<string, Entry>; dependencies?: object } =>
  JSON.parse(readFileSync(join(project.packed, "package.json"), "utf8"));

test("the packed client contains the build, the README and the licence, and nothing else", () => {
  expect(readdirSync(project.packed).sort()).toEqual(["LICENSE", "README.md", "dist", "package.json"]);
  const files = readdirSync(join(project.packed, "dist"), { recursive: true, encoding: "utf8" });
  expect(files.filter((file) => file.includes(".test."))).toEqual([]);
  for (const { types, default: code } of Object.values(manifest().exports)) {
    expect(files).toContain(types.replace("./dist/", ""));
    expect(files).toContain(code.replace("./dist/", ""));
  }
});

test("the packed client has no dependency", () => {
  expect(manifest().dependencies).toBeUndefined();
  const installed = readdirSync(join(project.directory, "node_modules")).filter((name) => !name.startsWith("."));
  expect([installed, readdirSync(join(project.directory, "node_modules", "@tessera"))]).toEqual([
    ["@tessera"],
    ["client"],
  ]);
});

test("the client's types import only its own files", () => {
  const dist = join(project.packed, "dist");
  const declarations = readdirSync(dist, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".d.ts"),
  );
  const imported = declarations
    .filter((file) => !file.startsWith("client/src/cli"))
    .flatMap((file) =>
      [...readFileSync(join(dist, file), "utf8").matchAll(/from "([^"]+)"/g)].map(([, name = ""]) =>
        name.startsWith(".") ? join(file, "..", name) : name,
      ),
    );
  const own = new Set(declarations.map((file) => file.replace(/\.d\.ts$/, "")));
  expect(imported.filter((name) => !own.has(name.replace(/\.(?:d\.)?[jt]s$/, "")))).toEqual([]);
});

test("the packed command runs", () => {
  const message = execFileSync("npx", ["--offline", "tessera", "--help"], { cwd: project.directory, encoding: "utf8" });
  expect(message).toContain("Exit codes:");
});

test("every entry of the package loads in plain Node, and can be bundled for a browser", async () => {
  const entries = Object.keys(manifest().exports).map((entry) => `@tessera/client${entry.slice(1)}`);
  const script = `for (const name of ${JSON.stringify(entries)}) console.log(name, Object.keys(await import(name)).sort().join());`;
  const message = execFileSync(process.execPath, ["--input-type=module", "--eval", script], {
    cwd: project.directory,
    encoding: "utf8",
  });
  expect(message.trim().split("\n")).toHaveLength(entries.length);
  expect(message).toContain("@tessera/client PaymentError,Tessera,TesseraError,formatUsdc,parseUsdc");
  const contents = entries.map((name, n) => `export * as m${n} from ${JSON.stringify(name)};`).join("\n");
  const stdin = { contents, resolveDir: project.directory };
  const { outputFiles } = await build({ stdin, bundle: true, platform: "browser", format: "esm", write: false });
  expect(outputFiles[0]?.text).not.toMatch(/["']node:/);
});
