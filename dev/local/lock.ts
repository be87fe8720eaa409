import { execFileSync } from "node:child_process";
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

export type Lock = { release: () => void };

/** A lock that another process holds, with its pid and note. */
export class Locked extends Error {
  override readonly name = "Locked";

  constructor(
    readonly pid: number,
    readonly note: string,
  ) {
    super(`process ${pid} holds it: ${note}`);
  }
}

type Holder = { pid: number; bornAt: string; note: string };

/** Takes the lock file `path` for this process. A dead process's lock counts as free. Throws Locked. */
export function takeLock(path: string, note: string): Lock {
  mkdirSync(dirname(path), { recursive: true });
  const mine = JSON.stringify({ pid: process.pid, bornAt: bornAt(process.pid) ?? "", note } satisfies Holder);
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, mine);
  try {
    // A hard link is created atomically and never replaces an existing file.
    while (!linked(draft, path)) clearStale(path, draft);
  } finally {
    rmSync(draft, { force: true });
  }
  return {
    release: () => {
      if (read(path) === mine) rmSync(path, { force: true });
    },
  };
}

/** The living holder of the lock, if any. */
export function holderOf(path: string): Locked | undefined {
  const holder = parse(read(path) ?? "");
  return holder && isAlive(holder) ? new Locked(holder.pid, holder.note) : undefined;
}

/** Waits for the lock. `waiting` runs once if it is not free immediately. */
export async function awaitLock(
  path: string,
  note: string,
  waiting: (held: Locked) => void,
  signal: AbortSignal,
): Promise<Lock> {
  for (let tries = 0; ; tries++) {
    try {
      return takeLock(path, note);
    } catch (error) {
      if (!(error instanceof Locked)) throw error;
      if (tries === 0) waiting(error);
      await sleep(250, undefined, { signal });
    }
  }
}

function linked(draft: string, path: string): boolean {
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

/** Removes the lock of a dead process. Throws Locked if the process is alive. */
function clearStale(path: string, draft: string): void {
  const seen = read(path);
  const holder = parse(seen ?? "");
  if (holder && isAlive(holder)) throw new Locked(holder.pid, holder.note);
  if (seen === undefined) return;
  const aside = `${draft}.stale`;
  try {
    renameSync(path, aside);
  } catch {
    // Another process removed it first: check again.
    return;
  }
  // Another process replaced the lock between the check and the rename: restore its lock.
  if (read(aside) !== seen) linked(aside, path);
  rmSync(aside, { force: true });
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

function parse(text: string): Holder | undefined {
  try {
    return JSON.parse(text) as Holder;
  } catch {
    return undefined;
  }
}

const isAlive = ({ pid, bornAt: at }: Holder) => (bornAt(pid) ?? "no such process") === at;

/** A process's start time in a system-dependent unit. With the pid, it identifies the process. */
function bornAt(pid: number): string | undefined {
  try {
    // Field 22 of stat in proc(5). Field 2, the program's name, may contain anything, but ends at the last bracket.
    if (existsSync("/proc/self/stat"))
      return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ")[19];
    return execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" }).trim();
  } catch {
    return undefined;
  }
}
