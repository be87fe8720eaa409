import { addSeconds } from "@/lib/core/time";
import type { System } from "@/lib/platform/context";
import * as store from "./store";

const KEPT_SECONDS = 90 * 86_400;

/** Deletes up to `limit` rows older than 90 days and returns their number. Their events remain in the owners' history. */
export const forgetOldAttempts = ({ db, now }: Pick<System, "db" | "now">, limit: number): Promise<number> =>
  store.forget(db, addSeconds(now(), -KEPT_SECONDS), limit);
