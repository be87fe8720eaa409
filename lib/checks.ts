import { sql } from "drizzle-orm";
import { CHAIN_CHECKS } from "./platform/chain-checks";
import { type Check, fail, ok } from "./platform/checks";
import { databaseCheck } from "./platform/database-check";
import { SEALED } from "./platform/sealed";

/** Kept answers are no reason not to start: they are forgotten after a day. */
const KEYS = SEALED.filter(({ column }) => column === "sealed_key");

/** Opens one secret of each kind: enough to notice another installation's key, or one that was taken out too early. */
const masterKeyCheck: Check = {
  name: "stored secrets",
  variable: "MASTER_KEY",
  run: async ({ db, vault }) => {
    let opened = 0;
    for (const { table, column, boundTo } of KEYS) {
      const [name, secret] = [sql.identifier(table), sql.identifier(column)];
      const { rows } = await db.execute<{ id: string; sealed: string }>(
        sql`select ${boundTo} as id, ${secret} as sealed from ${name} where ${secret} is not null limit 1`,
      );
      for (const { id, sealed } of rows) {
        try {
          vault.open(sealed, id);
          opened += 1;
        } catch {
          return fail(
            `it does not open the secrets that this database holds (table ${table})`,
            "Set it to the key they were sealed with, or to <new>,<old>; without that key the money in the wallets is lost",
          );
        }
      }
    }
    return ok(opened > 0 ? `it opens ${opened} stored secrets` : "no secret is stored yet");
  },
};

/** What is checked before the service starts, and by `npm run doctor`. */
export const CHECKS: readonly Check[] = [databaseCheck, ...CHAIN_CHECKS, masterKeyCheck];
