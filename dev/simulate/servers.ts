import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { delimiter, dirname, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { ControlRequest } from "@/lib/platform/control";
import type { Failpoint } from "@/lib/platform/failpoint";
import { COMPILED } from "../local/build";
import { freePort } from "../local/ports";

export type SeatOptions = {
  /** Directory of the build. */
  directory: string;
  env: Record<string, string>;
  /** Clock offset at the start of a process. */
  aheadMs: () => number;
  logFile: string;
};

/** The command of `npm start`, so that processes start as an operator's do. */
const startCommand = (directory: string): string =>
  JSON.parse(readFileSync(join(directory, "package.json"), "utf8")).scripts.start;

const READY_SECONDS = 60;

/** Below the ephemeral port range, so that a killed server's port stays free. */
const PORTS = { first: 20_000, count: 12_000 };

async function lastingPort(): Promise<number> {
  for (;;) {
    const port = PORTS.first + Math.floor(Math.random() * PORTS.count);
    if ((await freePort(port)) === port) return port;
  }
}

/** Kills all servers, however the simulation ends. */
const atExit = new Set<() => void>();
process.once("exit", () => {
  for (const kill of atExit) kill();
});

/** One slot for a server process, which may be starting, running or dead. */
export async function openSeat({ directory, env, aheadMs, logFile }: SeatOptions) {
  const port = await lastingPort();
  const control = join(dirname(logFile), `${port}.control`);
  const command = startCommand(directory);
  const clock = resolve(import.meta.dirname, "clock.cjs");
  let child: ChildProcess | undefined;
  let gone: Promise<void> = Promise.resolve();
  let isReady = false;
  const armed = new Set<Failpoint>();
  let isKilled = false;
  let deaths = 0;
  const heard = new Map<number, () => void>();
  let message = 0;

  function start(): void {
    isReady = false;
    armed.clear();
    isKilled = false;
    const own = spawn("/bin/sh", ["-c", command], {
      cwd: directory,
      stdio: ["ignore", "pipe", "pipe", "ipc"],
      // Its own process group, so that the shell and its server are killed together.
      detached: true,
      env: {
        ...inherited(),
        ...env,
        PATH: [resolve("node_modules", ".bin"), process.env.PATH].join(delimiter),
        NODE_ENV: "production",
        NEXT_TELEMETRY_DISABLED: "1",
        __NEXT_PROCESSED_ENV: "true",
        ...COMPILED,
        NODE_OPTIONS: `${COMPILED.NODE_OPTIONS} --require ${clock}`,
        PORT: String(port),
        SIMULATED_CLOCK_AHEAD_MS: String(aheadMs()),
        CONTROL_SOCKET: control,
      },
    });
    child = own;
    for (const stream of [own.stdout, own.stderr]) {
      stream?.on("data", (chunk: Buffer) => appendFileSync(logFile, `[${port}] ${chunk}`));
    }
    own.on("message", (said) => {
      const { clock: number } = said as { clock?: number };
      if (number !== undefined) heard.get(number)?.();
    });
    // Killing the process breaks its control channel.
    own.on("error", () => {});
    gone = new Promise((done) =>
      own.once("exit", () => {
        if (child === own) isReady = false;
        deaths++;
        for (const release of heard.values()) release();
        done();
      }),
    );
  }

  const isRunning = () => child?.exitCode === null && child.signalCode === null;

  function killGroup(): void {
    if (child?.pid === undefined || !isRunning()) return;
    try {
      process.kill(-child.pid, "SIGKILL");
    } catch {
      // The process ended between the check and the signal.
    }
  }
  atExit.add(killGroup);

  /** Ignores a server that dies meanwhile. */
  async function send(request: ControlRequest): Promise<void> {
    const socket = connect(control);
    socket.on("error", () => {});
    const answered = Promise.race([once(socket, "data"), once(socket, "close")]).catch(() => {});
    socket.end(`${JSON.stringify({ id: 1, ...request })}\n`);
    await answered;
    socket.destroy();
  }

  return {
    port,
    isReady: () => isReady && isRunning(),
    isRunning,
    /** Kills the server when it next reaches the failpoint. */
    arm: async (failpoint: Failpoint) => {
      if (!isReady || !isRunning()) return;
      armed.add(failpoint);
      await send({ do: "arm", failpoint, action: "kill" });
    },
    /** Disarms those of the failpoints that are armed. */
    disarm: async (failpoints: readonly Failpoint[]) => {
      for (const failpoint of failpoints) {
        if (armed.delete(failpoint) && isRunning()) await send({ do: "disarm", failpoint });
      }
    },
    /** Number of processes that ended in this slot. */
    deaths: () => deaths,
    kill: async () => {
      isKilled = true;
      killGroup();
      await gone;
    },
    /** Resolves when the server responds. */
    start: async () => {
      if (isRunning()) return;
      start();
      const deadline = performance.now() + READY_SECONDS * 1000;
      while (isRunning()) {
        const res = await fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(5_000) }).catch(
          () => null,
        );
        if (res?.ok) {
          isReady = true;
          return;
        }
        if (performance.now() > deadline)
          throw new Error(`a server did not answer within ${READY_SECONDS} s; see ${logFile}`);
        await sleep(25);
      }
      if (!isKilled) throw new Error(`a server ended while it started; see ${logFile}`);
    },
    /** Advances the server's clock; resolves when it has advanced. */
    tick: async (ms: number) => {
      if (!isRunning() || !child?.connected) return;
      const number = ++message;
      await new Promise<void>((done) => {
        const release = () => {
          heard.delete(number);
          done();
        };
        heard.set(number, release);
        child?.send({ aheadMs: ms, number }, (failed) => failed && release());
      });
    },
    close: async () => {
      killGroup();
      await gone;
      atExit.delete(killGroup);
    },
  };
}

export type Server = Awaited<ReturnType<typeof openSeat>>;

/** The system's environment variables, without those of the service. */
const inherited = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => /^(HOME|USER|TMPDIR|LANG|LC_\w+)$/.test(name)));
