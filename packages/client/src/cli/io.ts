/** The process of a command. Tests pass a substitute. */
export type Io = {
  env: Record<string, string | undefined>;
  out: (text: string) => void;
  isTerminal: boolean;
  err: (text: string) => void;
  /** Reads standard input to its end. */
  readIn: () => Promise<string>;
  /** Yields the lines of standard input as they arrive. */
  lines: () => AsyncIterable<string>;
  fetch: typeof globalThis.fetch;
  signal: AbortSignal;
};

/** The README documents these codes. */
export const EXIT = { ok: 0, failed: 1, usage: 2, login: 3, notPaid: 4, notOver: 5, aborted: 130 } as const;

const BRAND = Symbol.for("@tessera/client.usage");

/** The command line is invalid: exit code 2. */
export class UsageError extends Error {
  readonly [BRAND] = true;
  static is = (error: unknown): error is UsageError => typeof error === "object" && error !== null && BRAND in error;
}

/** Replaces control and formatting characters: texts of sellers and agents must not control the terminal. */
export const plain = (text: string): string => text.replace(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "�");

/** Formats an object as lines of "name: value", or as JSON. */
export function formatValue(value: unknown, isJson: boolean): string {
  if (isJson) return `${JSON.stringify(value, null, 2)}\n`;
  if (Array.isArray(value))
    return value.length === 0 ? "none\n" : value.map((entry) => formatValue(entry, false)).join("\n");
  if (typeof value !== "object" || value === null) return `${plain(String(value))}\n`;
  return Object.entries(value)
    .filter(([, member]) => member !== null && member !== undefined)
    .map(
      ([name, member]) => `${name}: ${plain(typeof member === "object" ? JSON.stringify(member) : String(member))}\n`,
    )
    .join("");
}
