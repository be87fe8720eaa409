import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { setBounded } from "@/lib/core/bounded";

/** Shorter than the five seconds after which many servers close an idle connection. */
const IDLE_MS = 4_000;
/** For how long the addresses of a name are used without another lookup. */
const ADDRESSES_MS = 10_000;
/** Idle connections to one origin, and origins: as many file descriptors as their product. */
const IDLE_MAX = 32;
const ORIGINS_MAX = 100;

/** An origin's connections, and the checked addresses to which they lead. */
export type OpenOrigin = { agent: HttpAgent; addresses: readonly string[] };

/** Connections that stay open between requests. */
export type Connections = {
  /** Those to the URL's origin, if its addresses were checked lately; otherwise null. */
  find: (url: URL) => OpenOrigin | null;
  /** Those to the URL's origin at these addresses, which were just checked. */
  open: (url: URL, addresses: readonly string[]) => OpenOrigin;
  /** Has the next request look the addresses up again. */
  forget: (url: URL) => void;
};

/** `of`: the connections of one scope, which no other uses. What an origin does to a connection concerns its own scope only. */
export function createConnections(nowMs = () => performance.now()) {
  const origins = new Map<string, OpenOrigin & { checkedAtMs: number }>();
  return {
    of(scope: string): Connections {
      const keyOf = ({ origin }: URL) => `${scope} ${origin}`;
      return {
        find(url) {
          const found = origins.get(keyOf(url));
          return found && nowMs() - found.checkedAtMs < ADDRESSES_MS ? found : null;
        },
        open(url, addresses) {
          const last = origins.get(keyOf(url));
          const isSame = last?.addresses.toSorted().join() === addresses.toSorted().join();
          // Agents that nothing refers to are collected once their last connection has closed.
          const agent = last && isSame ? last.agent : createAgent(url);
          const opened = { agent, addresses, checkedAtMs: nowMs() };
          setBounded(origins, keyOf(url), opened, ORIGINS_MAX);
          return opened;
        },
        forget: (url) => void origins.delete(keyOf(url)),
      };
    },
  };
}

function createAgent({ protocol }: URL): HttpAgent {
  const options = { keepAlive: true, timeout: IDLE_MS, maxFreeSockets: IDLE_MAX };
  return protocol === "https:" ? new HttpsAgent(options) : new HttpAgent(options);
}
