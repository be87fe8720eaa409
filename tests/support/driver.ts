import type { Db } from "@/lib/platform/db";

/** A statement outside a transaction, and what the database sent for it. */
export type Statement = { text: string; rows: number; bytes: number };

/** Records the statements of a pool while `work` runs. */
export async function watchDriver(db: Db, work: () => Promise<unknown>): Promise<Statement[]> {
  const pool = db.$client;
  const { query } = pool;
  const statements: Statement[] = [];
  Object.assign(pool, {
    query: async (...args: unknown[]) => {
      const result = await Reflect.apply(query, pool, args);
      const [statement] = args;
      const text = typeof statement === "string" ? statement : (statement as { text: string }).text;
      statements.push({ text, rows: result.rows.length, bytes: bytesIn(result.rows) });
      return result;
    },
  });
  try {
    await work();
  } finally {
    Object.assign(pool, { query });
  }
  return statements;
}

const sum = (numbers: number[]) => numbers.reduce((all, each) => all + each, 0);
export const bytesOf = (statements: readonly Statement[]) => sum(statements.map(({ bytes }) => bytes));

function bytesIn(value: unknown): number {
  if (typeof value === "string") return Buffer.byteLength(value);
  if (Buffer.isBuffer(value)) return value.length;
  if (value instanceof Date || typeof value !== "object" || value === null) return 8;
  return sum(Object.values(value).map(bytesIn));
}
