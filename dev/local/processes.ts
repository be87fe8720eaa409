import { type ChildProcess, execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

export type Program = "postgres" | "anvil";

/** The process in a pid file, if it is alive and runs that program: pids are reused. */
export function survivor(pidFile: string, program: Program): number | undefined {
  if (!existsSync(pidFile)) return undefined;
  const pid = Number.parseInt(readFileSync(pidFile, "utf8"), 10);
  return pid > 0 && programOf(pid) === program ? pid : undefined;
}

/** Terminates a process, kills it after a timeout, and returns when it is gone. */
export async function end(pid: number, signal: "SIGINT" | "SIGTERM", patienceSeconds = 10): Promise<void> {
  const deadline = Date.now() + patienceSeconds * 1000;
  send(pid, signal);
  while (programOf(pid)) {
    if (Date.now() > deadline) send(pid, "SIGKILL");
    await sleep(10);
  }
}

export const isRunning = (child: ChildProcess) => child.exitCode === null && child.signalCode === null;

/** Ends the child when this process ends, except on kill -9; `survivor` finds children left behind by that. */
export function endWithUs(child: ChildProcess, signal: "SIGINT" | "SIGTERM"): void {
  const stop = () => child.kill(signal);
  process.once("exit", stop);
  child.once("exit", () => process.off("exit", stop));
}

/** Living children of `pid`. Linux only; empty elsewhere. */
export function childrenOf(pid: number): number[] {
  const list = `/proc/${pid}/task/${pid}/children`;
  if (!existsSync(list)) return [];
  return readFileSync(list, "utf8").trim().split(" ").filter(Boolean).map(Number);
}

/** A zombie counts as ended: its parent may never reap it if that is a container's first process. */
function programOf(pid: number): string | undefined {
  try {
    const [state, program] = existsSync("/proc/self/stat") ? fromProc(pid) : fromPs(pid);
    return state?.startsWith("Z") ? undefined : program?.split("/").at(-1);
  } catch {
    return undefined;
  }
}

function fromProc(pid: number): (string | undefined)[] {
  const [, program, state] = /\((.*)\) (\S)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
  return [state, program];
}

function fromPs(pid: number): (string | undefined)[] {
  return execFileSync("ps", ["-o", "stat=,comm=", "-p", String(pid)], { encoding: "utf8" })
    .trim()
    .split(/\s+/, 2);
}

export function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process ended between the check and the signal.
  }
}
