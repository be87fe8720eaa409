export const STATUS = {
  invalid: 400,
  unauthenticated: 401,
  payment_required: 402,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  gone: 410,
  too_large: 413,
  uri_too_long: 414,
  unsupported_media: 415,
  unprocessable: 422,
  limited: 429,
  headers_too_large: 431,
  internal: 500,
  unavailable: 503,
} as const;

export type Kind = keyof typeof STATUS;

/** An expected failure. `code` and `message` are part of the API contract; `cause` never leaves the process. */
export class AppError extends Error {
  override readonly name = "AppError";

  constructor(
    readonly code: string,
    readonly kind: Kind,
    message: string,
    readonly details?: Record<string, unknown>,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  get status() {
    return STATUS[this.kind];
  }
}

export type FailureTable = Record<string, readonly [kind: Kind, message: string]>;

/**
 * The cause of each error and the caller's next step, in Markdown, by lower-case code. Every code has an entry, in the file of its
 * table.
 */
export type Remedies = Readonly<Record<string, { readonly cause: string; readonly remedy: string }>>;

type Failure = {
  (details?: Record<string, unknown>, cause?: unknown): AppError;
  /** Whether an error has this code. */
  is: (error: unknown) => error is AppError;
};
type Failures<T extends FailureTable> = { readonly [C in keyof T]: Failure };

/** Builds error constructors from a table of failures. Endpoints list `table` as their possible errors. */
export function failures<const T extends FailureTable>(table: T): Failures<T> & { readonly table: T } {
  const constructors = Object.entries(table).map(([code, [kind, message]]) => {
    const failure: Failure = Object.assign(
      (details?: Record<string, unknown>, cause?: unknown) => new AppError(code, kind, message, details, { cause }),
      { is: (error: unknown): error is AppError => error instanceof AppError && error.code === code },
    );
    return [code, failure];
  });
  return { ...(Object.fromEntries(constructors) as Failures<T>), table };
}
