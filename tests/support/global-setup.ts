import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { drizzle } from "drizzle-orm/postgres-js";
import { migrate } from "drizzle-orm/postgres-js/migrator";
import postgres from "postgres";
import type { TestProject } from "vitest/node";
import { ensureBuild, markServing } from "@/dev/local/build";
import { saveChain, startChain } from "@/dev/local/chains";
import { startDatabase } from "@/dev/local/database";
import { freePort } from "@/dev/local/ports";
import { end, survivor } from "@/dev/local/processes";
import { NETWORK_NAMES, type NetworkName } from "@/lib/x402/networks";
import { relayers } from "./accounts";
import { OTHER_BUILD } from "./other-build";

/** The same value as in base-url.ts, which test files use in their own processes. */
const IS_IN_PROCESS = process.env.IN_PROCESS === "1";

export type Run = {
  /** Directory for all files of the run. */
  dir: string;
  /** The migrated database that each world copies. */
  templateUrl: string;
  /** The initial state of each world's chains. */
  chainStates: Record<NetworkName, string>;
};

declare module "vitest" {
  // Only an interface can be merged with vitest's.
  interface ProvidedContext {
    run: Run;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (!IS_IN_PROCESS && !OTHER_BUILD) await ensureBuild(console.log, new AbortController().signal);
  const dir = mkdtempSync(join(tmpdir(), "tessera-test-"));
  const serving = IS_IN_PROCESS ? null : markServing(dir);
  const database = await startDatabase({ dir: join(dir, "postgres"), port: await freePort(), isDurable: false });
  await migrateTemplate(database.url);
  const chainStates = { base: join(dir, "base.state"), "base-sepolia": join(dir, "base-sepolia.state") };
  for (const network of NETWORK_NAMES) await makeChainState(network, chainStates[network]);
  project.provide("run", { dir, templateUrl: database.url, chainStates });

  return async () => {
    serving?.release();
    await endForgottenChains(dir);
    await database.stop();
    rmSync(dir, { recursive: true, force: true });
  };
}

async function migrateTemplate(url: string): Promise<void> {
  const migrationsFolder = join(OTHER_BUILD ?? ".", "drizzle");
  if (!existsSync(join(migrationsFolder, "meta/_journal.json"))) return;
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  await migrate(drizzle(sql), { migrationsFolder });
  await sql.end();
}

async function makeChainState(network: NetworkName, stateFile: string): Promise<void> {
  const fund = relayers.map((relayer) => relayer.address);
  const chain = await startChain({ network, port: await freePort(), mining: "instant", fund });
  await saveChain(chain.rpcUrl, stateFile);
  await chain.stop();
}

/** Processes of test files that were killed before they stopped their world. */
async function endForgottenChains(dir: string): Promise<void> {
  for (const file of readdirSync(dir).filter((name) => name.endsWith(".pid"))) {
    const pid = survivor(join(dir, file), "anvil");
    if (pid) await end(pid, "SIGTERM");
  }
}
