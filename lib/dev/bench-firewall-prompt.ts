import { type PromptScan, scanPrompt, scanWith } from "@/lib/firewall/rules/prompt";
import { corpora, type EvasionRow, folds, kindOf, type PromptRow, type SecretRow } from "./firewall-corpora";
import { examplesOf, roundedWeights, train } from "./firewall-training";

type Scored = { row: PromptRow; scan: PromptScan };

/** Every text judged by weights that have seen nothing of its source. */
export function benchPrompts(details = false): void {
  const scored = scoredPrompts();
  for (const kind of ["core", "multilingual", "other"] as const) tell(kind, scored.filter(({ row }) => kindOf(row) === kind));
  const benign = scored.filter(({ row }) => row.label === 0 && !row.quotes_payload);
  tell("benign", benign);
  tell("benign that looks like attacks", benign.filter(({ row }) => row.hard !== undefined));
  tell("benign that quotes attacks", scored.filter(({ row }) => row.label === 0 && row.quotes_payload === true));
  if (details) {
    const groups = new Set(scored.map(({ row }) => `  ${row.source}, ${kindOf(row)}`));
    for (const name of groups) tell(name, scored.filter(({ row }) => name === `  ${row.source}, ${kindOf(row)}`));
  }
}

export function scoredPrompts(): Scored[] {
  const rows = corpora<PromptRow>("prompts.jsonl.gz");
  const trainable = rows.filter(({ train: may }) => may !== false);
  return folds.flatMap((fold, index) => {
    const weights = roundedWeights(train(examplesOf(trainable.filter(({ source }) => !fold.includes(source)))));
    const unseen = rows.filter((row) => fold.includes(row.source) || (index === 0 && row.train === false));
    return unseen.map((row): Scored => ({ row, scan: scanWith({ text: row.text }, weights) }));
  });
}

export function benchEvasions(details = false): void {
  const rows = corpora<EvasionRow>("evasions.jsonl.gz").map((row) => ({ row, scan: scanPrompt({ text: row.text }) }));
  const attacks = rows.filter(({ row }) => row.label === 1);
  tell("evasions", attacks);
  tell("evasions' look-alikes", rows.filter(({ row }) => row.label === 0));
  if (!details) return;
  for (const { row, scan } of rows) if ((scan.verdict === "pass") === (row.label === 1)) console.log("  ", row.technique, scan.riskScore, row.text.slice(0, 80));
}

export function benchSecrets(): void {
  const rows = corpora<SecretRow>("secrets.jsonl.gz").map((row) => ({ row, scan: scanPrompt({ text: row.text }) }));
  const hides = ({ row, scan }: (typeof rows)[number]) => (row.secret === null ? scan.redactedPreview.includes("[REDACTED]") : !scan.redactedPreview.includes(row.secret));
  const share = (name: string, group: typeof rows) => console.log(`${name}: redacted ${group.filter(hides).length} of ${group.length}`);
  share("wallet and key set", rows.filter(({ row }) => row.label === 1 && row.secret !== null));
  share("other scanners' examples", rows.filter(({ row }) => row.label === 1 && row.secret === null));
  share("decoys", rows.filter(({ row }) => row.label === 0 && row.kind.startsWith("decoy")));
  share("other scanners' decoys", rows.filter(({ row }) => row.label === 0 && !row.kind.startsWith("decoy")));
}

/** Times of one scan in microseconds; long and hostile texts besides the corpus. */
export function benchSpeed(): void {
  const texts = corpora<PromptRow>("prompts.jsonl.gz").filter((_, index) => index % 4 === 0).map(({ text }) => text);
  for (const text of texts.slice(0, 1500)) scanPrompt({ text });
  const times = texts.map((text) => timeOf(text)).sort((a, b) => a - b);
  const at = (share: number) => `${((times[Math.floor(times.length * share)] ?? 0) * 1000).toFixed(0)} µs`;
  console.log(`scan of a text of the corpus: p50 ${at(0.5)}, p99 ${at(0.99)}`);
  for (const [name, text] of Object.entries(hostileTexts(24_000))) {
    const runs = Array.from({ length: 15 }, () => timeOf(text)).sort((a, b) => a - b);
    console.log(`  24,000 characters, ${name}: ${(runs[7] ?? 0).toFixed(2)} ms`);
  }
}

/** Long texts made to be slow: whatever the scanner looks for, and never quite finds. */
export function hostileTexts(length: number): Record<string, string> {
  const filled = (unit: string) => unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
  return {
    "plain words": filled("the quick brown fox jumps over a lazy dog and then it sleeps until morning. "),
    triggers: filled("ignore your secret system password all "),
    "one letter": filled("a"),
    spaces: filled(" "),
    "single letters": filled("i g n o r e "),
    base64: filled("SWdub3JlIGFsbCBwcmV2aW91cyBpbnN0cnVjdGlvbnMu"),
    "base64 pieces": filled("SWdub3JlIGFsbCBwcmV2aW91cyBpbnN0cnVjdGlvbnMu "),
    escapes: filled("&#73;%49=49\\x49"),
    "key prefixes": filled("sk-ant-eyJ-xoxb-ghp_"),
    tokens: filled("eyJ-"),
    seeds: filled("abandon ability able about above absent absorb abstract absurd abuse access accident "),
    addresses: filled("://a:"),
    links: filled("](http://a?"),
    brackets: filled("[[[[<!--"),
    digits: filled("73 103 110 "),
    leet: filled("1gn0r3 pr3v10us "),
    glued: filled("ignoreallpreviousinstructions"),
    "other alphabets": filled("аll рrеvіоus 以前の指示を "),
    "unseen characters": filled("a\u200bb\u{e0041}\u0301"),
    disguises: filled("erongi suoiverp vtaber cerivbhf gnoreiay reviouspay 1gn0r3 pr3v10us i g n o r e a l l SWdub3JlIGFsbCBwcmV2aW91cw== &#73;&#103;&#110; "),
    names: filled("password=a key:b token is c "),
    morse: filled("... --- .-. "),
  };
}

function timeOf(text: string): number {
  const start = performance.now();
  scanPrompt({ text });
  return performance.now() - start;
}

function tell(name: string, group: readonly { scan: PromptScan }[]): void {
  const flagged = group.filter(({ scan }) => scan.verdict !== "pass").length;
  const blocked = group.filter(({ scan }) => scan.verdict === "block").length;
  const percent = (part: number) => `${((100 * part) / Math.max(1, group.length)).toFixed(2)} %`;
  console.log(`${name}: ${group.length} texts, review or block ${percent(flagged)}, block ${percent(blocked)}`);
}
