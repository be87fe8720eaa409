import { type ApiDocument, pathKey } from "@tessera/x402/api-document";
import { parseUrl } from "@tessera/x402/url";
import { usdcFault } from "@/components/ui/usdc-fault";
import { formatUsdc, parseUsdc, toUsdc } from "@/lib/core/usdc";
import type { PassOffer } from "@/lib/links/passes/terms";
import {
  UPSTREAM_ANSWER_BYTES_DEFAULT,
  UPSTREAM_PATHS_MAX,
  UPSTREAM_SECONDS_DEFAULT,
  UPSTREAM_SECONDS_MAX,
} from "@/lib/links/upstream/limits";
import type { UpstreamKind } from "@/lib/links/upstream/rules";
import { isToolName, toolAt, toolPath } from "@/lib/links/upstream/tools/names";
import { PASS_FIELDS, passDraftOf, readPass } from "./draft-pass";
import type { Faults, LinkDraft, LinkStart } from "./draft-types";

export const EXAMPLE_URLS: Record<UpstreamKind, string> = {
  http: "https://api.example.com/v1",
  mcp: "https://example.com/mcp",
};

/** The form's inputs of an API. */
export const UPSTREAM_FIELDS = [
  "upstreamUrl",
  "upstreamHeaders",
  "upstreamPaths",
  "upstreamMethods",
  "upstreamSeconds",
  ...PASS_FIELDS,
] as const satisfies readonly (keyof LinkDraft)[];

type UpstreamDraft = Pick<LinkDraft, (typeof UPSTREAM_FIELDS)[number] | "isApi" | "upstreamKind" | "upstreamBytes">;

type Path = { path: string; amount: string | null };

export type UpstreamBody = (
  | { methods: string[]; paths: Path[] }
  | { kind: "mcp"; tools: { name: string; amount: string | null }[] }
) & {
  url: string;
  headers?: Record<string, string>;
  secondsMax: number;
  answerBytesMax: number;
  pass: PassOffer | null;
};

export const upstreamDraftOf = ({ upstream }: Pick<LinkStart, "upstream"> = {}): UpstreamDraft => ({
  isApi: upstream != null,
  upstreamKind: upstream?.kind ?? "http",
  upstreamUrl: upstream?.url ?? "",
  upstreamHeaders: "",
  upstreamPaths: linesFor(upstream?.kind ?? "http", upstream?.paths ?? []).join("\n"),
  upstreamMethods: (upstream?.methods ?? ["GET", "POST"]).join(" "),
  upstreamSeconds: String(upstream?.secondsMax ?? UPSTREAM_SECONDS_DEFAULT),
  upstreamBytes: String(upstream?.answerBytesMax ?? UPSTREAM_ANSWER_BYTES_DEFAULT),
  ...passDraftOf(upstream?.pass),
});

const linesFor = (kind: UpstreamKind, paths: Path[]): string[] =>
  paths.map(({ path, amount }) => {
    const name = kind === "mcp" ? toolAt(path) : path;
    return amount === null ? name : `${name} = ${formatUsdc(toUsdc(BigInt(amount)))}`;
  });

/** What a draft gets of its API's OpenAPI document, or of its MCP server's tools. Lines and a title that are typed stay. */
export function withDocument(
  { title, upstreamKind, upstreamPaths }: Pick<LinkDraft, "title" | "upstreamKind" | "upstreamPaths">,
  { title: documentTitle, methods, paths }: Pick<ApiDocument, "title" | "methods" | "paths">,
): Partial<LinkDraft> {
  const typed = linesOf(upstreamPaths);
  const keyOf = (line: string) => pathKey(line.replace(/\s*=.*/, ""));
  const isTyped = (line: string) => typed.some((one) => keyOf(one) === keyOf(line));
  const added = linesFor(upstreamKind, paths).filter((line) => !isTyped(line));
  return {
    upstreamPaths: [...typed, ...added].slice(0, Math.max(UPSTREAM_PATHS_MAX, typed.length)).join("\n"),
    ...(upstreamKind === "http" && { upstreamMethods: methods.join(" ") }),
    ...(title.trim() === "" && { title: documentTitle }),
  };
}

