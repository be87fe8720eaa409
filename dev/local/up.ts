import { once } from "node:events";
import { existsSync } from "node:fs";
import { constants } from "node:os";
import { resolve } from "node:path";
import { ConfigError } from "@/lib/platform/config";
import { type DemoAgent, prepareDemoAgent } from "../demo/agent";
import { BuildError } from "./build";
import { type Environment, type Stack, StackError, startStack } from "./stack";

/** `npm run up`: runs the whole service on this machine, with its data in DATA_DIR. Ctrl-C stops everything; the next start continues. */
const PORTS = { app: 3000, database: 5433, base: 8545, "base-sepolia": 8546 };

// Writing to a closed terminal fails, but the stack must still be stopped in order.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

const quit = new AbortController();
let quitAt = Number.POSITIVE_INFINITY;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => {
    // A second signal stops immediately. Within a second it counts as the first, which npm and the terminal may both forward.
    if (performance.now() - quitAt > 1_000) process.exit(128 + constants.signals[signal]);
    quitAt = Math.min(quitAt, performance.now());
    quit.abort();
  });
}

async function run(): Promise<void> {
  const settings = readSettings();
  const stack = await startStack({
    dataDir: settings.DATA_DIR ?? ".data",
    ports: PORTS,
    settings,
    isKept: true,
    isDevelopment: process.argv.includes("--dev"),
    log: console.log,
    signal: quit.signal,
  });
  try {
    await live(stack);
  } finally {
    console.log("\nStopping …");
    await stack.stop();
    console.log("Stopped. The data is kept for the next start.");
  }
}

async function live(stack: Stack): Promise<void> {
  const demo = await prepareDemoAgent(stack.baseUrl, stack.config.dataDir, console.log);
  console.log(welcome(stack, demo));
  void demo?.run(console.log, quit.signal);
  const crashed = stack.ended.then((output) => {
    if (!quit.signal.aborted) throw new StackError(`The app ended unexpectedly. Its last output:\n${output}`);
  });
  const quitting = quit.signal.aborted ? Promise.resolve() : once(quit.signal, "abort");
  await Promise.race([quitting, crashed]);
}

/** Errors that the user can fix; printed without a stack trace. */
const isPlain = (error: unknown): error is Error =>
  error instanceof StackError || error instanceof BuildError || error instanceof ConfigError;

/** The environment, with defaults from .env, which it reads as `next start` does. */
function readSettings(): Environment {
  if (existsSync(".env")) process.loadEnvFile(".env");
  const present = Object.entries(process.env).filter(([, value]) => value !== undefined && value !== "");
  return Object.fromEntries(present) as Environment;
}

const welcome = ({ baseUrl, env, logFile }: Stack, demo: DemoAgent | null) => `
  Tessera runs on this machine, on two local chains with test money.

  Start here   ${baseUrl}
  Dashboard    ${baseUrl}/dashboard
  Log          ${logFile}
  Check        ${prefixFor(env)}npm run verify
${demo ? invitation(demo) : ""}
  Ctrl-C stops everything and keeps the data.
`;

const invitation = ({ authorizationUrl, isSigned }: DemoAgent) => (isSigned ? "" : request(authorizationUrl));

const request = (authorizationUrl: string) => `
  An agent that buys data requests a mandate of 5.00 USDC. Open its request as the owner:

    ${authorizationUrl}

  1. Sign in with the built-in test wallet, which is created in your browser.
  2. Read the request, lower the limit if you like, add test money, and sign.
  3. The agent pays 0.25 USDC a few times. See each payment with its receipt under Money, Payments.
`;

/** The environment prefix for commands that use this stack; empty with default settings. */
function prefixFor(env: Environment): string {
  const usual: Environment = {
    DATA_DIR: resolve(".data"),
    DATABASE_URL: `postgres://postgres@127.0.0.1:${PORTS.database}/tessera`,
    BASE_RPC_URL: `http://127.0.0.1:${PORTS.base}`,
    BASE_SEPOLIA_RPC_URL: `http://127.0.0.1:${PORTS["base-sepolia"]}`,
  };
  // Variables that the shell already sets, perhaps with a password, are not printed.
  const names = Object.keys(usual).filter((name) => env[name] !== usual[name] && env[name] !== process.env[name]);
  return names.map((name) => `${name}=${env[name]} `).join("");
}

try {
  await run();
} catch (error) {
  if (!quit.signal.aborted) {
    console.error(isPlain(error) ? `\n${error.message}` : error);
    process.exitCode = 1;
  }
}
