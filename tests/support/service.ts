import type { HDAccount } from "viem/accounts";
import { afterAll, beforeAll } from "vitest";
import { toAddress } from "@/lib/core/address";
import { expectInvariants } from "./invariants";
import { openSystem } from "./system";
import * as wiring from "./wiring";
import { createWorld, type World } from "./world";

export type Service = {
  world: World;
  opened: ReturnType<typeof openSystem>;
  /** Stops the background jobs, and starts them again. */
  workers: { stop: () => Promise<void>; start: () => void };
  /** Ends the server. The next call starts it with these additional settings; its jobs run or pause as before. */
  restart: (settings: Record<string, string>) => Promise<void>;
  payer: (at?: number) => HDAccount;
};

/**
 * The service with running jobs on a new world, for all tests of a file. Checks the invariants after tests. The first
 * account has money on Base. The returned object can be used from the first test on.
 */
export function runService(): Service {
  // Filled before the first test.
  const service = {} as Service;
  let running: { stop: () => Promise<void> } | undefined;

  beforeAll(async () => {
    const world = await createWorld({ networks: ["base", "base-sepolia"] });
    // At 100 ms an idle server takes a third of a core.
    process.env.POLL_MILLISECONDS = "400";
    const start = () => {
      running = wiring.startWorkers();
    };
    const payer = (index = 0) => {
      const account = world.accounts[index];
      if (!account) throw new Error("no such account");
      return account;
    };
    Object.assign(service, { world, opened: openSystem(), payer });
    const stop = async () => {
      await running?.stop();
      running = undefined;
    };
    service.workers = { start, stop };
    service.restart = async (settings) => {
      const wasRunning = running !== undefined;
      await stop();
      await wiring.closeSystem();
      Object.assign(process.env, settings);
      if (wasRunning) start();
    };
    start();
    await world.mint(toAddress(payer().address), 1_000_000_000n);
  });

  afterAll(async () => {
    await running?.stop();
    await wiring.closeSystem();
    await service.opened?.close();
    await service.world?.stop();
  });

  expectInvariants(() => service.opened.system);

  return service;
}
