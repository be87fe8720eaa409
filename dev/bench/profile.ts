import { existsSync, readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { createConnection } from "node:net";
import { text as textOf } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import type { Bench } from "./actors";
import { loadsOf } from "./loads";

/** V8's CPU profile: a tree of functions, and the running function of each sample. Positions count from 0, times are in µs. */
const profile = z.object({
  nodes: z.array(
    z.object({
      id: z.number(),
      callFrame: z.object({
        functionName: z.string(),
        url: z.string(),
        lineNumber: z.number(),
        columnNumber: z.number(),
      }),
      children: z.array(z.number()).optional(),
    }),
  ),
  samples: z.array(z.number()),
  timeDeltas: z.array(z.number()),
});
export type Profile = z.output<typeof profile>;
type Frame = Profile["nodes"][number]["callFrame"];

/** Categories of the server's time by source file of the functions, in the table's order. */
const KINDS: readonly (readonly [string, RegExp])[] = [
  [
    "PostgreSQL's client and building of queries",
    // Source maps of packages name some files by their path within the package.
    /\/pg\/|pg-(?:pool|protocol|core)|drizzle|node-postgres|\/sql\/sql|src\/(?:parser|serializer|entity|alias)|query-promise|selection-proxy/,
  ],
  ["signatures", /internal\/crypto|noble|secp256k1|jose/i],
  ["log", /pino|sonic-boom/],
  ["calls of the chain", /platform\/nodes?\.ts|viem/],
  ["HTTP", /_http_|ops\/server\/|undici|webstreams|lib\/http\//],
];
const [GARBAGE, REST] = ["garbage collection", "the rest"];
export const COLUMNS: readonly string[] = [...KINDS.map(([kind]) => kind), GARBAGE, REST];

/** `busy`: the share of time that the process was busy. `of`: the share of each category in the busy time. */
export type Shares = { busy: number; of: ReadonlyMap<string, number> };

/** A sample belongs to the category of its innermost categorised function. `sourceOf`: a function's source file. */
export function sharesOf({ nodes, samples, timeDeltas }: Profile, sourceOf: (frame: Frame) => string): Shares {
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const kinds = new Map<number, string>();
  const kindOf = (id: number | undefined): string => {
    if (id === undefined) return REST;
    const frame = frames.get(id);
    if (!frame) throw new Error(`the profile has no function ${id}`);
    if (frame.functionName === "(garbage collector)") return GARBAGE;
    const known = kinds.get(id);
    if (known !== undefined) return known;
    const source = sourceOf(frame);
    const kind = KINDS.find(([, pattern]) => pattern.test(source))?.[0] ?? kindOf(parents.get(id));
    kinds.set(id, kind);
    return kind;
  };
  const times = new Map<string, number>();
  let [idle, busy] = [0, 0];
  for (const [index, id] of samples.entries()) {
    const time = timeDeltas[index] ?? 0;
    if (frames.get(id)?.functionName === "(idle)") {
      idle += time;
      continue;
    }
    busy += time;
    const kind = kindOf(id);
    times.set(kind, (times.get(kind) ?? 0) + time);
  }
  return { busy: busy / (busy + idle), of: new Map([...times].map(([kind, time]) => [kind, time / busy])) };
}

/** Finds the source files of built functions in the source maps beside them. */
function readSources(): (frame: Frame) => string {
  const maps = new Map<string, SourceMap | null>();
  const mapOf = (url: string) => {
    const known = maps.get(url);
    if (known !== undefined) return known;
    const file = `${fileURLToPath(url)}.map`;
    const map = existsSync(file) ? new SourceMap(JSON.parse(readFileSync(file, "utf8"))) : null;
    maps.set(url, map);
    return map;
  };
  return ({ url, lineNumber, columnNumber }) => {
    const entry = url.startsWith("file:") ? mapOf(url)?.findEntry(lineNumber, columnNumber) : undefined;
    return entry && "originalSource" in entry ? String(entry.originalSource) : url;
  };
}

/** Environment of a server that can be profiled at `socket`. */
export const profiled = (socket: string) => ({
  NODE_OPTIONS: `--require ${JSON.stringify(`${import.meta.dirname}/profiler.cjs`)}`,
  PROFILE_SOCKET: socket,
});

async function profileDuring(path: string, work: () => Promise<unknown>): Promise<Profile> {
  const socket = createConnection({ path, allowHalfOpen: true });
  await new Promise<void>((resolve, reject) => {
    socket.once("error", reject);
    socket.once("data", () => resolve());
  });
  await work();
  socket.end();
  return profile.parse(JSON.parse(await textOf(socket)));
}

/** A Markdown table: how the server's thread spends its busy time under each load, in percent. */
export async function profileTable(bench: Bench, socket: string): Promise<string> {
  const sources = readSources();
  const rows: string[] = [];
  const percent = (share = 0) => `${Math.round(100 * share)} %`;
  for await (const { what, run } of loadsOf(bench)) {
    bench.progress(`Profile of ${what}`);
    const { busy, of } = sharesOf(await profileDuring(socket, run), sources);
    rows.push([what, percent(busy), ...COLUMNS.map((kind) => percent(of.get(kind)))].join(" | "));
  }
  const head = ["load", "thread busy", ...COLUMNS];
  return [head.join(" | "), head.map(() => "---").join(" | "), ...rows].map((row) => `| ${row} |`).join("\n");
}
