import type { System } from "./context";

/** `warn` lets the service start: what it found may mend itself, or cannot be judged from here. `fail` does not. */
export type CheckStatus = "ok" | "warn" | "fail";

export type CheckResult = {
  status: CheckStatus;
  /** What was found, in one line. */
  detail: string;
  /** What to do about it, in one line; empty when there is nothing to do. */
  remedy: string;
};

/** One question about the configuration that can only be answered by looking at the world. */
export type Check = {
  name: string;
  /** The variable that is wrong when this fails, as in .env.example; null when none is. */
  variable: string | null;
  /** Takes up to about 20 s. May throw: `runChecks` reports that as a warning. */
  run: (system: System) => Promise<CheckResult>;
};

export type CheckReport = CheckResult & Pick<Check, "name" | "variable">;

export const ok = (detail: string): CheckResult => ({ status: "ok", detail, remedy: "" });
export const warn = (detail: string, remedy: string): CheckResult => ({ status: "warn", detail, remedy });
export const fail = (detail: string, remedy: string): CheckResult => ({ status: "fail", detail, remedy });

/**
 * Runs all of `checks` at the same time and reports in their order. Never throws. A check that throws is a warning: what
 * does not answer now, a database or a node, must not keep a replica from restarting.
 */
export function runChecks(system: System, checks: readonly Check[]): Promise<CheckReport[]> {
  return Promise.all(
    checks.map(async ({ name, variable, run }) => {
      const result = await run(system).catch((thrown: unknown) =>
        warn(
          `could not be checked: ${thrown instanceof Error ? thrown.message : thrown}`,
          "Look at it when it answers",
        ),
      );
      return { name, variable, ...result };
    }),
  );
}

/** A report as one line: the variable first, then what is wrong and what to do. */
export function lineOf({ name, variable, status, detail, remedy }: CheckReport): string {
  const about = variable ? `${variable} (${name})` : name;
  return [`${status}: ${about}: ${detail}`, remedy].filter(Boolean).join(". ");
}
