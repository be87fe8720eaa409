import type { System } from "./context";

/** `fail` stops the service from starting. `warn` does not: the cause may resolve itself, or cannot be judged from here. */
export type CheckStatus = "ok" | "warn" | "fail";

export type CheckResult = {
  status: CheckStatus;
  /** The finding, in one line. */
  detail: string;
  /** How to fix it, in one line; empty when nothing is to be done. */
  remedy: string;
};

/** A check of the configuration that needs the database or a node. */
export type Check = {
  name: string;
  /** The variable to correct when this fails, as in .env.example; null when there is none. */
  variable: string | null;
  /** Takes up to about 20 s. May throw: `runChecks` reports that as a warning. */
  run: (system: System) => Promise<CheckResult>;
};

export type CheckReport = CheckResult & Pick<Check, "name" | "variable">;

export const ok = (detail: string): CheckResult => ({ status: "ok", detail, remedy: "" });
export const warn = (detail: string, remedy: string): CheckResult => ({ status: "warn", detail, remedy });
export const fail = (detail: string, remedy: string): CheckResult => ({ status: "fail", detail, remedy });

/**
 * Runs all `checks` concurrently and reports them in order. Never throws. A check that throws counts as a warning: a
 * database or node that is temporarily down must not keep a replica from restarting.
 */
export function runChecks(system: System, checks: readonly Check[]): Promise<CheckReport[]> {
  return Promise.all(
    checks.map(async ({ name, variable, run }) => {
      const result = await run(system).catch((error: unknown) =>
        warn(
          `could not be checked: ${error instanceof Error ? error.message : error}`,
          "Check it again when it responds",
        ),
      );
      return { name, variable, ...result };
    }),
  );
}

/** A report as one line: variable, finding, remedy. */
export function lineOf({ name, variable, status, detail, remedy }: CheckReport): string {
  const about = variable ? `${variable} (${name})` : name;
  return [`${status}: ${about}: ${detail}`, remedy].filter(Boolean).join(". ");
}
