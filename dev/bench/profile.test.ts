import { expect, test } from "vitest";
import { sharesOf } from "./profile";

const frame = (functionName: string, url = "") => ({ functionName, url, lineNumber: 0, columnNumber: 0 });

test("a CPU sample counts for the innermost function of a kind, and shares are of the busy time", () => {
  const nodes = [
    { id: 1, callFrame: frame("(root)"), children: [2, 5, 6, 7] },
    { id: 2, callFrame: frame("serve", "/ops/server/serve.mjs"), children: [3] },
    { id: 3, callFrame: frame("settle", "lib/settlements/service.ts"), children: [4] },
    { id: 4, callFrame: frame("query", "node_modules/pg/lib/client.js") },
    { id: 5, callFrame: frame("(idle)") },
    { id: 6, callFrame: frame("(garbage collector)") },
    { id: 7, callFrame: frame("start", "lib/wiring.ts") },
  ];
  const shares = sharesOf(
    { nodes, samples: [4, 3, 5, 6, 7, 2], timeDeltas: [40, 20, 100, 10, 10, 20] },
    ({ url }) => url,
  );
  expect(shares.busy).toBe(0.5);
  expect(Object.fromEntries(shares.of)).toEqual({
    "PostgreSQL's client and building of queries": 0.4,
    HTTP: 0.4,
    "garbage collection": 0.1,
    "the rest": 0.1,
  });
});
