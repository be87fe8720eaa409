#!/usr/bin/env node
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { run } from "./run.ts";

const git = async (...args: string[]): Promise<Buffer> => {
  const { stdout } = await promisify(execFile)("git", args, { encoding: "buffer", maxBuffer: 1 << 28 });
  return stdout;
};
const isMissing = (error: unknown): boolean =>
  error instanceof Error && "code" in error && /^(?:ENOENT|EISDIR|EACCES)$/.test(String(error.code));

process.exitCode = await run(process.argv.slice(2), {
  out: (chunk) => void process.stdout.write(chunk),
  err: (chunk) => void process.stderr.write(chunk),
  readIn: () => text(process.stdin),
  readFile: (path) =>
    readFile(path).catch((error: unknown) => {
      if (isMissing(error)) return null;
      throw error;
    }),
  staged: async () => {
    const names = await git("diff", "--cached", "--name-only", "-z", "--diff-filter=ACMR");
    return names.toString("utf8").split("\0").filter(Boolean);
  },
  readStaged: (path) => git("show", `:${path}`),
});
