import pg from "pg";

/**
 * A connection string as PostgreSQL's own clients read it: several servers after the @, comma-separated, and
 * `target_session_attrs=read-write`. node-postgres knows only one server.
 */
export type Servers = {
  /** One connection string per server, in order. */
  urls: [string, ...string[]];
  isReadWrite: boolean;
};

/** Scheme, user and password, servers, the rest. A password's @ and , are percent-encoded in a URL. */
const URL_PARTS = /^(postgres(?:ql)?:\/\/)([^@/]*@)?([^/?]*)(.*)$/;

/** Throws on a string that is not a connection string. */
export function parseServers(text: string): Servers {
  const [, scheme = "", login = "", hosts = "", pathAndQuery = ""] = URL_PARTS.exec(text) ?? [];
  if (!hosts.includes(",") && !pathAndQuery.includes("target_session_attrs="))
    return { urls: [new URL(text) && text], isReadWrite: false };
  const index = pathAndQuery.indexOf("?");
  const path = index < 0 ? pathAndQuery : pathAndQuery.slice(0, index);
  const query = new URLSearchParams(index < 0 ? "" : pathAndQuery.slice(index + 1));
  const sessionAttrs = query.get("target_session_attrs") ?? "read-write";
  query.delete("target_session_attrs");
  const parameters = query.size > 0 ? `?${query}` : "";
  const urls = hosts.split(",").map((host) => new URL(`${scheme}${login}${host}${path}${parameters}`).href);
  const [first, ...otherUrls] = urls;
  if (first === undefined || !READ_WRITE.has(sessionAttrs))
    throw new Error(`target_session_attrs: ${sessionAttrs} is not supported`);
  return { urls: [first, ...otherUrls], isReadWrite: true };
}

export function isServerList(text: string): boolean {
  try {
    parseServers(text);
    return true;
  } catch {
    return false;
  }
}

/** The supported values. Both mean the same here: a standby refuses writes, a primary accepts them. */
const READ_WRITE = new Set(["read-write", "primary"]);

/** Thrown when no server can be used. Its code counts as "the database is down". */
class NoServer extends Error {
  readonly code = "57P03";
}

export type ServerPlace = { host: string; port: number };
type Listener = (place: ServerPlace) => void;

/** The socket below a client, which pg does not declare. */
type Socketed = { connection: { stream: { destroy: () => void } } };

/** Ends a client's connection without waiting for its server. */
export const cut = (client: pg.Client): void => (client as unknown as Socketed).connection.stream.destroy();

const PROBE_MS_MAX = 2_000;
const FRESH_MS = 1_000;
const WATCH_MS = 2_000;

export type Finder = {
  /** The server to connect to. Throws when none can be used. */
  find: () => Promise<ServerPlace>;
  /** Calls `listener` when the server to use changes. */
  onMove: (listener: Listener) => void;
  close: () => void;
};

type Shared = { finder: Finder; users: number };
const finders = new Map<string, Shared>();

/** The finder of a connection string, shared by all connections of this process; null if there is only one server. */
export function finderOf(url: string): Finder | null {
  const servers = parseServers(url);
  if (servers.urls.length === 1 && !servers.isReadWrite) return null;
  const shared = finders.get(url) ?? { finder: findServers(servers), users: 0 };
  finders.set(url, shared);
  shared.users += 1;
  return {
    ...shared.finder,
    close: () => {
      shared.users -= 1;
      if (shared.users > 0) return;
      shared.finder.close();
      finders.delete(url);
    },
  };
}

/**
 * Finds the server that accepts writes. Probes before new connections and every two seconds: connections to a host that lost power are
 * silent, and would be used until their queries time out.
 */
function findServers({ urls, isReadWrite }: Servers): Finder {
  const listeners = new Set<Listener>();
  let last: { place: ServerPlace; atMs: number } | null = null;
  let looking: Promise<ServerPlace> | null = null;

  async function look(): Promise<ServerPlace> {
    const place = await Promise.any(urls.map((url) => probe(url, isReadWrite))).catch((error: AggregateError) => {
      throw new NoServer("no server of DATABASE_URL can be used", { cause: error.errors[0] });
    });
    const previousPlace = last?.place;
    last = { place, atMs: performance.now() };
    if (previousPlace && (previousPlace.host !== place.host || previousPlace.port !== place.port))
      for (const listener of listeners) listener(place);
    return place;
  }

  const find = async () => {
    if (last && performance.now() - last.atMs < FRESH_MS) return last.place;
    looking ??= look().finally(() => {
      looking = null;
    });
    return looking;
  };

  // A failed probe changes nothing: the next connection attempt gets the error.
  const watch = setInterval(() => void find().catch(() => undefined), WATCH_MS).unref();
  return { find, onMove: (listener) => void listeners.add(listener), close: () => clearInterval(watch) };
}

/** Resolves with the server's place if it can be used. */
async function probe(url: string, isReadWrite: boolean): Promise<ServerPlace> {
  const client = new pg.Client({
    connectionString: url,
    application_name: "tessera probe",
    connectionTimeoutMillis: PROBE_MS_MAX,
    query_timeout: PROBE_MS_MAX,
  });
  client.on("error", () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ isStandby: boolean }>(`select pg_is_in_recovery() as "isStandby"`);
    if (isReadWrite && rows[0]?.isStandby !== false) throw new Error("a standby");
    return { host: client.host, port: client.port };
  } finally {
    // `end` waits for a server that may be gone.
    setTimeout(cut, PROBE_MS_MAX, client).unref();
    client.end().catch(() => cut(client));
  }
}
