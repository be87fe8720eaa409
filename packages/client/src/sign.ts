import { encodeHeader } from "../../x402/src/header.ts";
import { addPaymentId, type Offer } from "../../x402/src/offers.ts";
import { PaymentError, TesseraError } from "./errors.ts";
import type { Proof } from "./proof.ts";
import { type Fetch, sleep } from "./transport.ts";
import type {
  ApprovePaymentBody,
  ApprovePaymentResponse,
  EligibleMandatesQuery,
  EligibleMandatesResponse,
  SignPaymentBody,
  SignPaymentResponse,
} from "./types.ts";

/** The owner decides at `approvalUrl`. Pass `approvalId` in the options to continue after a restart. */
export type Approval = { approvalId: string; approvalUrl: string; expiresAt: Date };

export type SignOptions = {
  /** Undefined: the first mandate that covers the payment. Null: no mandate, the owner approves this payment. */
  mandateId?: string | null | undefined;
  /**
   * Called once with the URL to show to the owner; signing then waits for the decision. Without it, a payment that needs the owner fails:
   * `no_mandate` if no mandate covers it, `payee_confirmation_required` if the owner must confirm the payee, `approval_required` if it is
   * above the owner's limits.
   */
  onApproval?: ((approval: Approval) => unknown) | undefined;
  /** HTTP method of the paid request. Default: GET. */
  method?: string | undefined;
  /** An approval requested earlier, for example before a restart. */
  approvalId?: string | undefined;
  signal?: AbortSignal | undefined;
};

type CallOptions = { signal?: AbortSignal | undefined; idempotencyKey?: string | undefined };

/** The part of the service that a payment uses. */
export type Purse = {
  baseUrl: string;
  fetch: Fetch;
  /** The proof that this process has signed under an idempotency key. */
  findProof(key: string): Promise<Proof | undefined>;
  signOnce(key: string, order: { offer: Offer; url: URL }, options: SignOptions): Promise<Proof>;
  sign(body: SignPaymentBody, options: CallOptions): Promise<SignPaymentResponse>;
  approve(body: ApprovePaymentBody, options: CallOptions): Promise<ApprovePaymentResponse>;
  eligible(query: EligibleMandatesQuery, options: CallOptions): Promise<EligibleMandatesResponse>;
  /** Reports that a seller refused a proof, with its reason. */
  refused(paymentRecordId: string, reason: string): Promise<unknown>;
};

const POLL_SECONDS = 2;
/** Milliseconds that a payment waits for the owner to confirm the payee. */
const PAYEE_MS = 600_000;
const PROOFS_MAX = 1000;

/** The latest proofs of this process by idempotency key, so that concurrent calls for one purchase share a proof. */
export class Proofs {
  readonly #proofs = new Map<string, Promise<Proof>>();

  find(key: string): Promise<Proof | undefined> {
    // A failed signature rejects in the call that signs; `once` then frees the key.
    return this.#proofs.get(key)?.catch(() => undefined) ?? Promise.resolve(undefined);
  }

