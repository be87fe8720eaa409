import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openSystem } from "../support/system";
import { createWorld, type World } from "../support/world";

/** Operators copy these statements during incidents: each has to run on the schema of this version. */
const text = readFileSync("docs/operations.md", "utf8");
const blocks = [...text.matchAll(/^```sql\n(.*?)^```/gms)].map(([, block = ""]) => block);
const inline = [...text.matchAll(/`((?:select|update|delete) [^`]+)`/g)].map(([, statement = ""]) => statement);
const statements = [...blocks.flatMap((block) => block.replace(/--.*$/gm, "").split(";")), ...inline]
  .map((statement) => statement.trim())
  .filter(Boolean);

let world: World;
let testSystem: ReturnType<typeof openSystem>;

beforeAll(async () => {
  world = await createWorld();
  testSystem = openSystem();
});
afterAll(async () => {
  await testSystem?.close();
  await world?.stop();
});

test("docs/operations.md has statements", () => {
  expect(statements.length).toBeGreaterThan(10);
});

test.each(statements)("%s", async (statement) => {
  const undone = new Error("undone");
  const running = testSystem.sql.begin(async (sql) => {
    await sql.unsafe(statement.replace("<eth_getTransactionCount>", "0x1f"));
    throw undone;
  });
  await expect(running).rejects.toBe(undone);
});
