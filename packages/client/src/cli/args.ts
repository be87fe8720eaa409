import { parseArgs } from "node:util";
import { parseUsdc } from "../money.ts";
import { UsageError } from "./io.ts";

const TEXT = { type: "string" } as const;
const FLAG = { type: "boolean" } as const;

const OPTIONS = {
  json: FLAG,
  help: { ...FLAG, short: "h" },
  url: TEXT,
  "agent-id": TEXT,
  register: TEXT,
  max: TEXT,
  pass: TEXT,
  mandate: TEXT,
  network: TEXT,
  key: TEXT,
  approve: FLAG,
  resume: TEXT,
  method: TEXT,
  data: TEXT,
  header: { ...TEXT, multiple: true },
  headers: TEXT,
  openapi: TEXT,
  path: { ...TEXT, multiple: true },
  price: TEXT,
  purpose: TEXT,
  limit: TEXT,
  days: TEXT,
  host: { ...TEXT, multiple: true },
  "own-key": FLAG,
  "per-payment": TEXT,
  "per-day": TEXT,
  "per-month": TEXT,
  amount: TEXT,
  description: TEXT,
  content: TEXT,
  "max-uses": TEXT,
  reference: TEXT,
  status: TEXT,
  title: TEXT,
  "max-quantity": TEXT,
  to: TEXT,
  id: TEXT,
  reason: TEXT,
  signature: TEXT,
  buyer: TEXT,
  due: TEXT,
  line: { ...TEXT, multiple: true },
  number: TEXT,
  note: TEXT,
  port: TEXT,
  forward: TEXT,
  file: TEXT,
  rpc: TEXT,
} as const;

export type Args = {
  words: string[];
  isJson: boolean;
  isHelp: boolean;
  text: (name: string) => string | undefined;
  texts: (name: string) => string[];
  has: (name: string) => boolean;
  /** An amount in USDC ("0.50"), as atomic USDC. */
  usdc: (name: string) => string | undefined;
  whole: (name: string) => number | undefined;
  need: <V>(value: V | undefined, label: string) => V;
};

/** Parses a command line. Throws UsageError for an unknown option. */
export function argsOf(argv: readonly string[]): Args {
  const { values, positionals } = parseArgv(argv);
  const all = values as Record<string, string | boolean | string[] | undefined>;
  const text = (name: string) => {
    const value = all[name];
    return typeof value === "string" ? value : undefined;
  };
  const need = <V>(value: V | undefined, label: string): V => {
    if (value === undefined) throw new UsageError(`${label} is missing`);
    return value;
  };
  return {
    words: positionals,
    isJson: all.json === true,
    isHelp: all.help === true,
    text,
    texts: (name) => [all[name] ?? []].flat().map(String),
    has: (name) => all[name] === true,
    usdc: (name) => {
      const input = text(name);
      try {
        return input === undefined ? undefined : parseUsdc(input);
      } catch {
        throw new UsageError(`--${name} must be an amount in USDC, for example 0.50`);
      }
    },
    whole: (name) => {
      const input = text(name);
      if (input !== undefined && !/^\d{1,9}$/.test(input)) throw new UsageError(`--${name} must be a whole number`);
      return input === undefined ? undefined : Number(input);
    },
    need,
  };
}

function parseArgv(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : "the arguments cannot be read");
  }
}