  once(key: string, make: () => Promise<Proof>): Promise<Proof> {
    const pendingProof = this.#proofs.get(key);
    if (pendingProof) return pendingProof;
    const proof = make();
    this.#proofs.set(key, proof);
    proof.catch(() => this.#proofs.delete(key));
    const [oldest] = this.#proofs.keys();
    if (this.#proofs.size > PROOFS_MAX && oldest !== undefined) this.#proofs.delete(oldest);
    return proof;
  }
}

/**
 * Has the service sign an offer of `url`, under a mandate or with the owner's approval. Throws each TesseraError as a PaymentError with
 * outcome `not_paid`.
 */
export async function sign(
  purse: Purse,
  { offer, url, key }: { offer: Offer; url: URL; key: string },
  options: SignOptions,
): Promise<Proof> {
  try {
    return buildProof(await requestSignature(purse, { offer, url, key }, options), { offer, url, key });
  } catch (error) {
    if (!TesseraError.is(error) || PaymentError.is(error)) throw error;
    const { code, message, status, details } = error;
    throw new PaymentError({ code, message, status, details, cause: error, outcome: "not_paid" });
  }
}

type SignedPayment = { xPayment: { payload: object }; paymentRecordId: string };

async function requestSignature(
  purse: Purse,
  { offer, url, key }: { offer: Offer; url: URL; key: string },
  { mandateId: named, onApproval, approvalId, method, signal }: SignOptions,
): Promise<SignedPayment> {
  const { network, amount, payTo, assetAddress, validityWindowSeconds, challenge } = offer;
  const body = {
    network,
    amount,
    payTo,
    assetAddress,
    // The service's limit for a description.
    description: offer.description.slice(0, 2000),
    validityWindowSeconds,
    challenge,
    // The requested URL, not the seller's `resource`: the service compares the mandate's hosts with it.
    host: url.host,
    resource: url.href,
  };
  const call = { signal, idempotencyKey: key };
  const isApproval = named === null || approvalId !== undefined;
  const eligibility =
    isApproval || named ? undefined : await purse.eligible({ host: url.host, amount, network }, { signal });
  let mandateId = isApproval ? undefined : (named ?? eligibility?.eligibleMandates[0]?.mandateId);
  if (mandateId === undefined && !onApproval && approvalId === undefined) {
    const uncovered = eligibility?.uncovered;
    const message = uncovered?.message ?? "No mandate covers this payment";
    throw new TesseraError({ code: "no_mandate", message, details: { ...uncovered, why: uncovered?.code } });
  }
  const until = Date.now() + PAYEE_MS;
  for (let id = approvalId; ; await sleep(POLL_SECONDS, signal)) {
    const result =
      mandateId === undefined
        ? // The request has its own key, since a key is for one request. After a restart it gives the same approval.
          await purse.approve(
            { ...body, approvalId: id },
            { signal, idempotencyKey: id === undefined ? `${key}-approval` : key },
          )
        : await purse.sign({ ...body, mandateId, method }, call);
    if (result.status === "ok") return result;
    const { code, message, approvalUrl } = result;
    const isPayee = result.status === "payee_confirmation_required";
    if (mandateId) {
      if (!onApproval || Date.now() > until)
        throw new TesseraError({ code, message, status: 202, details: { approvalUrl } });
      // Above the owner's limits, it is approved and paid without the mandate.
      if (!isPayee) mandateId = id = undefined;
    }
    if (id === undefined) {
      id = isPayee ? result.payeeId : result.approvalId;
      const expiresAt = new Date(isPayee ? until : result.expiresAt * 1000);
      await onApproval?.({ approvalId: id, approvalUrl, expiresAt });
    }
  }
}

type Authorization = { from: string; to: string; value: string; validBefore: string };

/** Builds the proof with the seller's members unchanged: sellers compare them (x402 v2, section 5.2.2). Throws `wrong_proof`. */
function buildProof(
  { xPayment: { payload }, paymentRecordId }: SignedPayment,
  { offer, url, key }: { offer: Offer; url: URL; key: string },
): Proof {
  const { amount, network, payTo, accepted, resource, extensions, toCredential } = offer;
  const { authorization } = payload as { authorization?: Authorization };
  if (authorization?.value !== amount || authorization.to.toLowerCase() !== payTo.toLowerCase())
    throw new TesseraError({ code: "wrong_proof", message: "The service signed another payment" });
  const isV1 = offer.x402Version === 1;
  const value = isV1
    ? { x402Version: 1, scheme: "exact", network: accepted.network, payload }
    : { x402Version: 2, resource, accepted, payload, extensions: addPaymentId(extensions, paymentRecordId) };
  return {
    url: url.href,
    header: isV1 ? "X-PAYMENT" : "PAYMENT-SIGNATURE",
    value: encodeHeader(value),
    amount,
    network,
    payer: authorization.from,
    payTo,
    validUntil: new Date(Number(authorization.validBefore) * 1000).toISOString(),
    paymentRecordId,
    idempotencyKey: key,
    ...toCredential?.(payload),
  };
}
