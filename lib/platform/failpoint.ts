import { setTimeout as sleep } from "node:timers/promises";

/**
 * Named points where a test can interrupt the process, to prove that no money is lost. FAILPOINTS arms them at the start,
 * as in "relayer.stored=kill,relayer.sent=sleep:500"; the control channel (control.ts) does so at run time. An unarmed
 * point costs one map lookup.
 */
export const FAILPOINT_NAMES = [
  "settlement.claimed",
  "relayer.signed",
  "relayer.stored",
  "relayer.sent",
  "observer.read",
  "observer.applied",
  "payment.reserved",
  "purchase.signed",
  "purchase.proved",
  "recovery.stored",
  "webhook.sent",
  "upstream.started",
  "upstream.answered",
  "pass.taken",
  "pass.answered",
] as const;
export type Failpoint = (typeof FAILPOINT_NAMES)[number];

/** The effect: SIGKILL, an exception, a pause in milliseconds, or a wait until the point is disarmed or armed again. */
export type FailpointAction = "kill" | "throw" | "hold" | `sleep:${number}`;

type Armed = {
  action: FailpointAction;
  /** Number of times the point was reached since it was armed. */
  hits: number;
  released: Promise<void>;
  release: () => void;
};

let armedPoints: Map<string, Armed> | null = null;

/** Callers must await the result. */
export function failpoint(name: Failpoint): Promise<void> | undefined {
  const armed = points().get(name);
  return armed && interrupt(name, armed);
}

/** Throws when `action` is not a FailpointAction. */
export function arm(name: Failpoint, action: string): void {
  if (!isAction(action)) throw new Error(`no failpoint action is named ${action}`);
  disarm(name);
  points().set(name, newlyArmed(action));
}

/** Also releases everything that waits at the point. */
export function disarm(name: Failpoint): void {
  points().get(name)?.release();
  points().delete(name);
}

/** The number of hits of each armed failpoint. */
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
  armedPoints ??= new Map(fromEnvironment());
  return armedPoints;
}

/** Ignores misspelt entries. Never reads them in production: no environment variable may interrupt the process there. */
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
