const REASON = {
  syntax: "The body is not valid JSON",
  duplicate_key: "The body contains a duplicate member",
  too_deep: "The body is nested too deeply",
  reserved_key: "The body uses a reserved member name",
} as const;

/** Why a text is rejected as JSON. */
export type JsonFault = keyof typeof REASON;

/** The message is written for the sender of the text. */
export class JsonError extends Error {
  override readonly name = "JsonError";

  constructor(readonly fault: JsonFault) {
    super(REASON[fault]);
  }
}

const DEPTH_MAX = 32;
const RESERVED = new Set(["__proto__", "constructor", "prototype"]);

/**
 * JSON.parse (RFC 8259) that rejects ambiguous input: duplicate member names, member names that reach a prototype, and
 * nesting over 32 levels. Throws JsonError.
 */
export const parseJson = (text: string): unknown => parse(text, RESERVED);

/**
 * parseJson for foreign documents that are only inspected. It allows member names that reach a prototype: no value is
 * copied into an object of this service.
 */
export const parseForeignJson = (text: string): unknown => parse(text, NONE);

const NONE: ReadonlySet<string> = new Set();

function parse(text: string, reserved: ReadonlySet<string>): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new JsonError("syntax");
  }
  checkMembers(text, reserved);
  return value;
}

/** JSON with sorted member names: equal values give equal text. */
export const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_name, inner: unknown) =>
    inner !== null && typeof inner === "object" && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );

/** Scans strings, brackets and colons only: `text` must already be valid JSON. */
function checkMembers(text: string, reserved: ReadonlySet<string>): void {
  const names: (Set<string> | null)[] = [];
  let lastString = "";
  for (let index = 0; index < text.length; index++) {
    const char = text[index];
    if (char === '"') {
      let end = index + 1;
      while (text[end] !== '"') end += text[end] === "\\" ? 2 : 1;
      lastString = text.slice(index, end + 1);
      index = end;
    } else if (char === "{" || char === "[") {
      names.push(char === "{" ? new Set() : null);
      if (names.length > DEPTH_MAX) throw new JsonError("too_deep");
    } else if (char === "}" || char === "]") {
      names.pop();
    } else if (char === ":") {
      const name = lastString.includes("\\") ? String(JSON.parse(lastString)) : lastString.slice(1, -1);
      if (reserved.has(name)) throw new JsonError("reserved_key");
      if (names.at(-1)?.has(name)) throw new JsonError("duplicate_key");
      names.at(-1)?.add(name);
    }
  }
}
