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

/**
 * An error of this package. `code` is a code of the service, or one of the package's own codes that the README lists.
 *
 * @example
 * const payment = await tessera.payments.get(paymentRecordId).catch((error: unknown) => {
 *   if (TesseraError.is(error) && error.code === "payment_not_found") return null;
 *   throw error;
 * });
 */
export class TesseraError extends Error {
  override readonly name: string = "TesseraError";
  readonly code: string;
  /** The HTTP status; 0 without a response. */
  readonly status: number;
  /** The members of the error's body. */
  readonly details: Record<string, unknown>;
  readonly requestId: string | undefined;
  readonly docsUrl: string | undefined;
  /** ISO 8601. Until then an unsettled proof can still be paid: do not sign another one before. */
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

  /**
   * Whether `error` is a TesseraError or PaymentError, including one from another copy of this package.
   *
   * @example
   * if (TesseraError.is(error)) console.error(error.code, error.requestId);
   */
  static is(error: unknown): error is TesseraError {
    return brandOf(error) !== undefined;
  }
}

/**
 * How a payment ended. `not_paid`: no money moved and none will: a new payment is safe. `declined`: not settled, but the proof can still
 * be paid until `stillValidUntil`. `unknown`: the proof was presented and its end is not known: do not sign another. `paid`: the money
 * moved, but the response was lost or could not be read: do not pay again.
 */
export type Outcome = "not_paid" | "declined" | "unknown" | "paid";

/**
 * A payment that did not end with a response. `outcome` says whether money moved. Pass `proof` to `pay` to present it again: a proof is
 * never paid twice.
 *
 * @example
 * const { response } = await tessera.pay(url, {}, { maxAmount }).catch((error: unknown) => {
 *   if (!PaymentError.is(error) || error.outcome !== "unknown") throw error;
 *   return tessera.pay(url, {}, { maxAmount, proof: error.proof });
 * });
 */
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

  /**
   * Whether `error` is a PaymentError, including one from another copy of this package.
   *
   * @example
   * if (PaymentError.is(error) && error.outcome === "not_paid") console.log("A new payment is safe");
   */
  static override is(error: unknown): error is PaymentError {
    return brandOf(error) === "payment";
  }
}

const brandOf = (error: unknown): unknown =>
  typeof error === "object" && error !== null && BRAND in error ? error[BRAND] : undefined;

export const invalid = (message: string) => new TesseraError({ code: "invalid_argument", message });

export const tooLarge = (status: number) =>
  new TesseraError({ code: "response_too_large", status, message: "The response is too large" });
