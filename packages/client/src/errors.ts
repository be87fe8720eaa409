import { textOf } from "../../x402/src/json.ts";
import type { Proof } from "./proof.ts";

const BRAND = Symbol.for("@tessera/client.error");

export type ErrorFields = {
  code: string;
  message: string;
  /** The HTTP status; 0 without a response. */
  status?: number;
  details?: Record<string, unknown>;
  cause?: unknown;
};

/** Every failure of this package. `code` is the service's code, or one of this package's own (see the README). */
export class TesseraError extends Error {
  override readonly name: string = "TesseraError";
  readonly code: string;
  readonly status: number;
  /** The members of the error's body. */
  readonly details: Record<string, unknown>;
  readonly requestId: string | undefined;
  readonly docsUrl: string | undefined;
  /** ISO 8601. Until then a proof that was not settled can still be paid: sign no other one before. */
  readonly stillValidUntil: string | undefined;
  readonly [BRAND]: string = "error";

  constructor({ code, message, status = 0, details = {}, cause }: ErrorFields) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.status = status;
    this.details = details;
    this.requestId = textOf(details.requestId);
    this.docsUrl = textOf(details.docsUrl);
    this.stillValidUntil = textOf(details.stillValidUntil);
  }

  /** Whether `error` is an error of this package, also of another copy of it. */
  static is(error: unknown): error is TesseraError {
    return brandOf(error) !== undefined;
  }
}

/**
 * How a payment ended. `not_paid`: no money moved, and the proof, if there is one, never moves any. `declined`: not settled, but
 * the proof can still be paid until `stillValidUntil`. `unknown`: the proof was presented, and what became of it is not known.
 * `paid`: the money moved, but the response could not be read.
 */
export type Outcome = "not_paid" | "declined" | "unknown" | "paid";

/** A payment that did not end with a response. Pass `proof` to `pay` again to present the same proof: it is never paid twice. */
export class PaymentError extends TesseraError {
  override readonly name = "PaymentError";
  override readonly [BRAND] = "payment";
  readonly outcome: Outcome;
  readonly proof: Proof | undefined;

  constructor(fields: ErrorFields & { outcome: Outcome; proof?: Proof | undefined }) {
    super(fields);
    this.outcome = fields.outcome;
    this.proof = fields.proof;
  }

  static override is(error: unknown): error is PaymentError {
    return brandOf(error) === "payment";
  }
}

const brandOf = (error: unknown): unknown =>
  typeof error === "object" && error !== null && BRAND in error ? error[BRAND] : undefined;

export const invalid = (message: string) => new TesseraError({ code: "invalid_argument", message });

export const tooLarge = (status: number) =>
  new TesseraError({ code: "response_too_large", status, message: "The response is too large" });
