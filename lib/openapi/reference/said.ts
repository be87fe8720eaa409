/**
 * What the reference says about an operation in addition to its contract. It is kept apart from the contracts, because browsers load
 * those. Values are JSON as it is sent; `ORIGIN` in them becomes the service's own.
 */
export type Said = {
  /** What a caller needs beyond the summary: effects, order of calls, limits that no schema states. Markdown. */
  readonly description: string;
  /** A request's body. */
  readonly request?: unknown;
  /** Responses by status. */
  readonly responses?: { readonly [status: number]: unknown };
};

/** By operation id. */
export type Sayings = Readonly<Record<string, Said>>;
