import pg from "pg";
import { cut, type Finder, type Place } from "./db-hosts";
import { type Run, tracedQuery } from "./db-spans";

export type ClientOptions = {
  /** Whether each query makes a span. */
  isTraced: boolean;
  /** Whether a pooler that gives each transaction another connection is in between, so that a session keeps nothing. */
  isPooled: boolean;
  /** Chooses among several servers; null when there is only one. */
  finder: Finder | null;
};

type Query = (...args: unknown[]) => unknown;
type Connected = (error: Error) => void;

/** Where a client connects to. pg keeps it in two places, and declares neither as writable. */
type Target = { -readonly [K in keyof Place]: Place[K] } & { connectionParameters: Place };
/** pg's client with additions. pg declares a dozen forms of `query`; this passes on whichever it gets. */
export function clientClass({ isTraced, isPooled, finder }: ClientOptions): typeof pg.Client {
  if (!isTraced && !isPooled && !finder) return pg.Client;
  const open = new Set<pg.Client>();
  const elsewhere = (place: Place) => (client: pg.Client) => client.host !== place.host || client.port !== place.port;
  // Their queries fail now instead of when they time out.
  finder?.onMove((place) => [...open].filter(elsewhere(place)).forEach(cut));

  return class ServiceClient extends pg.Client {
    constructor(config?: string | pg.ClientConfig) {
      super(config);
      const plain: Run = (args) => (pg.Client.prototype.query as Query).apply(this, args);
      const send: Run = isPooled ? (args) => plain(withoutName(args)) : plain;
      if (isTraced) this.query = ((...args: unknown[]) => tracedQuery(args, send)) as typeof this.query;
      else if (isPooled) this.query = ((...args: unknown[]) => send(args)) as typeof this.query;
    }

    override connect(): Promise<this>;
    override connect(callback: Connected): void;
    override connect(callback?: Connected): Promise<this> | undefined {
      const connecting = this.connectThere();
      if (!callback) return connecting;
      connecting.then(() => (callback as () => void)(), callback);
      return undefined;
    }

    private async connectThere(): Promise<this> {
      if (finder) {
        const place = await finder.find();
        const target = this as unknown as Target;
        Object.assign(target, place);
        Object.assign(target.connectionParameters, place);
        open.add(this);
        this.once("end", () => open.delete(this));
      }
      await super.connect();
      return this;
    }
  };
}

/** A prepared statement with a name belongs to one session, and the next transaction may run in another. */
function withoutName([query, ...otherArgs]: unknown[]): unknown[] {
  if (typeof query !== "object" || query === null || !("name" in query) || "submit" in query)
    return [query, ...otherArgs];
  const { name, ...unnamed } = query;
  return [unnamed, ...otherArgs];
}
