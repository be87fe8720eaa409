import { CHAIN_CHECKS, type Check, connectionCheck, databaseCheck, fail, ok } from "./platform/checks";
import { sampleKeys } from "./platform/sealed-store";
import { vaultCheck } from "./vaults/checks";
import { NETWORK_NAMES } from "./x402/networks";

/** Opens one secret of each kind: enough to detect another installation's key, or a key that was removed too early. */
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
          `it does not open the secrets in this database (table ${table})`,
          "Set it to the key that sealed them, or to <new>,<old>. Without that key the money in the wallets is lost",
        );
      }
    }
    return ok(stored.length > 0 ? `it opens ${stored.length} stored secrets` : "no secret is stored yet");
  },
};

/** The checks before the service starts and in `npm run doctor`. */
export const CHECKS: readonly Check[] = [
  databaseCheck,
  connectionCheck,
  ...CHAIN_CHECKS,
  ...NETWORK_NAMES.map(vaultCheck),
  masterKeyCheck,
];
