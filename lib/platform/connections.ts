import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import type { Duplex } from "node:stream";

/** Shorter than the five seconds after which many servers close an idle connection. */
const IDLE_MS = 4_000;
/** For how long the addresses of a name are used without another lookup. */
const ADDRESSES_MS = 10_000;
/** Idle connections to one origin, and in all: each takes a file descriptor. */
const IDLE_PER_ORIGIN = 32;
const IDLE_MAX = 1_000;
const ORIGINS_MAX = 1_000;

/** An origin's connections, and the checked addresses to which they lead. */
export type OpenOrigin = { agent: HttpAgent; addresses: readonly string[] };

/** Connections that stay open between requests. */
export type Connections = {
  /** Those to the URL's origin, if its addresses were checked lately; otherwise null. */
  find: (url: URL) => OpenOrigin | null;
  /** Those to the URL's origin at these addresses, which were just checked. */
  open: (url: URL, addresses: readonly string[]) => OpenOrigin;
  /** Closes the idle ones, and has the next request look the addresses up again. */
  forget: (url: URL) => void;
};

/** `of`: the connections of one scope, which no other uses. What an origin does to a connection concerns its own scope only. */
export function createConnections(nowMs = () => performance.now()) {
  const origins = new Map<string, OpenOrigin & { checkedAtMs: number }>();
  const idle = new Set<Duplex>();

  function remove(key: string): void {
    const removed = origins.get(key);
    origins.delete(key);
    if (removed) retire(removed.agent);
  }

  return {
    of(scope: string): Connections {
      const keyOf = ({ origin }: URL) => `${scope} ${origin}`;
      return {
        find(url) {
          const found = origins.get(keyOf(url));
          return found && nowMs() - found.checkedAtMs < ADDRESSES_MS ? found : null;
        },
        open(url, addresses) {
          const key = keyOf(url);
          const last = origins.get(key);
          const isSame = last?.addresses.toSorted().join() === addresses.toSorted().join();
          if (last && !isSame) remove(key);
          const agent = last && isSame ? last.agent : createAgent(url, idle);
          const opened = { agent, addresses, checkedAtMs: nowMs() };
          origins.delete(key);
          origins.set(key, opened);
          const [oldest] = origins.keys();
          if (origins.size > ORIGINS_MAX && oldest !== undefined) remove(oldest);
          return opened;
        },
        forget: (url) => remove(keyOf(url)),
      };
    },
    idleCount: () => idle.size,
  };
}

/** Its idle connections close, and those in use once they become idle. */
function retire(agent: HttpAgent): void {
  agent.maxFreeSockets = 0;
  for (const sockets of Object.values(agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
}

/**
 * Node's own timeout ends at each byte that arrives. What arrives on an idle connection belongs to no request, and would be read as the
 * response to the next one.
 */
function createAgent({ protocol }: URL, idle: Set<Duplex>): HttpAgent {
  const options = {
    keepAlive: true,
    // Node ends it earlier where the server says so.
    timeout: IDLE_MS,
    maxFreeSockets: IDLE_PER_ORIGIN,
    // The one that was idle longest is used first: until then, such bytes have arrived.
    scheduling: "fifo",
  } as const;
  const agent = protocol === "https:" ? new HttpsAgent(options) : new HttpAgent(options);
  const ends = new WeakMap<Duplex, () => void>();
  const keep = agent.keepSocketAlive.bind(agent) as (socket: Duplex) => boolean;
  const reuse = agent.reuseSocket.bind(agent);
  agent.keepSocketAlive = (socket): boolean => {
    if (idle.size >= IDLE_MAX || !keep(socket)) return false;
    const drop = () => void socket.destroy();
    const timer = setTimeout(drop, IDLE_MS).unref();
    const end = () => {
      idle.delete(socket);
      clearTimeout(timer);
      socket.off("data", drop).off("close", end);
    };
    ends.set(socket, end);
    idle.add(socket);
    socket.once("data", drop).once("close", end);
    return true;
  };
  agent.reuseSocket = (socket, request) => {
    ends.get(socket)?.();
    reuse(socket, request);
  };
  return agent;
}
