import { findSecrets } from "../find-secrets.ts";
import { scanPrompt } from "../prompt/scan.ts";
import { scanTransaction } from "../transaction/scan.ts";
import type { Conclusion } from "../verdict.ts";
import { scanX402 } from "../x402/scan.ts";

/** What a command may use of its process: a test gives its own. Reading a file that does not exist returns null. */
export type Io = {
  out: (text: string) => void;
  err: (text: string) => void;
  readIn: () => Promise<string>;
  readFile: (path: string) => Promise<Uint8Array | null>;
  /** The paths of the files that are staged for a commit, and a staged file. */
  staged: () => Promise<string[]>;
  readStaged: (path: string) => Promise<Uint8Array | null>;
};

export const USAGE = `tessera-firewall prompt [file …]            verdict on each text, or on the standard input
tessera-firewall transaction|x402 [file …]  verdict on a request in JSON, as the scan's documentation describes it
tessera-firewall secrets [file …]           secrets in files, without showing them
tessera-firewall secrets --staged           secrets in the files that are staged in git: for a pre-commit hook

Options: --fail-on review|block (default: block)
A line that contains firewall:allow is not searched for secrets.

Exit code: 0 nothing found; 1 a verdict as grave as --fail-on, or a secret; 2 wrong arguments or an unreadable file.
`;

const EXIT = { fine: 0, found: 1, usage: 2 } as const;
/** Larger files are no source code. In bytes. */
const FILE_BYTES_MAX = 4_194_304;

/** null for a text that is not JSON. */
const SCANNERS: Readonly<Record<string, (text: string) => Conclusion | null>> = {
  prompt: (text) => scanPrompt({ text: text.toWellFormed() }),
  transaction: (text) => ofJson(text, scanTransaction),
  x402: (text) => ofJson(text, scanX402),
};

/** The command `tessera-firewall`. Returns the exit code. */
export async function run(args: readonly string[], io: Io): Promise<number> {
  const options = optionsOf(args);
  if (options === null) {
    io.err(USAGE);
    return EXIT.usage;
  }
  const { command, paths, isStaged, failOn } = options;
  if (command === "secrets") return secrets(isStaged ? await io.staged() : paths, isStaged, io);
  const scan = SCANNERS[command];
  const texts = await textsOf(paths, io);
  if (scan === undefined || texts === null) return EXIT.usage;
  let worst: number = EXIT.fine;
  for (const { name, text } of texts) {
    const verdict = scan(text);
    if (verdict === null) {
      io.err(`${name}: not valid JSON\n`);
      return EXIT.usage;
    }
    io.out(`${JSON.stringify({ file: name, ...verdict })}\n`);
    if (verdict.verdict === "block" || (verdict.verdict === "review" && failOn === "review")) worst = EXIT.found;
  }
  return worst;
}

type Options = { command: string; paths: string[]; isStaged: boolean; failOn: string };

function optionsOf(args: readonly string[]): Options | null {
  const [command = "", ...commandArgs] = args;
  const options: Options = { command, paths: [], isStaged: false, failOn: "block" };
  for (let index = 0; index < commandArgs.length; index++) {
    const arg = commandArgs[index] ?? "";
    if (arg === "--staged" && command === "secrets") options.isStaged = true;
    else if (arg === "--fail-on" && command !== "secrets") options.failOn = commandArgs[++index] ?? "";
    else if (arg.startsWith("--")) return null;
    else options.paths.push(arg);
  }
  const isKnown = command === "secrets" || Object.hasOwn(SCANNERS, command);
  const hasFiles = command !== "secrets" || options.isStaged !== options.paths.length > 0;
  return isKnown && hasFiles && /^(?:review|block)$/.test(options.failOn) ? options : null;
}

function ofJson(text: string, scan: (body: unknown) => Conclusion): Conclusion | null {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return null;
  }
  return scan(body);
}

async function textsOf(paths: readonly string[], io: Io): Promise<{ name: string; text: string }[] | null> {
  if (paths.length === 0) return [{ name: "-", text: await io.readIn() }];
  const texts: { name: string; text: string }[] = [];
  for (const name of paths) {
    const bytes = await io.readFile(name);
    if (bytes === null) {
      io.err(`${name}: cannot be read\n`);
      return null;
    }
    texts.push({ name, text: new TextDecoder().decode(bytes) });
  }
  return texts;
}

/** Never prints a secret, only where it is. */
async function secrets(paths: readonly string[], isStaged: boolean, io: Io): Promise<number> {
  let secretCount = 0;
  for (const path of paths) {
    const bytes = await (isStaged ? io.readStaged(path) : io.readFile(path));
    if (bytes === null) {
      io.err(`${path}: cannot be read\n`);
      return EXIT.usage;
    }
    if (bytes.length > FILE_BYTES_MAX || bytes.subarray(0, 8000).includes(0)) continue;
    for (const { line, isWallet } of findSecrets(new TextDecoder().decode(bytes))) {
      secretCount++;
      io.out(
        `${path}:${line}: ${isWallet ? "a private key, recovery phrase or signed payment" : "a key, password or token"}\n`,
      );
    }
  }
  if (secretCount > 0)
    io.err(`${secretCount} found. Remove them, or add firewall:allow to a line that is an example.\n`);
  return secretCount > 0 ? EXIT.found : EXIT.fine;
}
