import { isDeepStrictEqual } from "node:util";
import type { Exchange } from "../actors/api";

/** Prints a demo as it runs: headings, exchanges with shortened values, and checks that must hold. */
export function openTranscript(print: (line: string) => void) {
  let checks = 0;
  return {
    heading: (text: string) => print(`\n━━ ${text}`),
    note: (text: string) => print(`   ${text}`),
    exchange: ({ who, method, url, sent, answer }: Exchange) => {
      const { pathname, search } = new URL(url);
      print(`\n   ${who}: ${method} ${shorten(pathname + search)}  → ${answer.status}`);
      if (sent !== undefined) print(`     sent  ${brief(sent)}`);
      print(
        `     got   ${answer.body === undefined ? `${answer.text.length} characters of text` : brief(answer.body)}`,
      );
    },
    /** Throws CheckFailed unless both values are equal. */
    check: (promise: string, seen: unknown, expected: unknown) => {
      if (!isDeepStrictEqual(seen, expected)) throw new CheckFailed(promise, seen, expected);
      checks += 1;
      print(`   ✓ ${promise}`);
    },
    checks: () => checks,
  };
}

export type Transcript = ReturnType<typeof openTranscript>;

export class CheckFailed extends Error {
  override readonly name = "CheckFailed";

  constructor(promise: string, seen: unknown, expected: unknown) {
    super(`✗ ${promise}: saw ${brief(seen)}, expected ${brief(expected)}`);
  }
}

const LINE_MAX = 420;
const HIDDEN = new Set(["token", "secret"]);

function brief(value: unknown): string {
  const text = JSON.stringify(value, (name, member) =>
    typeof member === "bigint" ? `${member}` : HIDDEN.has(name) ? "…" : shorten(member),
  );
  return text.length > LINE_MAX ? `${text.slice(0, LINE_MAX)} …` : text;
}

/** Addresses are printed in full, so that they can be compared. Keys, tokens, signatures and proofs are shortened. */
function shorten(value: unknown): unknown {
  if (typeof value !== "string") return value;
  if (/^0x[0-9a-f]{42,}$/i.test(value)) return `${value.slice(0, 10)}…${value.slice(-4)}`;
  if (/^[\w-]{60,}|^ey[\w-]{20,}\./.test(value)) return `${value.slice(0, 12)}…`;
  if (value.includes("token=")) return value.replace(/token=(\w{4})\w+/, "token=$1…");
  return value.length > 140 ? `${value.slice(0, 140)} …` : value;
}
