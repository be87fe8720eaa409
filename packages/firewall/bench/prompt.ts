import { scanPrompt } from "../src/prompt/scan.ts";
import { type EvasionRow, evasionRows, promptRows, secretRows } from "../training/prompt-corpora.ts";
import { hostileTexts } from "./hostile-texts.ts";
import { figureTable, type Goal, missing, share, type Table, timesOf, timeTable, timing } from "./report.ts";

export function evasionFigures(folder: string): Table {
  const title = "Prompt scan, disguised attacks";
  const rows = evasionRows(folder);
  if (rows === null) return missing(title, "evasions.jsonl.gz");
  const scored = rows.map((row) => ({ row, verdict: scanPrompt({ text: row.text }).verdict }));
  const isFlagged = ({ verdict }: { verdict: string }) => verdict !== "pass";
  const of = (label: EvasionRow["label"]) => scored.filter(({ row }) => row.label === label);
  const wrong = scored.filter((one) => isFlagged(one) === (one.row.label === 0));
  const figures = [
    share("attacks: review or block", of(1), isFlagged, { atLeast: 95 }),
    share("attacks: block", of(1), ({ verdict }) => verdict === "block"),
    share("harmless texts like attacks: review or block", of(0), isFlagged, { atMost: 0 }),
  ];
  const names = [...new Set(wrong.map(({ row }) => row.technique))].join(", ");
  return figureTable(title, figures, [`judged wrongly: ${names || "none"}`]);
}

export function secretFigures(folder: string, file: Parameters<typeof secretRows>[1]): Table {
  const isFirst = file === "secrets.jsonl.gz";
  const title = `Secrets in the redacted preview, ${isFirst ? "first" : "second"} collection`;
  const rows = secretRows(folder, file);
  if (rows === null) return missing(title, file);
  const scored = rows.map((row) => {
    const { redactedPreview } = scanPrompt({ text: row.text });
    const isHidden =
      row.secret === null ? redactedPreview.includes("[REDACTED]") : !redactedPreview.includes(row.secret);
    return { ...row, isHidden };
  });
  const hidden = (name: string, isOne: (row: (typeof scored)[number]) => boolean, goal?: Goal) =>
    share(name, scored.filter(isOne), ({ isHidden }) => isHidden, goal);
  const isDecoy = ({ kind }: { kind: string }) => kind.startsWith("decoy");
  return figureTable(title, [
    hidden("wallet and key set", ({ label, secret }) => label === 1 && secret !== null, {
      atLeast: isFirst ? 100 : 70,
    }),
    hidden("other scanners' examples", ({ label, secret }) => label === 1 && secret === null),
    hidden("decoys", (row) => row.label === 0 && isDecoy(row), { atMost: isFirst ? 2 : 2.5 }),
    hidden("other scanners' decoys", (row) => row.label === 0 && !isDecoy(row)),
  ]);
}

/** Times of the texts of the corpus, and of texts of the greatest length that are designed to be slow. */
export function promptSpeedFigures(folder: string): Table {
  const title = "Prompt scan, time";
  const rows = promptRows(folder);
  if (rows === null) return missing(title, "prompts.jsonl.gz");
  const times = timesOf((index) => scanPrompt({ text: rows[(index * 7) % rows.length]?.text ?? "" }), 2500);
  const hostile = Object.entries(hostileTexts(24_000)).map(([name, text]) =>
    timing(
      `24,000 characters, ${name}`,
      timesOf(() => scanPrompt({ text }), 200),
      { atMost: 3 },
    ),
  );
  return timeTable(title, [timing("a text of the corpus", times, { atMost: 2 }), ...hostile]);
}
