import type { z } from "zod";
import type { FailureTable } from "./errors";
import type { LimitName } from "./limits";

/**
 * Who may call an endpoint. `visitor`: an owner if the request has a session, otherwise nobody. `guest`: an agent if the
 * request has an Authorization header, otherwise nobody.
 */
export type Auth = "none" | "agent" | "owner" | "visitor" | "guest";

/** The error body of an endpoint: `wallet` has lower_snake codes, `resource` (UPL, links, firewall) UPPER_SNAKE, `identity` a bare wire string. */
export type Surface = "wallet" | "resource" | "identity";

export type Endpoint<
  A extends Auth = Auth,
  P extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
  R extends z.ZodType = z.ZodType,
> = {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  path: `/${string}`;
  summary: string;
  auth: A;
  surface: Surface;
  params?: P;
  query?: Q;
  body?: B;
  /** The rate limit per client address. Default: no limit. */
  limitPerAddress?: LimitName;
  /** Maximum size of the body in bytes on the wire. Default: 65,536. */
  bodyBytesMax?: number;
  /** The success status. Default: 200. */
  status?: number;
  response: R;
  errors: FailureTable;
};

/** Identity function that keeps the literal types of its argument. */
export const endpoint = <
  A extends Auth,
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  R extends z.ZodType,
>(
  declared: Endpoint<A, P, Q, B, R>,
) => declared;
