import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { promisify } from "node:util";
import { Tessera } from "@tessera/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { firstPayment, firstPaymentWithNpx } from "@/components/home/developers";
import { fences } from "@/lib/docs/markdown";
import { FILES } from "@/lib/docs/pages";
import { readDocs } from "@/lib/docs/read";
import { installPacked, type Project } from "@/packages/client/testing/packed";
import type { TestOwner } from "../support/actors";
import { signedMandate } from "../support/mandates";
import { connectV1 } from "../support/mcp";
import { walletOf } from "../support/payouts";
import { answering, type Decider, runProgram } from "../support/programs";
import { type Served, serve } from "../support/serve";
import { shareService } from "../support/service";

/** Runs the code blocks of the documentation that are marked `runnable`, against the production build. */
const LANGUAGES = ["bash", "typescript", "python"] as const;
type Language = (typeof LANGUAGES)[number];

/** Programs that the snippets need: a machine without one skips its tests, visibly. */
const NEEDS: Record<Language, readonly [string, readonly string[]][]> = {
  bash: [
    ["bash", ["--version"]],
    ["jq", ["--version"]],
    ["curl", ["--json", "{}", "--version"]],
  ],
  typescript: [],
  python: [["python3", ["--version"]]],
};

const execute = promisify(execFile);

async function isInstalled(language: Language): Promise<boolean> {
  const runs = NEEDS[language].map(([program, args]) => execute(program, [...args]));
  return (await Promise.allSettled(runs)).every(({ status }) => status === "fulfilled");
}

/** The blocks of a page in one language make one program. */
const programs = FILES.flatMap(({ slug, file }) =>
  LANGUAGES.map((language) => {
    const text = readFileSync(join("docs", file), "utf8");
    const blocks = fences(text, "runnable").filter((block) => block.language === language);
    return { slug, file, language, isEmpty: blocks.length === 0 };
  }).filter(({ isEmpty }) => !isEmpty),
);

const installed = Object.fromEntries(
  await Promise.all(LANGUAGES.map(async (language) => [language, await isInstalled(language)] as const)),
);

const service = shareService();
let server: Served;
let project: Project;
let owner: TestOwner;
let env: Record<string, string | undefined>;
/** The environment of a program that registers an agent of its own. */
let stranger: typeof env;
/** Where the owner has the money of the mandates that they sign. */
let isWithVault = false;

