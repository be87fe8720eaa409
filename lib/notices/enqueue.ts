import { id } from "@/lib/core/id-text";
import { type AgentId, type MandateId, newId, type OwnerId } from "@/lib/core/ids";
import { addSeconds } from "@/lib/core/time";
import { noteNearlyUsed } from "@/lib/mandates/caps/service";
import type { System } from "@/lib/platform/context";
import type { Tx } from "@/lib/platform/db";
import type { PastEvent } from "@/lib/platform/events";
import { vapidKeys } from "./browsers/keys";
import { bodyOf as pushBodyOf } from "./browsers/rules";
import * as browserStore from "./browsers/store";
import { quotaOf, quotas } from "./quotas";
import { bodyOf, budgetNotice, capNotice, isLow, type Notice, noticeOf } from "./rules";
import * as store from "./store";
import { unsubscribeToken } from "./tokens";

const HOUR_SECONDS = 3_600;

export type Owned = { event: PastEvent; ownerId: OwnerId };

const mandateIdOf = id("mandate");

type About = { ownerId: OwnerId; notice: Notice };

/** Queues notices about the events in the transaction that takes them from the outbox, so each event is handled once. */
export async function enqueue(system: System, tx: Tx, owned: readonly Owned[]): Promise<void> {
  if (owned.length === 0) return;
  const time = system.now();
  const nearlyUsed = await usedCaps(tx, owned, time);
  const ownerIds = [...new Set(owned.map(({ ownerId }) => ownerId))];
  const recipients = system.config.mail === null ? [] : await store.recipientsAmong(tx, ownerIds);
  const browsers = await browserRecipients(system, tx, ownerIds);
  const notifiedOwnerIds = new Set([...recipients, ...browsers].map(({ ownerId }) => ownerId));
  if (notifiedOwnerIds.size === 0) return;
  const notified = owned.filter(({ ownerId }) => notifiedOwnerIds.has(ownerId));
  // Events record branded ids.
  const agentIds = notified.flatMap(({ event: { agentId } }) => (agentId === null ? [] : [agentId as AgentId]));
  const names = await store.namesOf(tx, [...new Set(agentIds)]);
  const notices: About[] = [
    ...notified.flatMap(({ ownerId, event }) => {
      const agentName = event.agentId === null ? null : (names.get(event.agentId) ?? null);
      const notice = noticeOf({ ...event, agentName });
      return notice ? [{ ownerId, notice }] : [];
    }),
    ...(await lowBudgets(tx, notified)),
    ...nearlyUsed.filter(({ ownerId }) => notifiedOwnerIds.has(ownerId)),
  ];
  if (recipients.length > 0) await store.add(tx, await mailsOf(system, tx, recipients, notices, time));
  if (browsers.length > 0) await browserStore.addPushes(tx, await pushesOf(tx, browsers, notices, time));
}

/** The browsers of these owners that receive notices. */
export const browserRecipients = async (
  system: System,
  tx: Tx,
  ownerIds: readonly OwnerId[],
): Promise<browserStore.PushRecipient[]> =>
  browserStore.recipientsAmong(tx, ownerIds, (await vapidKeys(system)).publicKey);

async function mailsOf(
  system: System,
  tx: Tx,
  recipients: readonly store.MailRecipient[],
  notices: readonly About[],
  time: Date,
) {
  const byOwner = new Map(recipients.map((recipient) => [recipient.ownerId, recipient]));
  const take = quotas(await store.countSince(tx, [...byOwner.keys()], addSeconds(time, -HOUR_SECONDS)));
  const rows = [];
  for (const { ownerId, notice } of notices) {
    const recipient = byOwner.get(ownerId);
    if (!recipient?.kinds.includes(notice.kind) || !take(ownerId, quotaOf(notice))) continue;
    rows.push(await rowOf(system, recipient, notice, time));
  }
  return rows;
}

/** The notices for the browsers that subscribed to their kind. */
async function pushesOf(
  tx: Tx,
  browsers: readonly browserStore.PushRecipient[],
  notices: readonly About[],
  time: Date,
) {
  const ids = browsers.map(({ browserId }) => browserId);
  const take = quotas(await browserStore.countSince(tx, ids, addSeconds(time, -HOUR_SECONDS)));
  return browsers.flatMap(({ browserId, ownerId, kinds }) =>
    notices
      .filter((entry) => entry.ownerId === ownerId && kinds.includes(entry.notice.kind))
      .filter(({ notice }) => take(browserId, quotaOf(notice)))
      .map(({ notice }) => ({
        id: newId("push"),
        browserId,
        about: notice.about,
        body: pushBodyOf(notice),
        quota: quotaOf(notice),
        isUrgent: notice.kind === "approval_wanted",
        state: "waiting" as const,
        nextAttemptAt: time,
        createdAt: time,
      })),
  );
}

/** Notices for mandates whose budget is nearly used after a settled payment. */
async function lowBudgets(tx: Tx, owned: readonly Owned[]): Promise<About[]> {
  const ids = owned.flatMap(({ event }): MandateId[] => {
    const parsedId = event.type === "payment.settled" ? mandateIdOf.safeParse(event.meta.mandateId) : null;
    return parsedId?.success ? [parsedId.data] : [];
  });
  const budgets = await store.budgetsOf(tx, [...new Set(ids)]);
  return budgets.flatMap((budget) =>
    budget.ownerId !== null && isLow(budget) ? [{ ownerId: budget.ownerId, notice: budgetNotice(budget) }] : [],
  );
}

/** Of what an owner's caps count: payments; payouts and purchases of credits. */
const SPENT = new Set(["payment.settled", "settlement.settled"]);

/** Notices for limits over all spending that are nearly used after something was paid; each is also an event, for webhooks. */
async function usedCaps(tx: Tx, owned: readonly Owned[], time: Date): Promise<About[]> {
  const spenders = owned.flatMap(({ ownerId, event }) => (SPENT.has(event.type) ? ownerId : []));
  const caps = await noteNearlyUsed(tx, [...new Set(spenders)], time);
  return caps.map(({ name: about, network, ownerId, agentName, use: { window, cap, usedAmount: used } }) => ({
    ownerId,
    notice: capNotice({ about, agentName, network, window, cap, used }),
  }));
}

async function rowOf(system: System, { ownerId, email }: store.MailRecipient, notice: Notice, time: Date) {
  const { baseUrl } = system.config;
  const token = encodeURIComponent(await unsubscribeToken(system, ownerId));
  return {
    id: newId("mail"),
    ownerId,
    email,
    about: notice.about,
    kind: notice.kind,
    subject: notice.subject,
    quota: quotaOf(notice),
    body: bodyOf(notice, baseUrl, `${baseUrl}/notices/unsubscribe?token=${token}`),
    state: "waiting" as const,
    nextAttemptAt: time,
    createdAt: time,
  };
}
