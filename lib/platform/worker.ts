import type { System } from "./context";
import { acquireLease, type Lease, LeaseLost, releaseLease, reportWork } from "./lease";
import type { Channel } from "./queue";

/** A job that runs in one process at a time, in rounds. */
export type Job = {
  name: string;
  /**
   * Does the pending work; returns the milliseconds until the next round. `isWoken`: a message ended the wait, or it is this lease's first
   * round.
   */
  round: (lease: Lease, isWoken: boolean) => Promise<number>;
  /** Messages that end the wait early. */
  wakeOn?: readonly { channel: Channel; payload: string }[];
  /** Waits for work that rounds left running, after the lease is released. */
  stop?: () => Promise<void>;
};

/** The pause of a job that messages wake, in milliseconds: they can be lost. */
export const unwokenPauseMs = ({ config }: Pick<System, "config">): number => 5 * config.pollMilliseconds;

export type Worker = { stop: () => Promise<void> };

const BACKOFF_MS_MAX = 5000;
/** A longer round counts as hanging: another process may take over. */
const ROUND_MS_MAX = 60_000;

/**
 * Runs `job` for as long as this process holds its lease. A failing round is logged and retried after a growing pause.
 * When the process dies, another one takes over once the lease has expired.
 */
export function startWorker(system: System, job: Job, holder: string): Worker {
  const alarm = createAlarm();
  const leaseMs = system.config.leaseSeconds * 1000;
  let isStopping = false;
  let lease: Lease | null = null;
  const subscriptions = (job.wakeOn ?? []).map((wakeOn) =>
    system.hub.on(wakeOn.channel, (payload) => {
      // Without the lease there is no work: only try to acquire it from time to time.
      if (lease && payload === wakeOn.payload) alarm.ring();
    }),
  );

  /** Renews the lease during a long round; a round that hangs loses it. */
  async function renewing<T>(round: Promise<T>): Promise<T> {
    const began = performance.now();
    let renewal: Promise<unknown> = Promise.resolve();
    const timer = setInterval(() => {
      if (performance.now() - began > ROUND_MS_MAX) return clearInterval(timer);
      // A failed renewal can be ignored: the round's writes assert the lease.
      renewal = acquireLease(system.db, job.name, holder, system.config.leaseSeconds).catch(() => undefined);
    }, leaseMs / 3);
    return round.finally(() => {
      clearInterval(timer);
      // No renewal may run after the lease was released.
      return renewal;
    });
  }

  async function run(): Promise<void> {
    let renewedAt = Number.NEGATIVE_INFINITY;
    /** When the last round of this lease without an error ended. */
    let workedAt: number | null = null;
    let failures = 0;
    let isWoken = true;
    while (!isStopping) {
      try {
        // Monotonic time: a changed wall clock must not keep a lease.
        if (!lease || performance.now() - renewedAt > leaseMs / 3) {
          renewedAt = performance.now();
          const workedMsAgo = workedAt === null ? undefined : renewedAt - workedAt;
          lease = await acquireLease(system.db, job.name, holder, system.config.leaseSeconds, workedMsAgo);
        }
        const pauseMs: number = lease ? await renewing(job.round(lease, isWoken)) : leaseMs / 3;
        failures = 0;
        // A new holder's first round is reported at once, each later one with the next renewal.
        if (lease && workedAt === null) await reportWork(system.db, lease);
        workedAt = lease && performance.now();
        isWoken = (await alarm.wait(pauseMs)) || lease === null;
      } catch (err) {
        if (err instanceof LeaseLost) {
          lease = null;
          workedAt = null;
        }
        failures += 1;
        // Log at powers of two: a node that is down for an hour is logged a dozen times, not thousands.
        if (Number.isInteger(Math.log2(failures))) system.log.error({ job: job.name, failures, err }, "worker.failed");
        await alarm.wait(Math.min(BACKOFF_MS_MAX, 100 * 2 ** failures));
        // The failed round may have been woken.
        isWoken = true;
      }
    }
  }

  const running = run();
  return {
    stop: async () => {
      isStopping = true;
      alarm.ring();
      await running;
      for (const unsubscribe of subscriptions) unsubscribe();
      // If the database is down, the lease expires by itself.
      if (lease) await releaseLease(system.db, lease).catch((err) => system.log.warn({ err }, "lease.release_failed"));
      await job.stop?.();
    },
  };
}

/** A wait that can be cut short; tells whether it was. A ring while nothing waits ends the next wait at once. */
function createAlarm() {
  let isRung = false;
  let wake = () => {};
  return {
    ring: () => {
      isRung = true;
      wake();
    },
    wait: (ms: number) =>
      new Promise<boolean>((resolve) => {
        const finish = () => {
          clearTimeout(timer);
          const wasRung = isRung;
          isRung = false;
          wake = () => {};
          resolve(wasRung);
        };
        const timer = setTimeout(finish, ms);
        wake = finish;
        if (isRung) finish();
      }),
  };
}
