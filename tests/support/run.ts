import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { ensureBuild } from "@/dev/local/build";
import { tryInstallPackages } from "@/dev/local/extra-packages";
import { inOwnWorld } from "@/dev/local/own-world";
import { changedFiles, type Touched, touchedBy } from "./changed";
import { reportUntested } from "./untested";

/**
 * `npm test`: all steps in order, up to the first failure. The last lines are what each took, and the total. `npm test -- 2 6` runs
 * only the second and the sixth step, `npm test -- --changed [commit]` what the files that differ from the commit (HEAD) touch.
 * Once TEST_MINUTES have passed (default: no limit), the rest of the browser tests is skipped, and a line says so: a pipeline that is
 * ended from outside says nothing.
 */
type Count = { passed: number; failed: number };
/** `isSkipped`: nothing that changed concerns it. */
type Step = { name: string; run: () => Promise<Count>; isSkipped?: boolean };

const { values: flags, positionals } = parseArgs({
  options: { changed: { type: "boolean" } },
  allowPositionals: true,
});
const since = flags.changed ? (positionals[0] ?? "HEAD") : null;
const touched: Touched = since === null ? { world: "all", browser: "all" } : touchedBy(changedFiles(since));
const isAll = touched.world === "all";

const steps: Step[] = [
  {
    name: "Style, types, boundaries, rules (npm run check)",
    run: () => counted("npm", ["run", "check", ...(since === null ? [] : ["--", "--changed", since])], vitestCount),
  },
  { name: "Production build", run: built },
  {
    name: "API and flows, on real PostgreSQL and real chains",
    run: world,
    isSkipped: touched.world.length === 0,
  },
  {
    name: "A simulated world with faults",
    run: () => counted("npx", ["tsx", "dev/simulate/main.ts", "--minutes", "2"], seedCount),
    isSkipped: !isAll,
  },
  { name: "The demo", run: () => counted("npx", ["tsx", "dev/demo/main.ts"], demoCount), isSkipped: !isAll },
  {
    name: "A person in a browser, then the invariants over what they did",
    run: browser,
    isSkipped: touched.browser.length === 0,
  },
];

const total: Count = { passed: 0, failed: 0 };
const PATIENCE_MS = 10_000;
const quit = new AbortController();
let current: ChildProcess | undefined;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => {
    quit.abort();
    endGroup(signal);
    setTimeout(() => endGroup("SIGKILL"), PATIENCE_MS).unref();
  });
}

/** Each step runs in its own process group, so that all its processes can be ended. */
function endGroup(signal: NodeJS.Signals): void {
  try {
    if (current?.pid) process.kill(-current.pid, signal);
  } catch {
    // The whole group has ended.
  }
}

class Failed extends Error {
  override readonly name = "Failed";

  constructor(
    readonly count: Count,
    message: string,
  ) {
    super(message);
  }
}

/** Runs a program, shows its output and reads the number of tests from it. */
async function counted(
  command: string,
  args: string[],
  read: (output: string) => Count,
  env: Record<string, string> = {},
): Promise<Count> {
  quit.signal.throwIfAborted();
  const child = spawn(command, args, {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...env },
    detached: true,
  });
  current = child;
  let output = "";
  for (const [from, to] of [
    [child.stdout, process.stdout],
    [child.stderr, process.stderr],
  ] as const) {
    from.on("data", (chunk: Buffer) => {
      output += chunk;
      to.write(chunk);
    });
  }
  const code = await new Promise((resolve, reject) => child.once("error", reject).once("close", resolve));
  current = undefined;
  const count = read(plain(output));
  const line = [command, ...args].join(" ");
  if (code !== 0) throw new Failed({ ...count, failed: Math.max(1, count.failed) }, `${line} ended with ${code}`);
  if ((count.passed === 0 && isAll) || count.failed > 0)
    throw new Failed({ ...count, failed: Math.max(1, count.failed) }, `${line} passed nothing`);
  return count;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colour codes start with a control character
