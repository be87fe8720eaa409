import { execFile, spawn } from "node:child_process";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { Tessera } from "@tessera/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fences } from "@/lib/docs/markdown";
import { FILES } from "@/lib/docs/pages";
import { readDocs } from "@/lib/docs/read";
import { installPacked, type Project } from "@/packages/client/testing/packed";
import type { TestOwner } from "../support/actors";
import { confirmedCall } from "../support/confirmations";
import { owned, signatureOver, signedMandate } from "../support/mandates";
import { walletOf } from "../support/payouts";
import { type Served, serve } from "../support/serve";
import { runService } from "../support/service";
import { vaultSignatures } from "../support/vault-mandates";

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

const service = runService();
let server: Served;
let project: Project;
let owner: TestOwner;
let env: Record<string, string | undefined>;
/** Where the owner has the money of the mandates that they sign. */
let isWithVault = false;

beforeAll(async () => {
  server = await serve();
  project = installPacked(`${server.url}/tessera-client.tgz`);
  for (const name of ["@x402", "ai", "viem"]) {
    symlinkSync(resolve("node_modules", name), join(project.directory, "node_modules", name));
  }
  const signed = await signedMandate({ limitAmount: "50000000" });
  const { agentId, token } = signed.agent;
  owner = signed.owner;
  await service.world.mint(await walletOf(owner), 100_000_000n);
  env = {
    PATH: process.env.PATH,
    HOME: project.directory,
    TESSERA_URL: server.url,
    TESSERA_AGENT_ID: agentId,
    TESSERA_TOKEN: token,
    TESSERA_MANDATE_ID: signed.mandateId,
  };
  // A settled payment that can be refunded.
  const tessera = new Tessera({ baseUrl: server.url, agentId, token });
  await tessera.pay(tessera.receiveUrl("500000"), {}, { maxAmount: "500000" });
});

afterAll(() => project?.remove());

const REQUEST = /\/authorize\/(mandate|payment|refund)\/([\w.:-]+)(?:\?token=([\w.-]+))?/g;

/** What the owner does at an address that a program prints. */
async function decide(kind: string, id: string, token: string | undefined): Promise<void> {
  if (kind === "mandate") {
    await owned(owner, id, "claim", { token });
    const vault = async () => vaultSignatures(owner, id);
    const wallet = async () => ({ signature: await signatureOver(id, owner) });
    await owned(owner, id, "signature", await (isWithVault ? vault() : wallet()));
    return;
  }
  const path = kind === "payment" ? `/api/approvals/${id}/approve` : `/api/refunds/${id}/approve`;
  const { status, body } = await confirmedCall(owner, path, {});
  expect({ kind, status, body }).toMatchObject({ status: 200 });
}

/** Runs a program while the owner answers its requests. Returns what it printed. */
async function run(command: string, args: readonly string[]): Promise<string> {
  const child = spawn(command, args, {
    cwd: project.directory,
    env: env as NodeJS.ProcessEnv,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const answered = new Map<string, Promise<void>>();
  let printed = "";
  let complaints = "";
  child.stderr.on("data", (chunk) => {
    complaints += chunk;
  });
  child.stdout.on("data", (chunk) => {
    printed += chunk;
    for (const [address, kind = "", id = "", token] of printed.matchAll(REQUEST)) {
      if (!answered.has(address)) answered.set(address, decide(kind, id, token));
    }
  });
  const code = await new Promise((settled) => child.once("close", settled));
  await Promise.all(answered.values());
  expect({ code, complaints, printed }).toMatchObject({ code: 0 });
  return printed;
}

const STARTS: Record<Language, (file: string) => [string, string[]]> = {
  bash: (file) => ["bash", ["-euo", "pipefail", file]],
  typescript: (file) => [process.execPath, [file]],
  python: (file) => ["python3", [file]],
};
const SUFFIX: Record<Language, string> = { bash: "sh", typescript: "mjs", python: "py" };

/** Programs that move money. */
const PAYING = /^(quickstart|pay|payouts|refunds|client)\.|^sell\.mjs$/;

describe("the snippets of", () => {
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

describe("the quickstart, if its owner chooses a vault,", () => {
  beforeAll(async () => {
    isWithVault = true;
    await service.world.mint(owner.address, 100_000_000n);
  });
  afterAll(() => {
    isWithVault = false;
  });

  for (const language of LANGUAGES) {
    test.skipIf(!installed[language])(`pays from it in ${language}`, async () => {
      const name = `quickstart.${SUFFIX[language]}`;
      expect(await run(...STARTS[language](name))).toMatch(/0x[0-9a-f]{64}/);
    });
  }
});

test("the quickstart is there in three languages", () => {
  expect(programs.filter(({ slug }) => slug === "quickstart").map(({ language }) => language)).toEqual([...LANGUAGES]);
});