beforeAll(async () => {
  server = await serve();
  const installingAt = performance.now();
  project = installPacked(`${server.url}/tessera-client.tgz`);
  installSeconds = (performance.now() - installingAt) / 1000;
  for (const path of ["node_modules/@x402", "tests/interop/node_modules/ai", "node_modules/viem"]) {
    const name = path.replace(/^.*node_modules\//, "");
    symlinkSync(resolve(path), join(project.directory, "node_modules", name));
  }
  // As in the quickstart: it lists the service's host and nothing else.
  const signed = await signedMandate({ limitAmount: "50000000", hostAllowlist: [new URL(server.url).host] });
  const { agentId, token } = signed.agent;
  owner = signed.owner;
  await service.world.mint(await walletOf(owner), 100_000_000n);
  const prefix = join(project.directory, "global");
  stranger = {
    PATH: [join(prefix, "bin"), process.env.PATH].join(delimiter),
    HOME: project.directory,
    npm_config_prefix: prefix,
  };
  env = {
    ...stranger,
    TESSERA_URL: server.url,
    TESSERA_AGENT_ID: agentId,
    TESSERA_TOKEN: token,
    TESSERA_MANDATE_ID: signed.mandateId,
  };
  // A settled payment that can be refunded.
  const tessera = new Tessera({ baseUrl: server.url, agentId, token });
  await tessera.pay(tessera.receiveUrl("500000"), {}, { maxAmount: "500000" });
});

/** The seconds from nothing to a paid request, by way, with a person who signs at once and has the money. */
const ways = new Map<string, number>();
let installSeconds = 0;

async function timed<T>(way: string, work: () => Promise<T>, before = 0): Promise<T> {
  const startedAt = performance.now();
  const result = await work();
  ways.set(way, before + (performance.now() - startedAt) / 1000);
  return result;
}

afterAll(() => {
  project?.remove();
  const lines = [...ways].map(([way, seconds]) => `  ${seconds.toFixed(1).padStart(6)} s  ${way}`);
  process.stdout.write(`\n From nothing to a paid request:\n${lines.join("\n")}\n`);
});

const decider = (): Decider => ({ owner, isWithVault });
/** Runs a program while the owner answers its requests. Returns what it printed. */
const run = (command: string, args: readonly string[]): Promise<string> =>
  runProgram(command, args, { cwd: project.directory, env: args.includes(REGISTERING) ? stranger : env, decider });

const STARTS: Record<Language, (file: string) => [string, string[]]> = {
  bash: (file) => ["bash", ["-euo", "pipefail", file]],
  typescript: (file) => [process.execPath, [file]],
  python: (file) => ["python3", [file]],
};
const SUFFIX: Record<Language, string> = { bash: "sh", typescript: "mjs", python: "py" };

/** The command line would prefer the account of the environment to the one that it stores. */
const REGISTERING = "client.sh";
/** Programs that move money. */
const PAYING = /^(quickstart|pay|payouts|refunds|client)\.|^sell\.mjs$/;

describe("the documentation's snippets in", () => {
  for (const { slug, file, language } of programs) {
    test.skipIf(!installed[language])(`${slug} run in ${language}`, async () => {
      const blocks = fences(readDocs(file, server.url), "runnable").filter((block) => block.language === language);
      const name = `${slug}.${SUFFIX[language]}`;
      writeFileSync(join(project.directory, name), `${blocks.map(({ code }) => code).join("\n")}\n`);
      const printed = await run(...STARTS[language](name));
      expect(printed).not.toMatch(/\bnull\b|undefined|"status": ?"error"/);
      if (PAYING.test(name)) expect(printed).toMatch(/0x[0-9a-f]{64}/);
    });
  }
});

describe("the quickstart with an owner who chooses a vault", () => {
  beforeAll(async () => {
    isWithVault = true;
    await service.world.mint(owner.address, 100_000_000n);
  });
  afterAll(() => {
    isWithVault = false;
  });

  for (const language of LANGUAGES) {
    test.skipIf(!installed[language])(`pays from the vault in ${language}`, async () => {
      const name = `quickstart.${SUFFIX[language]}`;
      expect(await run(...STARTS[language](name))).toMatch(/0x[0-9a-f]{64}/);
    });
  }
});

/** Runs commands in an empty folder, without another account. */
async function runCommands(commands: string): Promise<string> {
  const cwd = mkdtempSync(join(tmpdir(), "tessera-first-"));
  writeFileSync(join(cwd, "first.sh"), commands);
  const { PATH } = process.env;
  const printed = await runProgram(...STARTS.bash("first.sh"), { cwd, env: { PATH, HOME: cwd }, decider });
  rmSync(cwd, { recursive: true });
  return printed;
}

const blocksOf = (file: string, language: Language) =>
  fences(readDocs(file, server.url), "runnable")
    .filter((block) => block.language === language)
    .map(({ code }) => code);
const PAID = /0x[0-9a-f]{64}/;

describe("a new agent makes its first paid request", () => {
  test.skipIf(!installed.bash)("with the front page's commands for curl", async () => {
    const commands = firstPayment(server.url);
    const printed = await timed("curl", () => runCommands(commands));
    expect(printed).toMatch(PAID);
    expect(printed).toContain('"settledAmount": "100000"');
  });

  test.skipIf(!installed.bash)("with the front page's commands for npx", async () => {
    const commands = firstPaymentWithNpx(server.url);
    const printed = await timed("npx", () => runCommands(commands));
    expect(printed).toMatch(PAID);
    expect(printed).toContain("settledAmount");
  });

  test("with the client, as in the quickstart", async () => {
    const name = "first-client.mjs";
    writeFileSync(join(project.directory, name), blocksOf("guides/quickstart.md", "typescript").join("\n"));
    const printed = await timed("the client", () => run(...STARTS.typescript(name)), installSeconds);
    expect(printed).toMatch(PAID);
  });

  test("with stock @x402/fetch and the service's signing scheme", async () => {
    const [stock = ""] = blocksOf("guides/client.md", "typescript").filter((code) => code.includes('"@x402/fetch"'));
    const [quickstart = ""] = blocksOf("guides/quickstart.md", "typescript");
    const [untilSigned = ""] = quickstart.split("\nconst url = tessera.receiveUrl");
    const name = "first-stock.mjs";
    writeFileSync(join(project.directory, name), `${untilSigned}\n${stock}`);
    const printed = await timed("stock @x402/fetch", () => run(...STARTS.typescript(name)), installSeconds);
    expect(printed.trim().split("\n").at(-1)).toBe("200");
  });

  test("over MCP", async () => {
    const printed = await timed("MCP", async () => {
      const stranger = await connectV1();
      const { token, agentId } = (await stranger.call("init_agent_id", { agent_name: "First" })).value;
      await stranger.close();
      const client = await connectV1(token);
      const { value } = await client.call("create_intent_mandate", {
        intent: { naturalLanguage: "First payments", limitAmount: "5000000", validForSeconds: 86_400 },
      });
      const person = answering(decider);
      person.read(`${value.authorizationUrl}\n`);
      await person.done();
      const url = `${server.url}/unifypaymentlink/agentid/${agentId}?amount=100000&asset=usdc`;
      const paid = await client.call("pay_url", { url, maxAmount: "100000", idempotencyKey: "first" });
      await client.close();
      return paid.text;
    });
    expect(printed).toMatch(PAID);
    expect(printed).toContain('"outcome":"delivered"');
  });
});

test("the quickstart exists in three languages", () => {
  expect(programs.filter(({ slug }) => slug === "quickstart").map(({ language }) => language)).toEqual([...LANGUAGES]);
});
