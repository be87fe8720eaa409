import { AppError } from "@/lib/core/errors";
import { type Cursor, cutAfter } from "@/lib/core/page";
import { addSeconds } from "@/lib/core/time";
import type { System } from "@/lib/platform/context";
import type { Job } from "@/lib/platform/worker";
import { recordPaid } from "./decide";
import * as lists from "./list-store";

const DAY_SECONDS = 86_400;
/** How far back the transfers of an authorization are found on the chain. */
const DAYS_BACK = 40;
const AT_ONCE = 100;

/**
 * Once after each start, which follows a restore, records payouts as paid that nobody has decided here, if the chain shows their transfers: their owner
 * approved them after the backup from which the database was restored.
 */
export function paidBeforeJob(system: System): Job {
  let cursor: Cursor | null = null;
  let isDone = false;
  return {
    name: "payouts-paid-before",
    round: async () => {
      // Each payout costs a call of the chain, and agents can request many.
      if (isDone) return DAY_SECONDS * 1000;
      const since = addSeconds(system.now(), -DAYS_BACK * DAY_SECONDS);
      const undecided = await lists.listUndecided(system.db, { since, cursor, limit: AT_ONCE + 1 });
      const page = cutAfter(undecided, AT_ONCE, ({ payout }) => ({ time: payout.createdAt, id: payout.id }));
      for (const row of page.rows)
        await recordPaid(system, row).catch((error: unknown) => {
          // One payout's refusal harms no other.
          if (!(error instanceof AppError)) throw error;
          system.log.warn({ payoutId: row.payout.id, code: error.code }, "payout.not_recorded");
        });
      cursor = page.next;
      isDone = cursor === null;
      return isDone ? DAY_SECONDS * 1000 : 0;
    },
  };
}
