import type { z } from "zod";
import type { FailureTable } from "./errors";
import type { LimitName } from "./limits";

/** `visitor` is an owner when there is a session, and nobody otherwise; `guest` an agent when the request has an Authorization. */
export type Auth = "none" | "agent" | "owner" | "visitor" | "guest";

/** Which error body an endpoint promises: `wallet` has lower_snake codes, `resource` (UPL, links, firewall) UPPER_SNAKE, `identity` a bare wire string. */
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
  /** How often one client address may call it; as often as it likes unless told. */
  limitPerAddress?: LimitName;
  /** Bytes on the wire; 65,536 unless told. */
  bodyBytesMax?: number;
  /** The success status; 200 unless told. */
  status?: number;
  response: R;
  errors: FailureTable;
};

/** Identity function that keeps the literal types of what it is given. */
export const endpoint = <
  A extends Auth,
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  R extends z.ZodType,
>(
  declared: Endpoint<A, P, Q, B, R>,
) => declared;
