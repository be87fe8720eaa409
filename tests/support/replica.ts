import type { ChildProcess } from "node:child_process";
import { serverPort } from "./base-url";
import { startServer } from "./server";
import type { Service } from "./service";

export type Replica = {
  process: ChildProcess;
  port: number;
  died: Promise<string | null>;
  stop: () => Promise<void>;
  kill: () => Promise<void>;
};

/** Starts another server of the same service, with its jobs. Resolves when it answers or a failpoint has killed it. */
export async function startReplica(env: Record<string, string> = {}): Promise<Replica> {
  const replica = { LEASE_SECONDS: "1", POLL_MILLISECONDS: "200", ...env };
  return startServer({ port: await serverPort(), env: replica, isWorking: true });
}

/** Polls until `check` is true, for at most `seconds`. */
export async function until(check: () => Promise<boolean>, description: string, seconds = 60): Promise<void> {
  const deadline = Date.now() + seconds * 1000;
  while (!(await check())) {
    if (Date.now() > deadline) throw new Error(`waited ${seconds} s in vain for ${description}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Waits until the observer has read the newest block of Base: what is in it happened before any request that follows. */
export async function observerHasRead({ world, opened }: Pick<Service, "world" | "opened">): Promise<void> {
  const head = await world.client().getBlockNumber();
  await until(async () => {
    const [cursor] = await opened.sql`select block_number from chain_cursors where network = 'base'`;
    return BigInt(cursor?.block_number ?? 0) >= head;
  }, "the observer");
}
