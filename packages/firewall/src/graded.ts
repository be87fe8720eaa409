import { isSeverity, type Rule } from "./verdict.ts";

/** Rules by name. Each is written as its severity, its weight if that is not the severity's, its code, and its message. */
export function rulesOf<Name extends string>(texts: Record<Name, string>): Record<Name, Rule> {
  const rules = Object.entries<string>(texts).map(([name, text]) => [name, ruleOf(text)]);
  return Object.fromEntries(rules); // The same names as `texts`.
}

function ruleOf(text: string): Rule {
  const [, severity = "", weight, code = "", message = ""] = /^(\w+)(?: (\d+))? (\w+): (.+)$/.exec(text) ?? [];
  if (!isSeverity(severity)) throw new Error(`No rule: ${text}`);
  return { code, severity, message, ...(weight !== undefined && { weight: Number(weight) }) };
}
