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
const isMissing = (thrown: unknown): boolean =>
  thrown instanceof Error && "code" in thrown && /^(?:ENOENT|EISDIR|EACCES)$/.test(String(thrown.code));

process.exitCode = await run(process.argv.slice(2), {
  out: (said) => void process.stdout.write(said),
  err: (said) => void process.stderr.write(said),
  readIn: () => text(process.stdin),
  readFile: (path) =>
    readFile(path).catch((thrown: unknown) => {
      if (isMissing(thrown)) return null;
      throw thrown;
    }),
  staged: async () => {
    const names = await git("diff", "--cached", "--name-only", "-z", "--diff-filter=ACMR");
    return names.toString("utf8").split("\0").filter(Boolean);
  },
  readStaged: (path) => git("show", `:${path}`),
});
