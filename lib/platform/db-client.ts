import { type Span, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import pg from "pg";
import { cut, type Finder, type Place } from "./db-hosts";

export type ClientOptions = {
  /** Whether each query creates a span. */
  isTraced: boolean;
  /** Whether a pooler in transaction mode is in between: transactions share no session state. */
  isPooled: boolean;
  /** Chooses among several servers; null when there is only one. */
  finder: Finder | null;
};

type Query = (...args: unknown[]) => unknown;
type Connected = (error: Error) => void;

/** Where a client connects to. pg keeps it in two places, and declares neither as writable. */
type Target = { -readonly [K in keyof Place]: Place[K] } & { connectionParameters: Place };
/** pg's client with tracing, pooling and a choice of servers. Passes the arguments of `query` on unchanged: pg has a dozen overloads. */
export function clientClass({ isTraced, isPooled, finder }: ClientOptions): typeof pg.Client {
  if (!isTraced && !isPooled && !finder) return pg.Client;
  const open = new Set<pg.Client>();
  const elsewhere = (place: Place) => (client: pg.Client) => client.host !== place.host || client.port !== place.port;
  // Cuts connections to the previous server: their queries fail now, not at their timeout.
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

type Run = (args: unknown[]) => unknown;

/** Runs a query inside a span with its text, never its parameters. Only within another span: polling jobs would flood the receiver. */
function tracedQuery(args: unknown[], run: Run): unknown {
  const text = textOf(args[0]);
  if (text === null || !trace.getActiveSpan()) return run(args);
  const span = trace.getTracer("tessera").startSpan(nameOf(text), {
    kind: SpanKind.CLIENT,
    attributes: { "db.system.name": "postgresql", "db.query.text": text },
  });
  const done = args.at(-1);
  if (typeof done === "function") {
    const ended = (...result: unknown[]) => {
      end(span, result[0]);
      done(...result);
    };
    return run([...args.slice(0, -1), ended]);
  }
  return Promise.resolve(run(args)).then(
    (value) => {
      end(span, null);
      return value;
    },
    (error: unknown) => {
      end(span, error);
      throw error;
    },
  );
}

function end(span: Span, error: unknown): void {
  if (error) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

const nameOf = (text: string) => /[a-z]+/i.exec(text)?.[0].toUpperCase() ?? "SQL";

function textOf(query: unknown): string | null {
  if (typeof query === "string") return query;
  if (typeof query !== "object" || query === null || !("text" in query)) return null;
  return typeof query.text === "string" ? query.text : null;
}
