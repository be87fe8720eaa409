import { setTimeout as sleep } from "node:timers/promises";

/**
 * Named places where a test can interrupt the process, to prove that money survives it. They are armed by FAILPOINTS, as
 * in "relayer.stored=kill,relayer.sent=sleep:500", or at run time over the control channel (control.ts). An unarmed one
 * costs one map look-up.
 */
export const FAILPOINT_NAMES = [
  "settlement.claimed",
  "relayer.signed",
  "relayer.stored",
  "relayer.sent",
  "observer.read",
  "observer.applied",
  "payment.reserved",
  "webhook.sent",
] as const;
export type Failpoint = (typeof FAILPOINT_NAMES)[number];

/** What happens there: SIGKILL, an exception, a pause in milliseconds, or a wait until it is disarmed or armed again. */
export type FailpointAction = "kill" | "throw" | "hold" | `sleep:${number}`;

type Armed = {
  action: FailpointAction;
  /** How often it was reached since it was armed. */
  hits: number;
  released: Promise<void>;
  release: () => void;
};

/** On globalThis, because the bundler gives routes, pages and instrumentation a copy of this module each. */
const shared = globalThis as typeof globalThis & { tesseraFailpoints?: Map<string, Armed> };

/** Always to be awaited. */
export function failpoint(name: Failpoint): Promise<void> | undefined {
  const armed = points().get(name);
  return armed && interrupt(name, armed);
}

/** Throws when `action` is none of FailpointAction. */
export function arm(name: Failpoint, action: string): void {
  if (!isAction(action)) throw new Error(`no failpoint action is named ${action}`);
  disarm(name);
  points().set(name, newlyArmed(action));
}

/** Lets go of everybody who is held there. */
export function disarm(name: Failpoint): void {
  points().get(name)?.release();
  points().delete(name);
}

/** How often each armed failpoint was reached. */
export const failpointHits = (): Record<string, number> =>
  Object.fromEntries([...points()].map(([name, { hits }]) => [name, hits]));

async function interrupt(name: Failpoint, armed: Armed): Promise<void> {
  armed.hits += 1;
  if (armed.action === "kill") process.kill(process.pid, "SIGKILL");
  if (armed.action === "throw") throw new Error(`failpoint ${name}`);
  if (armed.action === "hold") await armed.released;
  if (armed.action.startsWith("sleep:")) await sleep(Number(armed.action.slice("sleep:".length)));
}

function points(): Map<string, Armed> {
  shared.tesseraFailpoints ??= new Map(fromEnvironment());
  return shared.tesseraFailpoints;
}

/** A misspelt one is passed over. Never in production: there, nothing that a shell carries may stop the process. */
function fromEnvironment(): [string, Armed][] {
  if (process.env.MODE === "production") return [];
  const entries = (process.env.FAILPOINTS ?? "").split(",").map((entry) => entry.split("="));
  return entries.flatMap(([name, action = ""]): [string, Armed][] =>
    name && isAction(action) ? [[name, newlyArmed(action)]] : [],
  );
}

function newlyArmed(action: FailpointAction): Armed {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { action, hits: 0, released, release };
}

const isAction = (text: string): text is FailpointAction => /^(?:kill|throw|hold|sleep:\d{1,6})$/.test(text);
