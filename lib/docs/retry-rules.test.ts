import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { STATUS } from "@/lib/core/errors";
import { RETRY_RULES, retryOf } from "@/lib/core/retry";
import { errorCatalogue } from "./service";

/** `answer`: the first cell, with the status and the codes. `rule`: the value of `retry` that the row claims. */
type Row = { readonly answer: string; readonly rule: string };

const rowsOf = (file: string): Row[] =>
  readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .map((line) => line.split("|").map((cell) => cell.trim()))
    .flatMap(([, answer = "", rule = ""]) => {
      const name = /^`(\w+)`$/.exec(rule)?.[1];
      return name && name in RETRY_RULES && /^\d{3}\b/.test(answer) ? { answer, rule: name } : [];
    });

const kindOf = (status: number) => {
  const kinds = Object.keys(STATUS) as (keyof typeof STATUS)[];
  const kind = kinds.find((each) => STATUS[each] === status);
  if (!kind) throw new Error(`no error has the status ${status}`);
  return kind;
};

const catalogue = errorCatalogue();
const rows = rowsOf("docs/guides/retry-rules.md");

describe("the documented tables of retry rules", () => {
  test("have a row for each rule that a payment can get", () => {
    const met = ["same_request", "wait", "read_first", "never_again", "new_proof", "fix_request", "ask_user"];
    expect([...new Set(rows.map(({ rule }) => rule))].sort()).toEqual(met.sort());
  });

  test.each(rows)("state for $answer the rule that the error has", ({ answer, rule }) => {
    const statuses = [...(answer.split(/[[`]/)[0] ?? "").matchAll(/\d{3}/g)].map(([status]) => Number(status));
    const codes = [...answer.matchAll(/`([A-Za-z]+_[A-Za-z_]+)`/g)].map(([, code]) => code ?? "");
    const body = {
      stillValidUntil: answer.includes(" with `stillValidUntil`") ? "2026-01-01T00:00:00Z" : null,
      ...(answer.includes(" with `pendingPayments`") && { pendingPayments: 1 }),
      callEnd: / with `callEnd: (\w+)`/.exec(answer)?.[1],
    };
    for (const status of statuses) {
      for (const code of codes) {
        expect(catalogue.find(({ key }) => key === code.toLowerCase())?.statuses).toContain(status);
      }
      const ofCodes = (codes.length > 0 ? codes : [""]).map((code) => retryOf(code, kindOf(status), body));
      expect(new Set(ofCodes)).toEqual(new Set([rule]));
    }
  });
});
