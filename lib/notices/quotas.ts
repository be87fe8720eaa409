import type { Notice } from "./rules";

/**
 * Notices per hour to one address or browser. Notices above the quota are dropped; the pages still show them. Approvals, sign-ins
 * and received money have their own quotas, so that nothing else can use them up, least of all small payments, which cost a
 * stranger nothing.
 */
export const PER_HOUR = { approval_wanted: 20, sign_in: 20, money_received: 20, small_sum: 3, other: 20 } as const;

export type Quota = keyof typeof PER_HOUR;

export function quotaOf({ kind, isSmall = false }: Pick<Notice, "kind" | "isSmall">): Quota {
  if (kind === "money_received") return isSmall ? "small_sum" : kind;
  return kind === "approval_wanted" || kind === "sign_in" ? kind : "other";
}

export type Written = { id: string; quota: Quota; count: number };

/** Returns a function that takes one notice from the quota of `id` (an owner or a browser). `written`: those of the last hour. */
export function quotas(written: readonly Written[]): (id: string, quota: Quota) => boolean {
  const counts = new Map(written.map(({ id, quota, count }) => [`${id} ${quota}`, count]));
  return (id, quota) => {
    const key = `${id} ${quota}`;
    const count = counts.get(key) ?? 0;
    if (count >= PER_HOUR[quota]) return false;
    counts.set(key, count + 1);
    return true;
  };
}
