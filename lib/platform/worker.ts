import type { System } from "./context";
import { acquireLease, type Lease, LeaseLost, releaseLease, reportWork } from "./lease";
import type { Channel } from "./queue";

/** A job that one process at a time does, round after round. */
export type Job = {
  name: string;
  /** Does what there is to do; returns how many milliseconds may pass before the next look. */
  round: (lease: Lease) => Promise<number>;
  /** Messages that cut the wait short. */
  wakeOn?: { channel: Channel; payload: string };
  /** Waits for what rounds have left under way, which no longer has the lease. */
  stop?: () => Promise<void>;
};

export type Worker = { stop: () => Promise<void> };

const BACKOFF_MS_MAX = 5000;
/** A round that takes longer hangs, and another process may begin. */
const ROUND_MS_MAX = 60_000;

/**
 * Runs `job` for as long as this process holds its lease. A failing round is logged and tried again after a growing
 * pause; a process that dies is followed by another once its lease has expired.
 */
export function startWorker(system: System, job: Job, holder: string): Worker {
  const alarm = makeAlarm();
  const leaseMs = system.config.leaseSeconds * 1000;
  let isStopping = false;
  let lease: Lease | null = null;
  const { wakeOn } = job;
  // Without the lease there is nothing to do but to try for it now and then.
  const wake = (payload: string) => lease && payload === wakeOn?.payload && alarm.ring();
  const off = wakeOn && system.hub.on(wakeOn.channel, wake);

  /** Keeps the lease while a round takes longer than the lease; a round that hangs loses it. */
  async function renewing<T>(round: Promise<T>): Promise<T> {
    const began = performance.now();
    let renewal: Promise<unknown> = Promise.resolve();
    const timer = setInterval(() => {
      if (performance.now() - began > ROUND_MS_MAX) return clearInterval(timer);
      // What the round writes asserts the lease: it finds out what became of it.
      renewal = acquireLease(system.db, job.name, holder, system.config.leaseSeconds).catch(() => undefined);
    }, leaseMs / 3);
    return round.finally(() => {
      clearInterval(timer);
      // It must not take the lease again after it was given back.
      return renewal;
    });
  }

  async function run(): Promise<void> {
    let renewedAt = Number.NEGATIVE_INFINITY;
    let reportedAt = Number.NEGATIVE_INFINITY;
    let failures = 0;
    while (!isStopping) {
      try {
        // Time that has passed in this process: a changed wall clock must not keep a lease.
        if (!lease || performance.now() - renewedAt > leaseMs / 3) {
          renewedAt = performance.now();
          lease = await acquireLease(system.db, job.name, holder, system.config.leaseSeconds);
        }
        const pauseMs = lease ? await renewing(job.round(lease)) : leaseMs / 3;
        failures = 0;
        if (lease && performance.now() - reportedAt > leaseMs / 3) {
          reportedAt = performance.now();
          await reportWork(system.db, lease);
        }
        await alarm.wait(pauseMs);
      } catch (err) {
        if (LeaseLost.is(err)) lease = null;
        failures += 1;
        // A node that is away for an hour is told of a dozen times, not thousands.
        if (Number.isInteger(Math.log2(failures))) system.log.error({ job: job.name, failures, err }, "worker.failed");
        await alarm.wait(Math.min(BACKOFF_MS_MAX, 100 * 2 ** failures));
      }
    }
  }

  const running = run();
  return {
    stop: async () => {
      isStopping = true;
      alarm.ring();
      await running;
      off?.();
      // Without a database there is nothing to give back: the lease runs out by itself.
      if (lease) await releaseLease(system.db, lease).catch((err) => system.log.warn({ err }, "lease.kept"));
      await job.stop?.();
    },
  };
}

/** A wait that can be cut short; a ring while nobody waits ends the next wait at once. */
function makeAlarm() {
  let isRung = false;
  let wake = () => {};
  return {
    ring: () => {
      isRung = true;
      wake();
    },
    wait: (ms: number) =>
      new Promise<void>((resolve) => {
        const finish = () => {
          clearTimeout(timer);
          isRung = false;
          wake = () => {};
          resolve();
        };
        const timer = setTimeout(finish, ms);
        wake = finish;
        if (isRung) finish();
      }),
  };
}