const plain = (output: string) => output.replace(/\u001b\[[\d;]*m/g, "");

const number = (pattern: RegExp, text: string) => Number(pattern.exec(text)?.[1] ?? 0);

/** `Tests  2 failed | 40 passed (42)` */
const vitestCount = (output: string): Count => {
  const line = /^\s*Tests .*$/m.exec(output)?.[0] ?? "";
  return { passed: number(/(\d+) passed/, line), failed: number(/(\d+) failed/, line) };
};

/** `15 passed, 0 failed` */
const demoCount = (output: string): Count => ({ passed: number(/(\d+) passed, 0 failed/, output), failed: 0 });

/** `✓ 612 seeds in 361 s (102 a minute), 0 failed` */
const seedCount = (output: string): Count => {
  const line = /^[✓✗] \d+ seeds in .*$/m.exec(output)?.[0] ?? "";
  const failed = number(/(\d+) failed$/, line);
  return { passed: number(/(\d+) seeds/, line) - failed, failed };
};

/** `  1 flaky` (passed when retried); `  12 passed (30.1s)` */
const playwrightCount = (output: string): Count => ({
  passed: number(/^\s+(\d+) passed/m, output) + number(/^\s+(\d+) flaky/m, output),
  failed: number(/^\s+(\d+) failed/m, output),
});

/** For programs that say nothing when all is well. */
const exitCount = (): Count => ({ passed: 1, failed: 0 });

const verifyCount = (output: string): Count => ({
  passed: output.includes("every invariant holds") ? 1 : 0,
  failed: 0,
});

async function built(): Promise<Count> {
  await ensureBuild(console.log, quit.signal);
  return { passed: 1, failed: 0 };
}

/** All tests of the API; then what it declares and none of them saw. */
async function world(): Promise<Count> {
  const isComplete = tryInstallPackages("tests/interop");
  // Without the clients and sellers of others, the files of tests/interop are left out.
  const hasChecker = tryInstallPackages("dev/tools");
  if (isComplete && hasChecker)
    await counted("dev/tools/node_modules/.bin/tsc", ["--project", "tests/interop"], exitCount);
  const directory = mkdtempSync(join(tmpdir(), "responses-"));
  try {
    const seen = join(directory, "seen.txt");
    const failed = join(directory, "failed.txt");
    const only = isAll ? [] : [...touched.world, "--passWithNoTests"];
    const env = { SEEN_RESPONSES: seen, FAILED_FILES: failed };
    const run = (files: string[]) =>
      counted("npx", ["vitest", "run", "--project", "world", ...files], vitestCount, env);
    const running = run(only).catch((error) => runAgain(error, linesOf(failed), run));
    if (!isComplete || !isAll) return await running;
    // Also after a failure: a run takes too long to learn of one fault at a time.
    const report = await running.then(
      () => reportUntested(seen),
      () => reportUntested(seen),
    );
    console.log(`\n${report.text}`);
    const count = await running;
    if (report.isFailure) throw new Error("Declared responses are not tested: see above");
    return count;
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** If more files failed, a busy machine is not the cause. */
const AGAIN_MAX = 4;

/** Runs a few failed files once more, alone and in new worlds: on a busy machine a wait may have been too short. Says which they are. */
async function runAgain(error: unknown, files: string[], run: (files: string[]) => Promise<Count>): Promise<Count> {
  if (!(error instanceof Failed) || files.length === 0 || files.length > AGAIN_MAX) throw error;
  console.log(`\n✗ failed, and run once more: ${files.join(", ")}\n`);
  await run(files);
  console.log(`\n⚠ passed only alone: ${files.join(", ")}`);
  return { passed: error.count.passed + error.count.failed, failed: 0 };
}

const linesOf = (file: string) => (existsSync(file) ? readFileSync(file, "utf8").split("\n").filter(Boolean) : []);

/**
 * Nothing listens at SMTP_URL: the pages need a configured mail server, and tests read the outbox. The server polls its chains
 * less often than a devnet does by default, because an idle server would take CPU time from the browser.
 */
const SETTINGS = {
  SMTP_URL: "smtp://127.0.0.1:9",
  MAIL_FROM: "mail@wallet.example",
  POLL_MILLISECONDS: "500",
  SCREENING_LISTS: `ours=${resolve("tests/e2e/support/denied.txt")}`,
};

const until = process.env.TEST_MINUTES ? Date.now() + Number(process.env.TEST_MINUTES) * 60_000 : null;

async function browser(): Promise<Count> {
  const chromium = findChromium() ?? installChromium();
  return inOwnWorld("e2e", { log: console.log, settings: SETTINGS }, async ({ baseUrl, env }) => {
    const world = {
      ...env,
      ...SETTINGS,
      ...(until && { E2E_UNTIL: `${until}` }),
      E2E_BASE_URL: baseUrl,
      CHROMIUM_PATH: chromium,
    };
    const only = touched.browser === "all" ? [] : touched.browser;
    const pages = await counted("npx", ["playwright", "test", "--max-failures=3", ...only], playwrightCount, world);
    if (until !== null && Date.now() > until)
      console.log("\n⚠ no time was left (TEST_MINUTES): tests that are listed with a dash did not run: npm test -- 6");
    const invariants = await counted("npx", ["tsx", "ops/verify.ts"], verifyCount, world);
    return { passed: pages.passed + invariants.passed, failed: 0 };
  });
}

function findChromium(): string | undefined {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH;
  const directories = ["/usr/bin", "/usr/local/bin", "/snap/bin"];
  // The headless shell has the same engine without a browser's windows, and is a third faster.
  const names = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
  const mac = [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
  ];
  return [...directories.flatMap((dir) => names.map((name) => `${dir}/${name}`)), ...mac].find((path) =>
    existsSync(path),
  );
}

function installChromium(): string {
  if (process.getuid?.() !== 0 || !existsSync("/etc/debian_version")) {
    throw new Error("The browser tests need Chromium or Chrome: install one, or name it in CHROMIUM_PATH");
  }
  console.log("Chromium is missing: installing Debian's package");
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const apt = (...args: string[]) => execFileSync("apt-get", args, { stdio: ["ignore", "inherit", "inherit"], env });
  apt("update", "-q");
  try {
    apt("install", "-qy", "--no-install-recommends", "chromium-headless-shell");
  } catch {
    // Older releases have it in the package `chromium`.
    apt("install", "-qy", "--no-install-recommends", "chromium");
  }
  const installed = findChromium();
  if (!installed) throw new Error("Debian's Chromium was installed but cannot be found");
  return installed;
}

const began = performance.now();
const seconds = (start: number) => `${Math.round((performance.now() - start) / 1000)} s`;
const took: string[] = [];
try {
  // Checked first, so that a missing browser is reported immediately and not after minutes.
  if (!findChromium()) installChromium();
  const wanted = since === null ? positionals.map(Number) : [];
  const unknown = wanted.find((step) => !steps[step - 1]);
  if (unknown !== undefined) throw new Error(`there are the steps 1 to ${steps.length}`);
  for (const [index, { name, run, isSkipped }] of steps.entries()) {
    if (isSkipped || (wanted.length > 0 && !wanted.includes(index + 1))) continue;
    console.log(`\n━━ ${index + 1}/${steps.length}  ${name}\n`);
    const start = performance.now();
    const { passed } = await run();
    total.passed += passed;
    took.push(`${seconds(start).padStart(7)}  ${name}`);
    console.log(`\n   ${passed} passed in ${seconds(start)}`);
  }
} catch (error) {
  const count = error instanceof Failed ? error.count : { passed: 0, failed: 1 };
  total.passed += count.passed;
  total.failed += count.failed;
  console.error(`\n✗ ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}
console.log(
  `\n${took.join("\n")}\n${seconds(began).padStart(7)}  all\n\n${total.passed} passed, ${total.failed} failed`,
);
