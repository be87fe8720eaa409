import type { z } from "zod";
import type { AppError, FailureTable } from "./errors";
import type { LimitName } from "./limits";

/**
 * Who may call an endpoint. `visitor`: an owner if the request has a session, otherwise anonymous. `guest`: an agent if the
 * request has an Authorization header, otherwise anonymous. `host`: the same, but any of the agent's tokens is taken. `seller`: the
 * holder of an API key of the facilitator.
 */
export type Auth = "none" | "agent" | "owner" | "visitor" | "guest" | "host" | "seller";

/** The error body of an endpoint: `wallet` has lower_snake codes, `resource` (UPL, links, firewall) UPPER_SNAKE, `identity` a bare wire string. */
export type Surface = "wallet" | "resource" | "identity";

/** The JSON responses of an endpoint by HTTP status. */
export type ByStatus = { readonly [status: number]: z.ZodType };

/** The only response of an endpoint whose handler returns a Response, because its body is not JSON or is already encoded. */
export type NotJson = { readonly contentType: string; readonly hasETag?: true };

export const CSV = { contentType: "text/csv; charset=utf-8" } as const satisfies NotJson;

/**
 * The declared responses of an endpoint. A schema alone means 200; `{ 201: schema }` declares one other status. With several statuses,
 * the handler chooses one with `reply`.
 */
export type Responses = z.ZodType | ByStatus | NotJson;

const REPLY = Symbol("reply");

/** A JSON response with its status. The edge encodes `body` with the schema that the contract declares for `status`. */
export type Reply<S extends number = number, B = unknown> = { readonly status: S; readonly body: B } & ReplyOptions;

type ReplyOptions = {
  readonly headers?: Readonly<Record<string, string>>;
  /** The request changed nothing: its Idempotency-Key stays free. Default: false. */
  readonly isUndone?: boolean;
  /** The same object is the body of many responses and never changes, so it is encoded once. Default: false. */
  readonly isShared?: boolean;
};

/** Builds a response with a status, for an endpoint that declares several, or with headers. */
export const reply = <S extends number, B>(status: S, body: B, options: ReplyOptions = {}): Reply<S, B> =>
  Object.defineProperty({ ...options, status, body }, REPLY, { value: true });

export const isReply = (result: unknown): result is Reply =>
  typeof result === "object" && result !== null && REPLY in result;

/** What a handler may return for the responses `R` of its endpoint. */
export type Result<R extends Responses> = R extends NotJson
  ? Response
  : R extends z.ZodType
    ? z.output<R> | Reply<200, z.output<R>>
    : R extends ByStatus
      ? { [S in keyof R & number]: Reply<S, z.output<R[S]>> }[keyof R & number] | OnlyBody<R>
      : never;

/** The body, without its status, of an endpoint with one status. */
type OnlyBody<R extends ByStatus> = { [S in keyof R]: keyof R extends S ? z.output<R[S]> : never }[keyof R];

export type Example = { readonly request?: unknown; readonly responses?: { readonly [status: number]: unknown } };

export type Endpoint<
  A extends Auth = Auth,
  P extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
  R extends Responses = Responses,
> = {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  path: `/${string}`;
  /** One line, for tables. */
  summary: string;
  /** What a caller needs beyond the summary: effects, order of calls, limits that no schema states. Markdown. */
  description: string;
  /** A body and responses, as JSON that is sent. Constants of lib/samples.ts make them agree with those of other endpoints. */
  example?: Example | undefined;
  /** The group in the API reference. Default: that of the contract's file in lib/openapi/endpoints.ts. */
  tag?: string;
  /** Optional request headers that the handler reads, and their meaning. The edge's own and those of x402 need no entry. */
  headers?: Readonly<Record<string, string>>;
  auth: A;
  surface: Surface;
  params?: P;
  query?: Q;
  body?: B;
  /**
   * Why members of the body that its schema does not list are ignored. Default: they are refused by name. A part that takes any members
   * is a loose object or a record of the schema.
   */
  ignoresUnknown?: string;
  /** The body of an endpoint without `body`, whose handler reads it only with a payment. For documentation. */
  paidBody?: z.ZodType;
  /** The handler passes on a body of any type, with a payment. For documentation. */
  passedBody?: { readonly bytesMax: number };
  /** The handler reads the body as bytes. An Idempotency-Key is refused: the body of a repetition could not be compared. */
  rawBody?: { readonly bytesMax: number };
  /**
   * Whether a request other than GET or DELETE counts against the caller's budgets of stored bytes. Default: it does, by its size.
   * `nothing`: it stores no lasting row, or it stops something, which must work with an exhausted budget. `paid`: it stores rows only
   * with a payment.
   */
  stores?: "nothing" | "paid";
  /**
   * Pages of every origin may call it and read its answers: it reads no cookie.
   * Why: docs/decisions.md, 190.
   */
  forBrowsers?: true;
  /** `WWW-Authenticate` of its 401. */
  challenge?: (baseUrl: string, error: AppError) => string;
  /** The error for a body that is meant for another endpoint; null for every other body. */
  misdirected?: (body: unknown) => AppError | null;
  /** `login`: the endpoint verifies credentials, which has an allowance of its own at an address. */
  allowance?: "login";
  /** A rate limit per client address, in addition to `work_per_address`. */
  limitPerAddress?: LimitName;
  /**
   * Maximum cost of a call, in units of one `GET /healthz`, deducted from `work_per_address`. Default: WORK. Measured in the table of
   * costs in docs/operations.md.
   */
  work?: number;
  /** Maximum size of the body in bytes on the wire. Default: 65,536. */
  bodyBytesMax?: number;
  response: R;
  /** Every error that the handler can throw. The edge's own (lib/http/errors.ts) need no declaration. */
  errors: FailureTable;
};

/** Whether an endpoint's requests count against the budgets of stored bytes. */
export const countsStorage = ({ method, stores }: Endpoint): boolean =>
  method !== "GET" && method !== "DELETE" && stores === undefined;

/** Identity function that keeps the literal types of its argument. Why: docs/decisions.md, 110. */
export const endpoint = <
  A extends Auth,
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  R extends Responses,
>(
  declared: Endpoint<A, P, Q, B, R>,
) => declared;

const WORK = 8;

export const workOf = ({ work = WORK }: Pick<Endpoint, "work">): number => work;

/** An Idempotency-Key: visible ASCII characters. */
export const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

const isSchema = (response: Responses): response is z.ZodType => "_zod" in response;

export const isNotJson = (response: Responses): response is NotJson => "contentType" in response;

/** The JSON responses of an endpoint by status; none for one whose body is not JSON. */
export function responsesOf({ response }: Pick<Endpoint, "response">): ByStatus {
  if (isSchema(response)) return { 200: response };
  return isNotJson(response) ? {} : response;
}
