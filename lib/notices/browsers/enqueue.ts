import { newId, type OwnerId } from "@/lib/core/ids";
import { addSeconds } from "@/lib/core/time";
import type { System } from "@/lib/platform/context";
import type { Tx } from "@/lib/platform/db";
import { quotaOf, quotas } from "../quotas";
import type { Notice } from "../rules";
import { vapidKeys } from "./keys";
import { bodyOf } from "./rules";
import * as store from "./store";

const HOUR_SECONDS = 3_600;

/** The browsers of these owners that receive notices. */
export const recipientsOf = async (system: System, tx: Tx, ownerIds: readonly OwnerId[]): Promise<store.Recipient[]> =>
  store.recipientsAmong(tx, ownerIds, (await vapidKeys(system)).publicKey);

/** Queues `notices` for the browsers that subscribed to their kind. */
export async function addPushes(
  tx: Tx,
  browsers: readonly store.Recipient[],
  notices: readonly { ownerId: OwnerId; notice: Notice }[],
  time: Date,
): Promise<void> {
  const ids = browsers.map(({ browserId }) => browserId);
  const take = quotas(await store.countSince(tx, ids, addSeconds(time, -HOUR_SECONDS)));
  const rows = browsers.flatMap(({ browserId, ownerId, kinds }) =>
    notices
      .filter((entry) => entry.ownerId === ownerId && kinds.includes(entry.notice.kind))
      .filter(({ notice }) => take(browserId, quotaOf(notice)))
      .map(({ notice }) => ({
        id: newId("push"),
        browserId,
        about: notice.about,
        body: bodyOf(notice),
        quota: quotaOf(notice),
        isUrgent: notice.kind === "approval_wanted",
        state: "waiting" as const,
        nextAttemptAt: time,
        createdAt: time,
      })),
  );
  await store.addPushes(tx, rows);
}
