import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LOOSE_LIMITS } from "../limits";
import { type Stack, type StackOptions, startStack } from "./stack";

/** Runs `play` on a temporary stack with free ports, and deletes the stack afterwards. */
export async function inOwnWorld<T>(
  name: string,
  options: Pick<StackOptions, "log" | "mining" | "settings">,
  play: (stack: Stack) => Promise<T>,
): Promise<T> {
  const dataDir = mkdtempSync(join(tmpdir(), `tessera-${name}-`));
  const quit = new AbortController();
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  const interrupt = () => quit.abort();
  for (const signal of signals) process.on(signal, interrupt);
  const interrupted = new Promise<never>((_, reject) => {
    quit.signal.addEventListener("abort", () => reject(new Error("interrupted")));
  });
  // May reject before anyone awaits it; startStack reports the interruption.
  interrupted.catch(() => {});
  try {
    const stack = await startStack({
      ...options,
      settings: { ...LOOSE_LIMITS, ...options.settings },
      dataDir,
      signal: quit.signal,
    });
    return await Promise.race([play(stack), interrupted]).finally(stack.stop);
  } finally {
    for (const signal of signals) process.off(signal, interrupt);
    rmSync(dataDir, { recursive: true, force: true });
  }
}