type Reading = { type: "valid"; upstream: UpstreamBody | undefined } | { type: "invalid"; faults: Faults };

/** Validates what the server could not explain at its input. The server validates all. */
export function readUpstream(draft: UpstreamDraft): Reading {
  if (!draft.isApi) return { type: "valid", upstream: undefined };
  const url = draft.upstreamUrl.trim();
  const headers = readHeaders(draft.upstreamHeaders);
  const paths = readPaths(draft);
  const pass = readPass(draft);
  const secondsMax = Number(draft.upstreamSeconds);
  const isTime = Number.isInteger(secondsMax) && secondsMax >= 1 && secondsMax <= UPSTREAM_SECONDS_MAX;
  const methods = [
    ...new Set(
      draft.upstreamMethods
        .toUpperCase()
        .split(/[\s,]+/)
        .filter(Boolean),
    ),
  ];
  const faults: Faults = {
    ...(parseUrl(url) === null && {
      upstreamUrl: `Enter the whole address, for example, ${EXAMPLE_URLS[draft.upstreamKind]}.`,
    }),
    ...(headers === null && { upstreamHeaders: "Write each line as name: value." }),
    ...(typeof paths === "string" && { upstreamPaths: paths }),
    ...(!methods.every((method) => METHODS.has(method)) && {
      upstreamMethods: `Use ${[...METHODS].join(", ")}, separated by spaces.`,
    }),
    ...(methods.length === 0 && { upstreamMethods: "Enter at least one method." }),
    ...(!isTime && { upstreamSeconds: `Enter a whole number of seconds, at most ${UPSTREAM_SECONDS_MAX}.` }),
    ...(pass.type === "invalid" && pass.faults),
  };
  if (Object.keys(faults).length > 0 || headers === null || typeof paths === "string" || pass.type === "invalid")
    return { type: "invalid", faults };
  const sold =
    draft.upstreamKind === "mcp"
      ? { kind: "mcp" as const, tools: paths.map(({ path, amount }) => ({ name: toolAt(path), amount })) }
      : { methods, paths };
  const terms = { url, ...sold, secondsMax, answerBytesMax: Number(draft.upstreamBytes), pass: pass.pass };
  return { type: "valid", upstream: { ...terms, ...(draft.upstreamHeaders.trim() !== "" && { headers }) } };
}

const METHODS: ReadonlySet<string> = new Set(["GET", "POST", "PUT", "PATCH", "DELETE"]);

const linesOf = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

/** Null if a line is no header. */
export function readHeaders(text: string): Record<string, string> | null {
  const entries = linesOf(text).map((line): [string, string] => {
    const index = line.indexOf(":");
    return [line.slice(0, Math.max(0, index)).trim(), line.slice(index + 1).trim()];
  });
  return entries.every(([name, value]) => /^[\w-]+$/.test(name) && value !== "") ? Object.fromEntries(entries) : null;
}

/** The paths, or what is wrong. */
function readPaths({ upstreamKind, upstreamPaths }: UpstreamDraft): Path[] | string {
  const lines = linesOf(upstreamPaths);
  const isTools = upstreamKind === "mcp";
  if (lines.length > UPSTREAM_PATHS_MAX) return `Enter at most ${UPSTREAM_PATHS_MAX} ${isTools ? "tools" : "paths"}.`;
  const paths: Path[] = [];
  for (const line of lines) {
    const [name = "", price] = line.split(/\s*=\s*/, 2);
    if (!isTools && !name.startsWith("/")) return "Write each line as /path or /path = price.";
    if (isTools && !isToolName(name)) return "Write each line as name or name = price, with the name of a tool.";
    const amount = price === undefined ? null : parseUsdc(price);
    if (price !== undefined && amount === null) return `${name}: ${usdcFault(price)}`;
    paths.push({ path: isTools ? toolPath(name) : name, amount: amount === null ? null : amount.toString() });
  }
  return paths;
}
