import { join } from "node:path";
import type { Worker } from "node:worker_threads";

/** The thread's input: React elements without functions, because the message is a structured clone. */
export type Drawing = { element: unknown; size: { width: number; height: number } };

export type Drawn =
  | { type: "drawn"; png: ArrayBuffer }
  /** The drawing failed or took too long. */
  | { type: "failed"; reason: string }
  /** The queue is full. */
  | { type: "busy" };

type Message = { type: "ready" } | Exclude<Drawn, { type: "busy" }>;
type Waiting = { drawing: Drawing; resolve: (result: Drawn) => void };

export type ThreadLimits = {
  /** Maximum number of drawings that wait for the current one. */
  queueMax: number;
  /** A drawing that takes longer ends the thread. */
  drawMs: number;
  /** A start that takes longer ends the thread. */
  startMs: number;
  /** An idle thread ends after this time and frees its memory. */
  idleMs: number;
};

const LIMITS: ThreadLimits = { queueMax: 8, drawMs: 10_000, startMs: 30_000, idleMs: 60_000 };
const HEAP_MB_MAX = 192;
/** A path instead of an import, which the build would bundle. */
const FILE = "lib/links/pictures/worker.mjs";

export type Thread = { draw: (drawing: Drawing) => Promise<Drawn>; close: () => void };

/** One thread that draws one picture at a time. It starts with the first drawing and restarts after it has ended. */
export function openThread(limits: ThreadLimits = LIMITS, file: string = join(process.cwd(), FILE)): Thread {
  const queue: Waiting[] = [];
  let worker: Worker | null = null;
  let isReady = false;
  let current: Waiting | null = null;
  let timer: NodeJS.Timeout | undefined;

  function endAfter(milliseconds: number, reason: string): void {
    clearTimeout(timer);
    timer = setTimeout(() => end(reason), milliseconds);
    // The timer must not keep the process alive.
    timer.unref();
  }

  function end(reason: string): void {
    clearTimeout(timer);
    const failed = isReady || current ? current : queue.shift();
    const ended = worker;
    worker = null;
    isReady = false;
    current = null;
    ended?.removeAllListeners();
    ended?.on("error", () => {});
    void ended?.terminate();
    failed?.resolve({ type: "failed", reason });
    if (queue.length > 0) start();
  }

  function start(): void {
    const { Worker: Thread } = process.getBuiltinModule("node:worker_threads");
    worker = new Thread(file, {
      // No secrets in the environment of code that parses uploaded files.
      env: { NODE_ENV: "production" },
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB_MAX },
    });
    worker.unref();
    worker.on("message", (message: Message) => {
      if (message.type === "ready") isReady = true;
      else {
        current?.resolve(message);
        current = null;
      }
      next();
    });
    worker.on("error", (error) => end(String(error)));
    worker.on("exit", () => end("the thread has ended"));
    endAfter(limits.startMs, "the thread did not start in time");
  }

  function next(): void {
    current = queue.shift() ?? null;
    if (current) {
      endAfter(limits.drawMs, "it took too long");
      worker?.postMessage(current.drawing);
    } else endAfter(limits.idleMs, "nothing to draw");
  }

  return {
    draw: (drawing) =>
      new Promise((resolve) => {
        if (queue.length >= limits.queueMax) return resolve({ type: "busy" });
        queue.push({ drawing, resolve });
        if (!worker) start();
        else if (isReady && !current) next();
      }),
    close: () => {
      for (const { resolve } of queue.splice(0)) resolve({ type: "busy" });
      if (worker) end("it is not needed any more");
    },
  };
}
