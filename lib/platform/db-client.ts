import pg from "pg";
import { type Run, tracedQuery } from "./db-spans";

export type ClientOptions = {
  /** Whether each query makes a span. */
  isTraced: boolean;
};

type Query = (...args: unknown[]) => unknown;

/** pg's client with additions. pg declares a dozen forms of `query`; this passes on whichever it gets. */
export function clientClass({ isTraced }: ClientOptions): typeof pg.Client {
  if (!isTraced) return pg.Client;
  return class ServiceClient extends pg.Client {
    constructor(config?: string | pg.ClientConfig) {
      super(config);
      const send: Run = (args) => (pg.Client.prototype.query as Query).apply(this, args);
      this.query = ((...args: unknown[]) => tracedQuery(args, send)) as typeof this.query;
    }
  };
}
