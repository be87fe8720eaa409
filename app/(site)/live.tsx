import { cache } from "react";
import { Live } from "@/components/live/live";
import * as approvals from "@/lib/approvals/service";
import { newestEventId } from "@/lib/live/service";
import { countWaiting } from "@/lib/mandates/lists";
import * as payees from "@/lib/payees/service";
import * as payouts from "@/lib/payouts/owner/service";
import * as refunds from "@/lib/refunds/service";
import { ownerContext } from "./dashboard/viewer";

const MANDATES_MAX = 20;

/** The number of decisions that wait for the owner. Each list is counted up to its limit. */
export const waitingCount = cache(async (): Promise<number> => {
  const ctx = await ownerContext();
  if (!ctx) return 0;
  const [mandates, ...lists] = await Promise.all([
    countWaiting(ctx, MANDATES_MAX),
    approvals.listWaiting(ctx),
    payees.listWaiting(ctx),
    payouts.listWaiting(ctx),
    refunds.listWaiting(ctx),
  ]);
  return lists.reduce((sum, { length }) => sum + length, mandates);
});

/** The number of pending decisions as a prefix for page titles, visible when the tab is in the background. */
export async function titlePrefix(): Promise<string> {
  const count = await waitingCount();
  return count > 0 ? `(${count}) ` : "";
}

/** Refreshes the page of a signed-in owner on events, and binds its calls to them. Renders nothing without a session. */
export async function LiveOwner() {
  const ctx = await ownerContext();
  if (!ctx) return null;
  const [count, since] = await Promise.all([waitingCount(), newestEventId(ctx)]);
  return <Live owner={ctx.actor.address} since={since ?? ""} news={newsOf(count)} />;
}

const newsOf = (count: number) => {
  if (count === 0) return "Nothing is waiting for you";
  return count === 1 ? "One decision is waiting for you" : `${count} decisions are waiting for you`;
};
