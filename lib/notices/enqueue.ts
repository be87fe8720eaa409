import { type AgentId, id, type MandateId, newId, type OwnerId } from "@/lib/core/ids";
import { addSeconds } from "@/lib/core/time";
import type { System } from "@/lib/platform/context";
import type { Tx } from "@/lib/platform/db";
import type { PastEvent } from "@/lib/platform/events";
import { bodyOf, budgetNotice, isLow, type Notice, noticeOf } from "./rules";
import * as store from "./store";
import { unsubscribeToken } from "./tokens";

/** Mails of an owner in an hour. What comes above is not sent: the pages show it. */
export const MAILS_PER_HOUR = 20;
const HOUR_SECONDS = 3_600;

export type Owned = { event: PastEvent; ownerId: OwnerId };

const mandateIdOf = id("mandate");

/** Writes the mails about events that are being passed on, in the same transaction: each event is passed on once. */
export async function enqueue(system: System, tx: Tx, owned: readonly Owned[]): Promise<void> {
  if (system.config.mail === null || owned.length === 0) return;
  const at = system.now();
  const recipients = await store.recipientsAmong(tx, [...new Set(owned.map(({ ownerId }) => ownerId))]);
  if (recipients.length === 0) return;
  const ownerIds = recipients.map(({ ownerId }) => ownerId);
  const byOwner = new Map(recipients.map((recipient) => [recipient.ownerId, recipient]));
  const relevant = owned.filter(({ ownerId }) => byOwner.has(ownerId));
  // Recorded from branded ids.
  const agentIds = relevant.flatMap(({ event: { agentId } }) => (agentId === null ? [] : [agentId as AgentId]));
  const names = await store.namesOf(tx, [...new Set(agentIds)]);
  const counts = await store.countSince(tx, ownerIds, addSeconds(at, -HOUR_SECONDS));
  const notices = [
    ...relevant.flatMap(({ ownerId, event }) => {
      const agentName = event.agentId === null ? null : (names.get(event.agentId) ?? null);
      const notice = noticeOf({ ...event, agentName });
      return notice ? [{ ownerId, notice }] : [];
    }),
    ...(await lowBudgets(tx, relevant)),
  ];
  const rows = [];
  for (const { ownerId, notice } of notices) {
    const recipient = byOwner.get(ownerId);
    const count = counts.get(ownerId) ?? 0;
    if (!recipient?.kinds.includes(notice.kind) || count >= MAILS_PER_HOUR) continue;
    counts.set(ownerId, count + 1);
    rows.push(await rowOf(system, recipient, notice, at));
  }
  await store.add(tx, rows);
}

/** Mandates whose budget a settled payment has brought near its end. */
async function lowBudgets(tx: Tx, owned: readonly Owned[]): Promise<{ ownerId: OwnerId; notice: Notice }[]> {
  const ids = owned.flatMap(({ event }): MandateId[] => {
    const read = event.type === "payment.settled" ? mandateIdOf.safeParse(event.meta.mandateId) : null;
    return read?.success ? [read.data] : [];
  });
  const budgets = await store.budgetsOf(tx, [...new Set(ids)]);
  return budgets.flatMap((budget) =>
    budget.ownerId !== null && isLow(budget) ? [{ ownerId: budget.ownerId, notice: budgetNotice(budget) }] : [],
  );
}

async function rowOf(system: System, { ownerId, email }: store.Recipient, notice: Notice, at: Date) {
  const { baseUrl } = system.config;
  const token = encodeURIComponent(await unsubscribeToken(system, ownerId));
  return {
    ...{ id: newId("mail"), ownerId, email, about: notice.about, kind: notice.kind, subject: notice.subject },
    body: bodyOf(notice, baseUrl, `${baseUrl}/notices/unsubscribe?token=${token}`),
    state: "waiting" as const,
    nextAttemptAt: at,
    createdAt: at,
  };
}
