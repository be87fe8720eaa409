import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join, resolve } from "node:path";
import { compileLib, SERVICE } from "@/ops/compile-lib";
import { HEADER_BYTES_EVER_MAX } from "@/ops/server/limits.mjs";
import { awaitLock, holderOf, type Lock, takeLock } from "./lock";
import { endWithUs } from "./processes";

export type Say = (line: string) => void;

const LEASH = join(import.meta.dirname, "leash.mjs");

/** Node arguments that run the command of `npm start` and end with this process. The child's stdin must be a pipe. */
export const ENTRY: readonly string[] = [LEASH, resolve("ops", "server", "start.mjs")];

/**
 * Node arguments for the next command of `directory`, so that pages are rendered by a single copy of React. The raised header limit
 * fits the longest credential that the service issues.
 */
const nextIn = (directory: string): readonly string[] => [
  `--max-http-header-size=${HEADER_BYTES_EVER_MAX}`,
  LEASH,
  createRequire(join(resolve(directory), "package.json")).resolve("next/dist/bin/next"),
];
export const NEXT = nextIn(".");

/** Node arguments for `next dev` on a port. */
export const DEVELOP: readonly string[] = ["--import", "tsx", LEASH, resolve("dev", "local", "develop.ts")];

/** Environment that every start of the service needs in addition to its configuration. */
export const START_ENVIRONMENT = {
  NODE_ENV: "production",
  NEXT_TELEMETRY_DISABLED: "1",
  NEXT_MANUAL_SIG_HANDLE: "true",
  // Keeps Next from reading .env: the environment is the only configuration.
  __NEXT_PROCESSED_ENV: "true",
} as const;

/** For servers that restart often: keeps V8's compilation cache. */
export const COMPILED = {
  NODE_OPTIONS: `--require ${JSON.stringify(join(import.meta.dirname, "compiled.cjs"))}`,
  COMPILED_DIR: resolve("node_modules", ".cache", "tessera", "compiled"),
} as const;

const PACK_PACKAGES = join("ops", "pack-packages.mjs");
const STAMP = join(".next", "tessera-build");
const CACHE = join("node_modules", ".cache", "tessera");
const LOCK = join(CACHE, "build.lock");
const SERVING = join(CACHE, "serving");

/** The sources do not build. The message is Next's or esbuild's. */
export class BuildError extends Error {
  override readonly name = "BuildError";
}

/** Creates the production build unless one exists for exactly these sources. Builds of one checkout wait for each other. */
export async function ensureBuild(say: Say, signal: AbortSignal): Promise<void> {
  if (isBuilt() && existsSync(SERVICE)) return;
  const lock = await awaitLock(LOCK, "next build", ({ pid }) => say(`Waiting for the build of process ${pid}`), signal);
  try {
    if (isBuilt()) {
      // `npm install` removes packages that no lock file names.
      if (!existsSync(SERVICE)) await compileLib();
      return;
    }
    const sources = hashOfSources();
    const began = performance.now();
    say("Building the app: the sources are new or have changed");
    for (const { pid, note } of serving())
      say(`Process ${pid} (${note}) serves the old build: start it again afterwards`);
    await nextBuild(say, signal);
    execFileSync(process.execPath, [PACK_PACKAGES], { stdio: "pipe" });
    writeFileSync(STAMP, sources);
    say(`Built in ${Math.round((performance.now() - began) / 1000)} s`);
  } finally {
    lock.release();
  }
}

/** Marks the current build as served by this process, so that a later build can report it as outdated. */
export const markServing = (dataDir: string): Lock =>
  takeLock(join(SERVING, `${process.pid}-${basename(dataDir)}`), dataDir);

const serving = () =>
  existsSync(SERVING) ? readdirSync(SERVING).flatMap((name) => holderOf(join(SERVING, name)) ?? []) : [];

const isBuilt = () => existsSync(STAMP) && readFileSync(STAMP, "utf8") === hashOfSources();

const WORDS_OF_FAILURE = 40;

/** Builds `directory`, even if a build exists. Throws BuildError. */
export async function nextBuild(say: Say, signal: AbortSignal, directory = process.cwd()): Promise<void> {
  await compileLib(directory).catch((error) => {
    throw new BuildError(`lib does not compile\n${error instanceof Error ? error.message : error}`);
  });
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

/** The inputs of a build. */
export const SOURCES = [
  "app",
  "components",
  "docs/verifiers",
  "drizzle/meta/_journal.json",
  "lib",
  "ops/pack-packages.mjs",
  "ops/compile-lib.ts",
  "ops/lib-loader.cjs",
  "packages/client/package.json",
  "packages/client/src",
  "packages/firewall/bench/figures.json",
  "packages/firewall/package.json",
  "packages/firewall/src",
  "packages/x402/src",
  "pages",
  "public",
  "instrumentation.ts",
  "next.config.ts",
  "proxy.ts",
];
export const SETTINGS = ["package-lock.json", "postcss.config.mjs", "tsconfig.json"];

function hashOfSources(): string {
  const hash = createHash("sha256")
    .update(process.version)
    .update(process.env.SERVER_SOURCE_MAPS ?? "");
  for (const file of [...SOURCES, ...SETTINGS].flatMap(filesOf)) hash.update(`\0${file}\0`).update(readFileSync(file));
  return hash.digest("hex");
}

/** Build inputs at or below `path`, without dev/local and tests. */
function filesOf(path: string): string[] {
  if (!existsSync(path)) return [];
  if (/\.[a-z]+$/.test(path)) return [path];
  return readdirSync(path, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !file.startsWith(join("lib", "dev")) && !file.endsWith(".test.ts"))
    .sort();
}
