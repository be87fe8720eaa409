import { addSeconds } from "@/lib/core/time";
import type { System } from "@/lib/platform/context";
import * as store from "./store";

const KEPT_SECONDS = 30 * 86_400;

/** Deletes up to `limit` mails that are older than 30 days; returns their number. */
export const forgetOldMails = ({ db, now }: Pick<System, "db" | "now">, limit: number): Promise<number> =>
  store.forget(db, addSeconds(now(), -KEPT_SECONDS), limit);
