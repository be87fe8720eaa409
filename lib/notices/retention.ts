import { addSeconds } from "@/lib/core/time";
import type { System } from "@/lib/platform/context";
import * as browsers from "./browsers/store";
import { forget } from "./outbox-store";

const KEPT_SECONDS = 30 * 86_400;

const getCutoff = ({ now }: Pick<System, "now">): Date => addSeconds(now(), -KEPT_SECONDS);

/** Deletes up to `limit` mails older than 30 days; returns their number. */
export const forgetOldMails = (system: Pick<System, "db" | "now">, limit: number): Promise<number> =>
  forget(system.db, "mails", getCutoff(system), limit);

export const forgetOldPushes = (system: Pick<System, "db" | "now">, limit: number): Promise<number> =>
  forget(system.db, "pushes", getCutoff(system), limit);

/** Deletes up to `limit` browsers whose session was revoked or deleted; returns their number. */
export const forgetEndedBrowsers = ({ db }: Pick<System, "db">, limit: number): Promise<number> =>
  browsers.forgetEnded(db, limit);
