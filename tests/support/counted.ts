import type { Db } from "@/lib/platform/db";

/** The same database, recording the first word of each query outside a transaction. */
export function counted(db: Db, queries: string[]): Db {
  const pool = db.$client;
  const { query } = pool;
  Object.assign(pool, {
    query: (...args: unknown[]) => {
      const [asked] = args;
      const text = typeof asked === "object" && asked !== null && "text" in asked ? asked.text : asked;
      queries.push(String(text).trim().split(/\s/)[0]?.toLowerCase() ?? "");
      return Reflect.apply(query, pool, args);
    },
  });
  return db;
}
