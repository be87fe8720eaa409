import { sql } from "drizzle-orm";
import type pg from "pg";
import { batchedOn } from "./batch";
import { connections, type Db, type Queryable } from "./db";
import type { Log } from "./log";

/**
 * The payload of `settlement_claimed`, `relayer_sent`, `block_read` and `vault_changed` is the network, that of `settlement_ended`
 * the settlement's id, and that of `owner_changed` what announcements.ts writes.
 */
export type Channel = (typeof CHANNELS)[number];

const CHANNELS = [
  "settlement_claimed",
  "relayer_sent",
  "block_read",
  "vault_changed",
  "settlement_ended",
  "owner_changed",
] as const;

/** Sends messages to every replica when the surrounding transaction commits. */
export async function notify(db: Queryable, channel: Channel, ...payloads: string[]): Promise<void> {
  if (payloads.length === 0) return;
  await db.execute(sql`select pg_notify(${channel}, payload) from unnest(${sql.param(payloads)}::text[]) as payload`);
}

/**
 * Sends a message to every replica outside a transaction, batched with others. PostgreSQL commits transactions that notify one after
 * the other, so those that take payments call this after the commit. Never fails: a listener that misses a message sees the change at
 * its next poll.
 */
export function notifySoon({ db, log }: { db: Db; log: Log }, channel: Channel, payload: string): void {
  send(db, { channel, payload }).catch((err: unknown) => log.warn({ channel, err }, "message.send_failed"));
}

type Message = { channel: Channel; payload: string };

const send = batchedOn((db) => async (messages: readonly Message[]) => {
  for (const targetChannel of new Set(messages.map(({ channel }) => channel))) {
    const payloads = messages.filter(({ channel }) => channel === targetChannel).map(({ payload }) => payload);
    await notify(db, targetChannel, ...new Set(payloads));
  }
  return messages.map(() => undefined);
});

/** Messages between replicas over LISTEN/NOTIFY. A broken connection may lose them, so every listener also polls. */
export type Hub = {
  on: (channel: Channel, heard: (payload: string) => void) => () => void;
  close: () => Promise<void>;
};

const RECONNECT_MS = 500;

/** Listens on its own connection, opened at the first use and reopened whenever it breaks. `url` must not lead through a pooler. */
export function openHub(url: string): Hub {
  const servers = connections(url);
  const listeners = new Map<string, Set<(payload: string) => void>>();
  let client: pg.Client | null = null;
  let isClosed = false;
  let timer: NodeJS.Timeout | null = null;

  // A broken connection may emit both an error and its end: only one reconnect follows. Listeners also poll, and their queries
  // report a database that is down.
  const later = () => {
    if (isClosed || timer) return;
    timer = setTimeout(() => {
      timer = null;
      connect().catch(later);
    }, RECONNECT_MS).unref();
  };

  const connect = async () => {
    const mine = servers.create({ application_name: "tessera hub", keepAlive: true });
    client = mine;
    mine.on("notification", ({ channel, payload = "" }) => {
      for (const heard of listeners.get(channel) ?? []) heard(payload);
    });
    mine.on("error", () => {});
    mine.once("end", () => mine === client && later());
    await mine.connect();
    for (const channel of CHANNELS) await mine.query(`listen ${channel}`);
  };

  return {
    on: (channel, heard) => {
      if (!client) connect().catch(later);
      const set = listeners.get(channel) ?? new Set();
      listeners.set(channel, set.add(heard));
      return () => void set.delete(heard);
    },
    close: async () => {
      isClosed = true;
      servers.close();
      await client?.end();
    },
  };
}
