import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { holderOf, Locked, takeLock } from "./lock";

const dirs: string[] = [];
afterEach(() => {
  for (const dir of dirs.splice(0)) rmSync(dir, { recursive: true });
});

function fresh(): string {
  const dir = mkdtempSync(join(tmpdir(), "tessera-lock-"));
  dirs.push(dir);
  return join(dir, "lock");
}

test("a lock has one holder until it is released", () => {
  const path = fresh();
  const lock = takeLock(path, "first");

  expect(() => takeLock(path, "second")).toThrow(new Locked(process.pid, "first"));
  expect(holderOf(path)).toMatchObject({ pid: process.pid, note: "first" });

  lock.release();
  expect(holderOf(path)).toBeUndefined();
  takeLock(path, "second").release();
});

test("a lock whose holder was killed counts as free", async () => {
  const path = fresh();
  const program = `import("./dev/local/lock.ts").then(({ takeLock }) => { takeLock(${JSON.stringify(path)}, "dead"); console.log("held"); setInterval(() => {}, 1000); })`;
  const child = spawn(process.execPath, ["--import", "tsx", "-e", program], { stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout, "data");
  expect(() => takeLock(path, "us")).toThrow(Locked);

  child.kill("SIGKILL");
  await once(child, "exit");

  expect(holderOf(path)).toBeUndefined();
  takeLock(path, "us").release();
});

test.each([
  [
    "the pid of a running process that started at another time",
    JSON.stringify({ pid: process.pid, bornAt: "1", note: "" }),
  ],
  ["half a file", '{"pid":'],
  ["nothing", ""],
])("a lock file with %s counts as free", (_, text) => {
  const path = fresh();
  writeFileSync(path, text);

  takeLock(path, "us").release();
});
