import { hostOfResource, withoutQuery } from "@/lib/core/host";
import type { OwnerId } from "@/lib/core/ids";
import type { System } from "@/lib/platform/context";
import type { Queryable } from "@/lib/platform/db";
import type { Subscriber } from "@/lib/platform/subscriber";
import type { HostHistory } from "@/lib/platform/summary";
import type { NetworkName } from "@/lib/x402/networks";
import * as store from "./store";

/** What an owner would pay for. */
export type PaidUrl = { ownerId: OwnerId; network: NetworkName; resource: string };

/** Bounds the time of a query. */
const PAYMENTS_MAX = 500;

/** What became of the owner's newest payments for the host of a URL; null for a URL that cannot be paid. */
export const historyOf = ({ db }: Pick<System, "db">, paidUrl: PaidUrl): Promise<HostHistory | null> =>
  read(db, paidUrl);

export const subscriber: Subscriber = {
  knownPayee: async (db, { ownerId, network, resource }) =>
    resource === null ? {} : { hostHistory: await read(db, { ownerId, network, resource }) },
};

async function read(db: Queryable, { resource, ...payer }: PaidUrl): Promise<HostHistory | null> {
  const host = hostOfResource(resource);
  if (host === null) return null;
  return store.historyOf(db, { ...payer, host, url: withoutQuery(resource) }, PAYMENTS_MAX);
}
