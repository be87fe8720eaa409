import type { Readable, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { parseArgs } from "node:util";
import { scanPrompt, scanTransaction, scanX402 } from "@tessera/firewall";
import type { Conclusion, Verdict } from "@tessera/firewall/verdict";
import type { z } from "zod";
import { JsonError, parseForeignJson } from "@/lib/core/json";
import { promptRequest, transactionRequest, x402Request } from "@/lib/firewall/requests";

export const USAGE = `npm run --silent firewall -- prompt|transaction|x402 [--fail-on review|block] < requests.jsonl > verdicts.jsonl

Reads one request body per line and writes one verdict per line, in order. Blank lines are skipped. A line that is not a
valid request becomes {"error", "line"}.

Exit code: 0 every line was scanned; 1 a line was not a valid request; 2 wrong arguments; 3 with --fail-on, at least one
verdict was that grave or graver.
`;

export type Streams = { stdin: Readable; stdout: Writable; stderr: Writable };

/** The command `npm run firewall`. Reads only as fast as its output is consumed. Returns the exit code. */
export async function run(args: string[], { stdin, stdout, stderr }: Streams): Promise<number> {
  const options = readArguments(args);
  if (options === null) {
    stderr.write(USAGE);
    return EXIT.usage;
  }
  const tally: Tally = { invalid: 0, review: 0, block: 0 };
  await pipeline(
    stdin,
    (chunks: AsyncIterable<Uint8Array>) => verdictLines(linesOf(chunks), SCANNERS[options.scanner], tally),
    stdout,
    // Keeps the process's own stdout open.
    { end: false },
  );
  if (tally.invalid > 0) return EXIT.invalid;
  const isGrave =
    (options.failOn === "review" && tally.review > 0) || (options.failOn !== undefined && tally.block > 0);
  return isGrave ? EXIT.grave : EXIT.fine;
}

const EXIT = { fine: 0, invalid: 1, usage: 2, grave: 3 } as const;

/** Far above the service's limits; a complete line is kept in memory. */
const LINE_BYTES_MAX = 1_048_576;

type Refusal = { error: string };
type Scanner = (body: unknown) => Conclusion | Refusal;
type ScannerName = keyof typeof SCANNERS;
type Tally = { invalid: number } & Record<Exclude<Verdict, "pass">, number>;

const SCANNERS = {
  prompt: scanner(promptRequest, scanPrompt),
  transaction: scanner(transactionRequest, scanTransaction),
  x402: scanner(x402Request, scanX402),
};

function scanner<Input>(request: z.ZodType<Input>, scan: (input: Input) => Conclusion): Scanner {
  return (body) => {
    const read = request.safeParse(body);
    if (read.success) return scan(read.data);
    const [issue] = read.error.issues;
    return { error: [issue?.path.join("."), issue?.message].filter(Boolean).join(": ") };
  };
}

function readArguments(args: string[]): { scanner: ScannerName; failOn: string | undefined } | null {
  try {
    const { positionals, values } = parseArgs({
      args,
      allowPositionals: true,
      options: { "fail-on": { type: "string" } },
    });
    const [name = "", ...others] = positionals;
    const failOn = values["fail-on"];
    const isKnown = failOn === undefined || failOn === "review" || failOn === "block";
    return isScanner(name) && others.length === 0 && isKnown ? { scanner: name, failOn } : null;
  } catch {
    return null;
  }
}

const isScanner = (name: string): name is ScannerName => Object.hasOwn(SCANNERS, name);

/** Complete lines of each chunk. null for a line that is too long; its bytes are dropped. */
async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<(Uint8Array | null)[]> {
  let parts: Uint8Array[] = [];
  let size = 0;
  const keep = (part: Uint8Array) => {
    size += part.length;
    if (size <= LINE_BYTES_MAX) parts.push(part);
    else parts = [];
  };
  const take = () => {
    const line = size <= LINE_BYTES_MAX ? Buffer.concat(parts) : null;
    [parts, size] = [[], 0];
    return line;
  };
  for await (const chunk of chunks) {
    const lines: (Uint8Array | null)[] = [];
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      keep(chunk.subarray(start, end));
      lines.push(take());
      start = end + 1;
    }
    keep(chunk.subarray(start));
    if (lines.length > 0) yield lines;
  }
  yield [take()];
}

const LINE_FEED = 0x0a;

async function* verdictLines(
  lines: AsyncIterable<(Uint8Array | null)[]>,
  scan: Scanner,
  tally: Tally,
): AsyncGenerator<string> {
  let line = 0;
  for await (const some of lines) {
    let text = "";
    for (const bytes of some) {
      line++;
      const response = answerTo(bytes, scan);
      if (response === null) continue;
      if ("error" in response) tally.invalid++;
      else if (response.verdict !== "pass") tally[response.verdict]++;
      text += `${JSON.stringify("error" in response ? { ...response, line } : response)}\n`;
    }
    yield text;
  }
}

/** null for a blank line. */
function answerTo(bytes: Uint8Array | null, scan: Scanner): Conclusion | Refusal | null {
  if (bytes === null) return { error: `The line is longer than ${LINE_BYTES_MAX} bytes` };
  const text = textOf(bytes);
  if (text === null) return { error: "The body is not UTF-8" };
  if (text.trim() === "") return null;
  const body = bodyOf(text);
  return body instanceof JsonError ? { error: body.message } : scan(body);
}

function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

function bodyOf(text: string): unknown {
  try {
    return parseForeignJson(text);
  } catch (error) {
    if (error instanceof JsonError) return error;
    throw error;
  }
}
