import vard from "@andersmyrmel/vard";
import { createGuardrails } from "@mjjuneja/llm-guardrails";
import { Guard, promptInjection } from "llm-io-guard";
import { detect } from "llm-prompt-guard";
import { scanPrompt } from "../src/prompt/scan.ts";
import type { EvasionRow, PromptRow } from "../training/prompt-corpora.ts";
import { isTrial } from "../training/trials.ts";
import { groups, type Scored } from "./prompt.ts";

/**
 * The figures of one scanner: the share of each group that it flags, in per cent, and documents per second of processor
 * time.
 */
export type Peer = {
  name: string;
  core: number;
  multilingual: number;
  benign: number;
  hard: number;
  evasions: number;
  lookalikes: number;
  documentsPerSecond: number;
};

type IsFlagged = (text: string) => boolean | Promise<boolean>;

const LENGTH_MAX = 1_000_000;
const ioGuard = new Guard({ input: [promptInjection()], onViolation: "block" });
const guardrails = createGuardrails({ blockPromptInjection: true, redactPII: false, redactSecrets: false });
const moderate = vard.moderate().maxLength(LENGTH_MAX);

/** Other scanners, set up for prompt injection as documented, with their default thresholds. */
const PEERS: readonly (readonly [name: string, isFlagged: IsFlagged])[] = [
  ["llm-io-guard", async (text) => !(await ioGuard.scanInput(text)).allowed],
  ["@mjjuneja/llm-guardrails", (text) => guardrails.validateInput(text).blocked],
  ["llm-prompt-guard", detect],
  ["@andersmyrmel/vard", (text) => !moderate.safeParse(text).safe],
];

export const OURS = "tessera";

/**
 * Compares ours with the others on the same texts, in the same process. Our verdicts are by weights that were not
 * trained on the source of the text (`scored`); our time is with the published weights.
 */
export async function peerFigures(
  scored: readonly Scored[],
  evasions: readonly EvasionRow[],
  report: (done: string) => void,
): Promise<Peer[]> {
  const rows = scored.map(({ row }) => row).filter((row) => !isTrial(row));
  const ours = new Map(scored.map(({ row, verdict }) => [row, verdict !== "pass"]));
  const figures: Peer[] = [];
  for (const [name, isFlagged] of [[OURS, isOursFlagged] as const, ...PEERS]) {
    report(`${name} over ${rows.length} texts`);
    const { flagged, documentsPerSecond } = await run(rows, isFlagged);
    const judged = name === OURS ? ours : flagged;
    figures.push({ name, ...sharesOf(judged), ...(await evasionShares(evasions, isFlagged)), documentsPerSecond });
  }
  return figures;
}

const isOursFlagged: IsFlagged = (text) => scanPrompt({ text }).verdict !== "pass";

async function run(rows: readonly PromptRow[], isFlagged: IsFlagged) {
  for (const { text } of rows.slice(0, WARM_UP)) await isFlagged(text);
  const flagged = new Map<PromptRow, boolean>();
  // Processor time: wall time would include other processes.
  const start = process.cpuUsage();
  for (const row of rows) {
    const answer = isFlagged(row.text);
    flagged.set(row, typeof answer === "boolean" ? answer : await answer);
  }
  const { user, system } = process.cpuUsage(start);
  return { flagged, documentsPerSecond: Math.round((rows.length * 1_000_000) / (user + system)) };
}

const WARM_UP = 500;

function sharesOf(flagged: ReadonlyMap<PromptRow, boolean>) {
  const of = (group: keyof typeof groups) => {
    const some = [...flagged].filter(([row]) => groups[group](row));
    return perCent(some.filter(([, isFlagged]) => isFlagged).length, some.length);
  };
  return { core: of("core"), multilingual: of("multilingual"), benign: of("benign"), hard: of("hard") };
}

async function evasionShares(rows: readonly EvasionRow[], isFlagged: IsFlagged) {
  const counts = { 0: { part: 0, whole: 0 }, 1: { part: 0, whole: 0 } };
  for (const { text, label } of rows) {
    counts[label].whole++;
    if (await isFlagged(text)) counts[label].part++;
  }
  return { evasions: perCent(counts[1].part, counts[1].whole), lookalikes: perCent(counts[0].part, counts[0].whole) };
}

/** Rounded to one decimal. */
const perCent = (part: number, whole: number): number => Math.round((1000 * part) / whole) / 10;
