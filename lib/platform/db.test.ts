import { expect, test } from "vitest";
import { openDatabase } from "./db";

/** A database whose only connection answers each statement as `answer` does, and what was given back: the error that ends a connection. */
function opened(answer: (text: string) => Promise<unknown>) {
  const { db } = openDatabase("postgres://nobody@127.0.0.1:1/none", 1);
  const released: unknown[] = [];
  const client = {
    query: (query: string | { text: string }) => answer(typeof query === "string" ? query : query.text),
    release: (error?: Error) => void released.push(error),
  };
  db.$client.connect = (async () => client) as never;
  return { db, released };
}
const rows = { rows: [], rowCount: 0 };
const lost = new Error("Connection terminated unexpectedly");

test.each(["begin", "commit", "rollback"])(
  "a connection that is lost at %s is given back, and used no more",
  async (at) => {
    const { db, released } = opened(async (text) => {
      if (text === at) throw lost;
      return rows;
    });
    const work = async () => {
      if (at === "rollback") throw new Error("refused");
    };
    await expect(db.transaction(work)).rejects.toMatchObject({ cause: lost });
    expect(released).toMatchObject([{ cause: lost }]);
  },
);

test("a connection is used again after a transaction, also one that was rolled back", async () => {
  const { db, released } = opened(async () => rows);
  expect(await db.transaction(async () => 1)).toBe(1);
  await expect(
    db.transaction(async () => {
      throw new Error("refused");
    }),
  ).rejects.toThrow("refused");
  expect(released).toEqual([undefined, undefined]);
});
