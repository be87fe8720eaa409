import { addSeconds } from "@/lib/core/time";
import type { System } from "@/lib/platform/context";
import { ANSWER_DAYS } from "./rules";
import * as store from "./store";

const DAY_SECONDS = 86_400;
const AT_ONCE = 1000;

/**
 * Deletes the stored answers of ended purchases whose key was last used more than ANSWER_DAYS ago; returns their number. The
 * rest of the row is kept, so that the key never pays again.
 */
export async function forgetOldAnswers({ db, now }: Pick<System, "db" | "now">): Promise<number> {
  const time = now();
  const cutoff = addSeconds(time, -ANSWER_DAYS * DAY_SECONDS);
  let sum = 0;
  for (let count = AT_ONCE; count === AT_ONCE; sum += count)
    count = await store.forgetAnswers(db, { before: cutoff, at: time, limit: AT_ONCE });
  return sum;
}
