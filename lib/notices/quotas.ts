import type { Notice } from "./rules";

/**
 * How many notices come to one address or one browser in an hour; what comes above is not sent: the pages show it. What needs a
 * person, tells of a thief or says that money came cannot be used up by anything else, and least of all by sums that cost a
 * stranger nothing.
 */
export const PER_HOUR = { approval_wanted: 20, sign_in: 20, money_received: 20, small_sum: 3, other: 20 } as const;

export type Quota = keyof typeof PER_HOUR;

export function quotaOf({ kind, isSmall = false }: Pick<Notice, "kind" | "isSmall">): Quota {
  if (kind === "money_received") return isSmall ? "small_sum" : kind;
  return kind === "approval_wanted" || kind === "sign_in" ? kind : "other";
}

export type Written = { id: string; quota: Quota; count: number };

/** Whether `id`, an owner or a browser, may get one more. `written`: what it got in the last hour. */
export function quotas(written: readonly Written[]): (id: string, quota: Quota) => boolean {
  const keyOf = (id: string, quota: Quota) => `${id} ${quota}`;
  const counts = new Map(written.map(({ id, quota, count }) => [keyOf(id, quota), count]));
  return (id, quota) => {
    const key = keyOf(id, quota);
    const count = counts.get(key) ?? 0;
    if (count >= PER_HOUR[quota]) return false;
    counts.set(key, count + 1);
    return true;
  };
}
