import type { Severity } from "./verdict.ts";

const ruleOf =
  <Grade extends Severity>(severity: Grade) =>
  <const Code extends string>(code: Code, message: string, weight?: number) => ({
    code,
    severity,
    message,
    ...(weight !== undefined && { weight }),
  });
/** A rule of a severity, as one line of a table. */
export const [low, medium, high, critical] = [ruleOf("low"), ruleOf("medium"), ruleOf("high"), ruleOf("critical")];
