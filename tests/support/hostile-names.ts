import { IncomingMessage } from "node:http";
import { vi } from "vitest";

/** Headers named like properties that every object has. The first one only as a computed key: otherwise it sets the prototype. */
export const HOSTILE_HEADERS: Record<string, string> = {
  ["__proto__"]: "x",
  constructor: "x",
  toString: "x",
  valueOf: "x",
  hasOwnProperty: "x",
};

/** The same as old-node.cjs does for a server; vi.restoreAllMocks() ends it. */
export function failLikeOldNode(): void {
  // Node's types do not have it.
  const prototype = IncomingMessage.prototype as unknown as { _addHeaderLineDistinct: (name: string) => void };
  vi.spyOn(prototype, "_addHeaderLineDistinct").mockImplementation((name) => {
    if (name.toLowerCase() in {}) throw new TypeError("dest[field].push is not a function");
  });
}
