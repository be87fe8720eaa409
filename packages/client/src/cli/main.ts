#!/usr/bin/env node
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { run } from "./run.ts";

const quit = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => quit.abort());

process.exitCode = await run(process.argv.slice(2), {
  env: process.env,
  out: (chunk) => void process.stdout.write(chunk),
  err: (chunk) => void process.stderr.write(chunk),
  isTerminal: process.stdout.isTTY === true,
  readIn: () => text(process.stdin),
  lines: () => createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY }),
  fetch: globalThis.fetch,
  signal: quit.signal,
});
