import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { watchLib } from "@/ops/compile-lib";
import { NEXT } from "./build";
import { endWithUs, isRunning } from "./processes";

/** `next dev` on a port. Node loads lib/ only once, so the process restarts when lib/ changes; pages reload without that. */
const [port = ""] = process.argv.slice(2);

let isQuitting = false;
let child: ChildProcess | null = null;
let restarting = Promise.resolve();

function start(): void {
  child = spawn(process.execPath, [...NEXT, "dev", "--port", port], { stdio: ["pipe", "inherit", "inherit"] });
  endWithUs(child, "SIGTERM");
  const started = child;
  // The child ended by itself.
  started.once("exit", (code) => started === child && process.exit(code ?? 1));
}

async function stop(): Promise<void> {
  const ending = child;
  child = null;
  if (!ending || !isRunning(ending)) return;
  ending.kill("SIGTERM");
  await once(ending, "exit");
}

async function restart(): Promise<void> {
  await stop();
  if (!isQuitting) start();
}

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  process.once(signal, () => {
    isQuitting = true;
    void stop().then(() => process.exit(0));
  });
}

await watchLib(() => {
  restarting = restarting.then(restart);
});
