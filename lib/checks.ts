import { CHAIN_CHECKS } from "./platform/chain-checks";
import { type Check, fail, ok } from "./platform/checks";
import { databaseCheck } from "./platform/database-check";
import { sampleKeys } from "./platform/sealed-store";

/** Opens one secret of each kind: enough to notice another installation's key, or one that was taken out too early. */
const masterKeyCheck: Check = {
  name: "stored secrets",
  variable: "MASTER_KEY",
  run: async ({ db, vault }) => {
    const stored = await sampleKeys(db);
    for (const { table, id, sealed } of stored) {
      try {
        vault.open(sealed, id);
      } catch {
        return fail(
          `it does not open the secrets that this database holds (table ${table})`,
          "Set it to the key they were sealed with, or to <new>,<old>; without that key the money in the wallets is lost",
        );
      }
    }
    return ok(stored.length > 0 ? `it opens ${stored.length} stored secrets` : "no secret is stored yet");
  },
};

/** What is checked before the service starts, and by `npm run doctor`. */
export const CHECKS: readonly Check[] = [databaseCheck, ...CHAIN_CHECKS, masterKeyCheck];
