import type { HDAccount } from "viem/accounts";
import { afterAll, beforeAll } from "vitest";
import { toAddress } from "@/lib/core/address";
import { expectInvariants } from "./invariants";
import { openSystem } from "./system";
import { assertAllDeclared } from "./undeclared";
import * as wiring from "./wiring";
import { createWorld, leaveOpen, type World } from "./world";

export type Service = {
  world: World;
  opened: ReturnType<typeof openSystem>;
  /** Stops the background jobs, and starts them again. */
  workers: { stop: () => Promise<void>; start: () => void };
  /** Ends the server. The next call starts it with these additional settings; its jobs run or pause as before. */
  restart: (settings: Record<string, string>) => Promise<void>;
  payer: (at?: number) => HDAccount;
};

/** What the files that share a service may use: neither its jobs nor its settings are theirs. */
export type SharedService = Omit<Service, "workers" | "restart">;

/**
 * The service with running jobs on a new world, for all tests of a file. Checks the invariants after tests. The first
 * account has money on Base. The returned object can be used from the first test on.
 */
export function runService(): Service {
  // Filled before the first test.
  const service = {} as Service;
  let close: (() => Promise<void>) | undefined;

  beforeAll(async () => {
    const { close: end, ...opened } = await openService();
    close = end;
    Object.assign(service, opened);
  });

  afterAll(() => close?.());

  expectInvariants(() => service.opened.system);

  return service;
}

/** The open shared service of this process, and the environment of its world. */
let shared: { service: SharedService; environment: NodeJS.ProcessEnv } | undefined;

/**
 * The same service for all files of a worker that call this, because a start costs more than the tests of many files. Such a file has
 * owners, agents and payees of its own, looks at no rows of others, and changes neither clocks, blocks, faults nor settings. They
 * run last (vitest.config.ts); a file that creates a world closes it.
 */
export function shareService(): SharedService {
  const service = {} as SharedService;

  beforeAll(async () => {
    shared ??= await openShared();
    Object.assign(process.env, shared.environment);
    Object.assign(service, shared.service);
  });

  afterAll(assertAllDeclared);

  expectInvariants(() => service.opened.system);

  return service;
}

async function openShared(): Promise<NonNullable<typeof shared>> {
  const { close, world, opened, payer } = await openService();
  leaveOpen(async () => {
    shared = undefined;
    await close();
  });
  return { service: { world, opened, payer }, environment: { ...process.env } };
}

async function openService(): Promise<Service & { close: () => Promise<void> }> {
  const world = await createWorld({ networks: ["base", "base-sepolia"] });
  // At 100 ms an idle server takes a third of a core.
  process.env.POLL_MILLISECONDS = "400";
  const opened = openSystem();
  let running: { stop: () => Promise<void> } | undefined;
  const start = () => {
    running = wiring.startWorkers();
  };
  const stop = async () => {
    await running?.stop();
    running = undefined;
  };
  const payer = (index = 0) => {
    const account = world.accounts[index];
    if (!account) throw new Error("no such account");
    return account;
  };
  const close = async () => {
    await running?.stop();
    await wiring.closeSystem();
    await opened.close();
    await world.stop();
  };
  start();
  try {
    await world.mint(toAddress(payer().address), 1_000_000_000n);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    world,
    opened,
    payer,
    workers: { start, stop },
    restart: async (settings) => {
      const wasRunning = running !== undefined;
      await stop();
      await wiring.closeSystem();
      Object.assign(process.env, settings);
      if (wasRunning) start();
    },
    close,
  };
}
