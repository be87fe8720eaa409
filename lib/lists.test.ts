import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

/** Columns of which one row may have kilobytes that others wrote. */
const LONG: Record<string, readonly string[]> = {
  paymentLinks: ["resourceContent", "metadata", "fields"],
  receivedPayments: ["content"],
  purchases: ["sealedAnswer"],
  idempotentRequests: ["sealedBody"],
  linkImages: ["data"],
  linkFileChunks: ["bytes"],
  sellerLogos: ["bytes"],
};
const TABLES = Object.keys(LONG).join("|");

/** One row, by its id or locked; `finder`: rows of concurrent requests, one each. */
const READS_ONE = /^(?:find|lock|finder$)/;
/** Reads whole links for the agent's API, as many as fit into the bytes of a page (tests/discovery/flooded.test.ts). */
const BOUNDED = new Set(["lib/links/store.ts listOwn"]);

const stores = execFileSync("git", ["ls-files", "lib"], { encoding: "utf8" })
  .split("\n")
  .filter((file) => file.endsWith("store.ts"));

type Declaration = { file: string; name: string; text: string };
const declarations: Declaration[] = stores.flatMap((file) =>
  readFileSync(file, "utf8")
    .split(/\n(?=(?:export )?(?:async )?(?:function|const) )/)
    .map((text) => ({
      file,
      text,
      name: /^(?:export )?(?:async )?(?:function|const) ([\w$]+|\{[^}]*\})/.exec(text)?.[1] ?? "",
    })),
);

/** Whether it reads all columns of a table with long ones. */
const readsAll = ({ text }: Declaration): boolean =>
  new RegExp(`\\.select\\(\\)\\s*\\.from\\((?:${TABLES})\\)`).test(text) ||
  (text.match(new RegExp(`getTableColumns\\((?:${TABLES})\\)`, "g")) ?? []).length > 0;

/** `const { content: _, ...listed } = getTableColumns(receivedPayments)` leaves them out. */
const leavesOut = ({ name, text }: Declaration): boolean =>
  Object.entries(LONG).every(
    ([table, columns]) =>
      !text.includes(`getTableColumns(${table})`) ||
      columns.every((column) => new RegExp(`\\b${column}\\b`).test(name)),
  );

describe("a database query that lists rows", () => {
  test("is found by this test", () => {
    expect(declarations.filter(readsAll).length).toBeGreaterThan(5);
  });

  test("never selects content, metadata, fields, answers or images, because it names its columns", () => {
    const whole = declarations
      .filter((each) => readsAll(each) && !READS_ONE.test(each.name) && !(each.name.startsWith("{") && leavesOut(each)))
      .map(({ file, name }) => `${file} ${name}`);
    expect(whole.filter((each) => !BOUNDED.has(each))).toEqual([]);
  });
});
