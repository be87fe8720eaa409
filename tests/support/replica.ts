import type { ChildProcess } from "node:child_process";
import { serverPort } from "./base-url";
import { startServer } from "./server";

export type Replica = {
  process: ChildProcess;
  port: number;
  died: Promise<string | null>;
  kill: () => Promise<void>;
};

/** Starts another server of the same service, with its jobs. Resolves when it answers or a failpoint has killed it. */
export async function startReplica(env: Record<string, string> = {}): Promise<Replica> {
  const replica = { LEASE_SECONDS: "1", POLL_MILLISECONDS: "200", ...env };
  return startServer({ port: await serverPort(), env: replica, isWorking: true });
}

/** Polls until `check` is true, for at most `seconds`. */
export async function until(check: () => Promise<boolean>, what: string, seconds = 60): Promise<void> {
  const deadline = Date.now() + seconds * 1000;
  while (!(await check())) {
    if (Date.now() > deadline) throw new Error(`waited ${seconds} s in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
