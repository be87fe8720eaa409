import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { alone, compared } from "./figures";
import { type Saved, saveInto } from "./save";

const file = join(mkdtempSync(join(tmpdir(), "tessera-save-")), "performance.md");
const TEXT = "# Performance\n\n<!-- figures -->\n<!-- /figures -->\n\nWords.\n";
const rows = () => readFileSync(file, "utf8").match(/^\| [^- ].*$/gm) ?? [];
const measured = () => readFileSync(file, "utf8").match(/^(?:Measured|Of these).*$/gm);
const save = (saved: Partial<Saved>) =>
  saveInto(file, { figures: [], failures: [], setting: "two cores", day: "2026-01-01", parts: null, ...saved });

test("a full run replaces the table, and a partial run only its own rows", () => {
  writeFileSync(file, TEXT);
  save({ figures: [alone("memory", 300, { unit: "MB" }), alone("CPU", 1, { unit: "s" })] });
  save({
    figures: [alone("CPU", 2, { unit: "s" }), compared("CPU", [2, 1], { unit: "s", is: "theirs" })],
    parts: ["cpu"],
    day: "2026-02-02",
  });
  expect(rows()).toEqual([
    "| memory | 300 MB |  |  |  |  |",
    "| CPU | 2 s |  |  |  |  |",
    "| CPU | 2 s | 1 s | 2× | theirs |  |",
  ]);
  expect(measured()).toEqual([
    "Measured on 2026-01-01: two cores.",
    "Of these, cpu: measured on 2026-02-02: two cores.",
  ]);
  save({ parts: ["cpu"], day: "2026-03-03" });
  expect(measured()).toEqual([
    "Measured on 2026-01-01: two cores.",
    "Of these, cpu: measured on 2026-03-03: two cores.",
  ]);
  save({ figures: [alone("gas", 3, { unit: "gas" })], failures: ["memory: no such process"] });
  expect(rows()).toEqual(["| gas | 3 gas |  |  |  |  |"]);
  expect(measured()).toEqual(["Measured on 2026-01-01: two cores."]);
  const text = readFileSync(file, "utf8");
  expect(text).toContain("Not measured: memory: no such process.");
  expect(text).toMatch(/^# Performance\n\n<!-- figures -->\n[\s\S]+\n<!-- \/figures -->\n\nWords\.\n$/);
});
