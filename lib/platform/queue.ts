import { sql } from "drizzle-orm";
import type postgres from "postgres";
import type { Queryable } from "./db";

/** `settlement_claimed` and `relayer_sent` carry the network, `settlement_ended` the settlement's id. */
export type Channel = "settlement_claimed" | "relayer_sent" | "settlement_ended";

/** Tells every replica, once the surrounding transaction commits. */
export async function notify(db: Queryable, channel: Channel, payload: string): Promise<void> {
  await db.execute(sql`select pg_notify(${channel}, ${payload})`);
}

/** Messages between replicas over LISTEN/NOTIFY. They may be lost with a connection: every listener also looks for itself. */
export type Hub = {
  on: (channel: Channel, heard: (payload: string) => void) => () => void;
};

export function openHub(client: postgres.Sql): Hub {
  const listeners = new Map<Channel, Set<(payload: string) => void>>();
  const started = new Set<Channel>();

  const start = (channel: Channel) => {
    if (started.has(channel)) return;
    started.add(channel);
    const hear = (payload: string) => {
      for (const heard of listeners.get(channel) ?? []) heard(payload);
    };
    // postgres.js listens again by itself when the connection comes back; only the first attempt can fail here.
    client.listen(channel, hear).catch(() => started.delete(channel));
  };

  return {
    on: (channel, heard) => {
      const set = listeners.get(channel) ?? new Set();
      listeners.set(channel, set.add(heard));
      start(channel);
      return () => void set.delete(heard);
    },
  };
}
