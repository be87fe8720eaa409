import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { HEADER_BYTES_EVER_MAX } from "@/ops/limits.mjs";
import { awaitLock, holderOf, type Lock, takeLock } from "./lock";
import { endWithUs } from "./processes";

export type Say = (line: string) => void;

const LEASH = join(import.meta.dirname, "leash.mjs");

/** Arguments of node that run what `npm start` runs, ending with us: the child's stdin has to be a pipe. */
export const ENTRY: readonly string[] = [LEASH, resolve("ops", "start.mjs")];

/**
 * The same for Next's own command, as it is installed in `directory`: pages are rendered by one React only. A credential as
 * long as we issue them fits a header here too.
 */
const nextIn = (directory: string): readonly string[] => [
  `--max-http-header-size=${HEADER_BYTES_EVER_MAX}`,
  LEASH,
  createRequire(join(resolve(directory), "package.json")).resolve("next/dist/bin/next"),
];
export const NEXT = nextIn(".");

/** What the service is started with besides its configuration, whoever starts it. */
export const START_ENVIRONMENT = {
  NODE_ENV: "production",
  NEXT_TELEMETRY_DISABLED: "1",
  NEXT_MANUAL_SIG_HANDLE: "true",
  // The app is configured by what it is given here alone: Next would add a .env file's variables.
  __NEXT_PROCESSED_ENV: "true",
} as const;

/** For servers that are started again and again: what V8 has compiled for one is kept for the next. */
export const COMPILED = {
  NODE_OPTIONS: `--require ${JSON.stringify(join(import.meta.dirname, "compiled.cjs"))}`,
  COMPILED_DIR: resolve("node_modules", ".cache", "tessera", "compiled"),
} as const;

const STAMP = join(".next", "tessera-build");
const CACHE = join("node_modules", ".cache", "tessera");
const LOCK = join(CACHE, "build.lock");
const SERVING = join(CACHE, "serving");

/** The sources do not build: what Next said about them. */
export class BuildError extends Error {
  override readonly name = "BuildError";
}

/** Makes the production build unless there is one of exactly these sources. Builds of one checkout wait for each other. */
export async function ensureBuild(say: Say, signal: AbortSignal): Promise<void> {
  if (isBuilt()) return;
  const lock = await awaitLock(LOCK, "next build", ({ pid }) => say(`Waiting for the build of process ${pid}`), signal);
  try {
    if (isBuilt()) return;
    const sources = hashOfSources();
    const began = performance.now();
    say("Building the app: the sources are new or have changed");
    for (const { pid, note } of serving())
      say(`Process ${pid} (${note}) serves the old build: start it again afterwards`);
    await nextBuild(say, signal);
    writeFileSync(STAMP, sources);
    say(`Built in ${Math.round((performance.now() - began) / 1000)} s`);
  } finally {
    lock.release();
  }
}

/** Tells later builds that this process serves the present one, which they take away from under it. */
export const markServing = (dataDir: string): Lock => takeLock(join(SERVING, String(process.pid)), dataDir);

const serving = () =>
  existsSync(SERVING) ? readdirSync(SERVING).flatMap((name) => holderOf(join(SERVING, name)) ?? []) : [];

const isBuilt = () => existsSync(STAMP) && readFileSync(STAMP, "utf8") === hashOfSources();

const WORDS_OF_FAILURE = 40;

/** Builds what is in `directory`, whatever was built before. Throws BuildError. */
export async function nextBuild(say: Say, signal: AbortSignal, directory = process.cwd()): Promise<void> {
  const build = spawn(process.execPath, [...nextIn(directory), "build"], {
    cwd: directory,
    stdio: ["pipe", "pipe", "pipe"],
    env: { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" },
    signal,
  });
  endWithUs(build, "SIGTERM");
  const said: string[] = [];
  for (const stream of [build.stdout, build.stderr]) {
    onLines(stream, (line) => {
      said.push(line);
      if (/^\s*(▲|✓|Creating|Running|Collecting|Generating|Finalizing)/.test(line)) say(`  ${line.trim()}`);
    });
  }
  const code = await ended(build);
  if (code !== 0) throw new BuildError(`The build failed\n${said.slice(-WORDS_OF_FAILURE).join("\n")}`);
}

const ended = (child: ChildProcess) =>
  new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });

export function onLines(stream: NodeJS.ReadableStream | null, heard: Say): void {
  let rest = "";
  stream?.on("data", (chunk: Buffer) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) heard(line);
  });
  stream?.once("end", () => rest && heard(rest));
}

/** What a build reads. */
export const SOURCES = [
  "app",
  "components",
  "docs/verifiers",
  "drizzle/meta/_journal.json",
  "lib",
  "packages/firewall/package.json",
  "packages/firewall/src",
  "public",
  "instrumentation.ts",
  "next.config.ts",
  "proxy.ts",
];
export const SETTINGS = ["package-lock.json", "postcss.config.mjs", "tsconfig.json"];

function hashOfSources(): string {
  const hash = createHash("sha256").update(process.version);
  for (const file of [...SOURCES, ...SETTINGS].flatMap(filesOf)) hash.update(`\0${file}\0`).update(readFileSync(file));
  return hash.digest("hex");
}

/** The files at or below `path` that a build reads: the local world and the tests are no part of it. */
function filesOf(path: string): string[] {
  if (!existsSync(path)) return [];
  if (/\.[a-z]+$/.test(path)) return [path];
  return readdirSync(path, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !file.startsWith(join("lib", "dev")) && !file.endsWith(".test.ts"))
    .sort();
}
