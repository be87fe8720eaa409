import { describe, expect, test } from "vitest";
import { type Draft, readDraft } from "./drafts";
import { judge } from "./engine";
import { exampleOf, GALLERY } from "./gallery";
import { SCANNERS } from "./scanners";

const BODY_BYTES_MAX = 32_768;

function verdictOn(draft: Draft) {
  const reading = readDraft(draft, BODY_BYTES_MAX);
  if (reading.type !== "valid") throw new Error(reading.type);
  const judged = judge(reading.request);
  if (judged.type === "invalid") throw new Error(judged.refusal);
  return judged.report.scan;
}

describe.each(SCANNERS)("the gallery of examples for %s", (scanner) => {
  const examples = GALLERY[scanner];

  test("has at least ten attacks and ten harmless look-alikes, each with a unique id", () => {
    expect(examples.filter(({ isAttack }) => isAttack).length).toBeGreaterThanOrEqual(10);
    expect(examples.filter(({ isAttack }) => !isAttack).length).toBeGreaterThanOrEqual(10);
    expect(new Set(examples.map(({ id }) => id)).size).toBe(examples.length);
  });

  test.each(examples.map((example) => [example.id, example] as const))(
    "has an example %s with the promised verdict",
    (_, example) => {
      const { verdict } = verdictOn(example.draft);
      if (example.isAttack) expect(verdict).not.toBe("pass");
      else expect(verdict).not.toBe("block");
    },
  );

  test("compares an attack with a harmless look-alike", () => {
    for (const { twin, isAttack } of examples)
      if (twin !== undefined) expect(exampleOf(scanner, twin)?.isAttack).toBe(!isAttack);
  });
});
