/** What a command may use of its process: a test gives its own. */
export type Io = {
  env: Record<string, string | undefined>;
  out: (text: string) => void;
  /** Whether `out` is read by a person. */
  isTerminal: boolean;
  err: (text: string) => void;
  /** Everything on the standard input. */
  readIn: () => Promise<string>;
  /** The lines of the standard input, as they come. */
  lines: () => AsyncIterable<string>;
  fetch: typeof globalThis.fetch;
  signal: AbortSignal;
};

/** The exit codes, which the README documents. */
export const EXIT = { ok: 0, failed: 1, usage: 2, login: 3, notPaid: 4, notOver: 5, aborted: 130 } as const;

const BRAND = Symbol.for("@tessera/client.usage");

/** The command line cannot be carried out as it is. */
export class UsageError extends Error {
  readonly [BRAND] = true;
  static is = (error: unknown): error is UsageError => typeof error === "object" && error !== null && BRAND in error;
}

/** Texts of merchants and agents must not control the terminal. */
export const plain = (text: string): string => text.replace(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "�");

/** An object as lines "name: value", or as JSON. */
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
