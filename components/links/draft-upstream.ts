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
import { PASS_FIELDS, passDraftOf, readPass } from "./draft-pass";
import type { Faults, LinkDraft, LinkStart } from "./draft-types";

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
  upstreamPaths: linesFor(upstream?.paths ?? []).join("\n"),
  upstreamMethods: (upstream?.methods ?? ["GET", "POST"]).join(" "),
  upstreamSeconds: String(upstream?.secondsMax ?? UPSTREAM_SECONDS_DEFAULT),
  upstreamBytes: String(upstream?.answerBytesMax ?? UPSTREAM_ANSWER_BYTES_DEFAULT),
  ...passDraftOf(upstream?.pass),
});

const linesFor = (paths: Path[]): string[] =>
  paths.map(({ path, amount }) => (amount === null ? path : `${path} = ${formatUsdc(toUsdc(BigInt(amount)))}`));

/** What a draft gets of its API's OpenAPI document. Paths and a title that are typed stay. */
export function withDocument(
  { title, upstreamPaths }: Pick<LinkDraft, "title" | "upstreamPaths">,
  { title: documentTitle, methods, paths }: Pick<ApiDocument, "title" | "methods" | "paths">,
): Partial<LinkDraft> {
  const typed = linesOf(upstreamPaths);
  const keyOf = (line: string) => pathKey(line.replace(/\s*=.*/, ""));
  const isTyped = (line: string) => typed.some((one) => keyOf(one) === keyOf(line));
  const added = linesFor(paths).filter((line) => !isTyped(line));
  return {
    upstreamPaths: [...typed, ...added].slice(0, Math.max(UPSTREAM_PATHS_MAX, typed.length)).join("\n"),
    upstreamMethods: methods.join(" "),
    ...(title.trim() === "" && { title: documentTitle }),
  };
}

type Reading = { type: "valid"; upstream: UpstreamBody | undefined } | { type: "invalid"; faults: Faults };

/** Validates what the server could not explain at its input. The server validates all. */
export function readUpstream(draft: UpstreamDraft): Reading {
  if (!draft.isApi) return { type: "valid", upstream: undefined };
  const url = draft.upstreamUrl.trim();
  const headers = readHeaders(draft.upstreamHeaders);
  const paths = readPaths(draft.upstreamPaths);
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
    ...(parseUrl(url) === null && { upstreamUrl: "Enter the whole address, for example, https://api.example.com/v1." }),
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
      ? { kind: "mcp" as const, tools: paths.map(({ path, amount }) => ({ name: path.slice(1), amount })) }
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
function readHeaders(text: string): Record<string, string> | null {
  const entries = linesOf(text).map((line): [string, string] => {
    const index = line.indexOf(":");
    return [line.slice(0, Math.max(0, index)).trim(), line.slice(index + 1).trim()];
  });
  return entries.every(([name, value]) => /^[\w-]+$/.test(name) && value !== "") ? Object.fromEntries(entries) : null;
}

/** The paths, or what is wrong. */
function readPaths(text: string): Path[] | string {
  const lines = linesOf(text);
  if (lines.length > UPSTREAM_PATHS_MAX) return `Enter at most ${UPSTREAM_PATHS_MAX} paths.`;
  const paths: Path[] = [];
  for (const line of lines) {
    const [path = "", price] = line.split(/\s*=\s*/, 2);
    if (!path.startsWith("/")) return "Write each line as /path or /path = price.";
    const amount = price === undefined ? null : parseUsdc(price);
    if (price !== undefined && amount === null) return `${path}: ${usdcFault(price)}`;
    paths.push({ path, amount: amount === null ? null : amount.toString() });
  }
  return paths;
}
