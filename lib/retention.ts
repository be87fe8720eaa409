import { forgetOldAttempts } from "@/lib/attempts/service";
import { addSeconds } from "@/lib/core/time";
import { forgetOldAnswers } from "@/lib/http/idempotency";
import { forgetUnused } from "@/lib/links/files/service";
import * as images from "@/lib/links/images/service";
import * as upstream from "@/lib/links/upstream/service";
import { forgetVisits } from "@/lib/links/visits/store";
import { forgetEnded } from "@/lib/notices/browsers/store";
import * as outbox from "@/lib/notices/outbox";
import * as oauth from "@/lib/oauth/service";
import type { System } from "@/lib/platform/context";
import { forgetEvents, forgetTurns } from "@/lib/platform/retention-store";
import * as purchases from "@/lib/purchases/service";

const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 86_400;
const FILES_AT_ONCE = 20;
/** Small enough that no statement holds locks for long. */
const AT_ONCE = 1_000;

/**
 * Deletes a batch of old rows of each kind and returns whether there may be more. Every condition has an index. The webhook job deletes
 * webhook deliveries.
 * Why: docs/decisions.md, 166.
 */
export async function forgetOld(system: System): Promise<boolean> {
  const { db, now, config } = system;
  const counts = [
    await forgetOldAnswers(system, AT_ONCE),
    // An hour late: another process's clock may be behind, and the key's next request replaces its row anyway.
    await forgetTurns(db, addSeconds(now(), -HOUR_SECONDS), AT_ONCE),
    await forgetOldAttempts(system, AT_ONCE),
    await outbox.forgetOld(system, "mails", AT_ONCE),
    await outbox.forgetOld(system, "pushes", AT_ONCE),
    await upstream.forgetAnswers(system, AT_ONCE),
    await upstream.forgetEnded(system, AT_ONCE),
    // Browsers whose session was revoked or deleted.
    await forgetEnded(db, AT_ONCE),
    await oauth.forgetOld(system, AT_ONCE),
    // A file has up to 10 MB.
    (await forgetUnused(system, FILES_AT_ONCE)) === FILES_AT_ONCE ? AT_ONCE : 0,
    (await images.forgetUnused(system, AT_ONCE)) === AT_ONCE ? AT_ONCE : 0,
  ];
  if (config.historyDays !== null) {
    const cutoff = addSeconds(now(), -config.historyDays * DAY_SECONDS);
    counts.push(await forgetEvents(db, cutoff, AT_ONCE), await forgetVisits(db, cutoff, AT_ONCE));
  }
  await purchases.forgetOldAnswers(system);
  return counts.includes(AT_ONCE);
}
