import type { Db } from "@/lib/platform/db";

/** The same database, recording the first word of each query outside a transaction. */
export function counted(db: Db, queries: string[]): Db {
  const pool = db.$client;
  const { query } = pool;
  Object.assign(pool, {
    query: (...args: unknown[]) => {
      const [statement] = args;
      const text =
        typeof statement === "object" && statement !== null && "text" in statement ? statement.text : statement;
      queries.push(String(text).trim().split(/\s/)[0]?.toLowerCase() ?? "");
      return Reflect.apply(query, pool, args);
    },
  });
  return db;
}
