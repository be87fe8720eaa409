import { sql } from "drizzle-orm";
import pg from "pg";
import type { Queryable } from "./db";

/** `settlement_claimed` and `relayer_sent` carry the network, `settlement_ended` the settlement's id. */
export type Channel = "settlement_claimed" | "relayer_sent" | "settlement_ended";

const CHANNELS = ["settlement_claimed", "relayer_sent", "settlement_ended"] as const satisfies Channel[];

/** Tells every replica, once the surrounding transaction commits. */
export async function notify(db: Queryable, channel: Channel, payload: string): Promise<void> {
  await db.execute(sql`select pg_notify(${channel}, ${payload})`);
}

/** Messages between replicas over LISTEN/NOTIFY. They may be lost with a connection: every listener also looks for itself. */
export type Hub = {
  on: (channel: Channel, heard: (payload: string) => void) => () => void;
  close: () => Promise<void>;
};

const RECONNECT_MS = 500;

/** Listens on a connection of its own, made at the first use and made again whenever it breaks. */
export function openHub(url: string): Hub {
  const listeners = new Map<string, Set<(payload: string) => void>>();
  let client: pg.Client | null = null;
  let isClosed = false;
  let timer: NodeJS.Timeout | null = null;

  /** A broken connection may say so twice, by an error and by its end: one attempt follows all the same. */
  const later = () => {
    if (isClosed || timer) return;
    timer = setTimeout(() => {
      timer = null;
      reconnect();
    }, RECONNECT_MS).unref();
  };

  const connect = async () => {
    const mine = new pg.Client({ connectionString: url, application_name: "tessera hub", keepAlive: true });
    client = mine;
    mine.on("notification", ({ channel, payload = "" }) => {
      for (const heard of listeners.get(channel) ?? []) heard(payload);
    });
    mine.on("error", () => {});
    mine.once("end", () => mine === client && later());
    await mine.connect();
    for (const channel of CHANNELS) await mine.query(`listen ${channel}`);
  };

  const reconnect = () => {
    // Whoever listens polls as well: a database that is away is reported where it is asked for something.
    connect().catch(later);
  };

  return {
    on: (channel, heard) => {
      if (!client) reconnect();
      const set = listeners.get(channel) ?? new Set();
      listeners.set(channel, set.add(heard));
      return () => void set.delete(heard);
    },
    close: async () => {
      isClosed = true;
      await client?.end();
    },
  };
}
