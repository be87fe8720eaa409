import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { inject } from "vitest";

export type Replica = { process: ChildProcess; died: Promise<string | null>; kill: () => Promise<void> };

/** Starts the jobs of one replica as a child process; resolves when they run. */
export async function startReplica(env: Record<string, string> = {}): Promise<Replica> {
  const child = spawn(process.execPath, ["--enable-source-maps", inject("run").replica], {
    env: { ...process.env, LEASE_SECONDS: "1", POLL_MILLISECONDS: "50", ...env } as NodeJS.ProcessEnv,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const died = once(child, "exit").then(([, signal]) => signal as string | null);
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on("data", (text) => {
      if (String(text).includes("ready")) resolve();
      else if (process.env.SHOW_REPLICAS) process.stderr.write(text);
    });
    child.once("exit", (code, signal) => (signal ? resolve() : reject(new Error(`the replica ended with ${code}`))));
  });
  return {
    process: child,
    died,
    kill: async () => {
      child.kill("SIGKILL");
      await died;
    },
  };
}

/** Waits until `check` is true, for at most `seconds`. */
export async function until(check: () => Promise<boolean>, what: string, seconds = 30): Promise<void> {
  const deadline = Date.now() + seconds * 1000;
  while (!(await check())) {
    if (Date.now() > deadline) throw new Error(`waited ${seconds} s in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
