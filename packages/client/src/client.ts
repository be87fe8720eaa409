import type { Offer } from "../../x402/src/offers.ts";
import { type CallOptions, call, originOf, type Request, urlAt } from "./call.ts";
import { PaymentError } from "./errors.ts";
import { type List, pages } from "./pages.ts";
import { type PayOptions, type PayResult, pay } from "./pay.ts";
import type { Proof } from "./proof.ts";
import { type Account, Session } from "./session.ts";
import { Proofs, type Purse, type SignOptions, sign } from "./sign.ts";
import { type Fetch, type Json, newKey } from "./transport.ts";
import type * as T from "./types.ts";

export type TesseraOptions = Account & {
  /** Sends all requests. Default: the global fetch. */
  fetch?: Fetch | undefined;
};

/** A query without its cursor; `limit`, `offset` and `txLimit` also take a number. */
export type Query<Q> = {
  [K in keyof Q as Exclude<K, "cursor">]?: Q[K] | (K extends "limit" | "offset" | "txLimit" ? number : never);
};

/**
 * An agent's access to the service. Logs in by itself and retries what is safe to retry. All methods throw TesseraError. Amounts are
 * strings of atomic USDC: "1000000" is 1.00.
 *
 * @example
 * const tessera = new Tessera({ baseUrl: "https://tessera.example", agentId, token });
 * const { balances } = await tessera.status();
 */
export class Tessera {
  readonly baseUrl: string;
  readonly agentId: string;
  readonly #fetch: Fetch;
  readonly #session: Session;
  readonly #proofs = new Proofs();

  /** Sends nothing; the first call logs in. Throws `invalid_argument` unless `baseUrl` is https, or http on a loopback host. */
  constructor({ baseUrl, agentId, token, fetch = globalThis.fetch }: TesseraOptions) {
    this.baseUrl = originOf(baseUrl);
    this.agentId = agentId;
    // Browsers refuse fetch when it is called as a method of another object.
    this.#fetch = (input, init) => fetch(input, init);
    this.#session = new Session(this.#fetch, { baseUrl: this.baseUrl, agentId }, token);
  }

  /**
   * Registers a new agent. Store `agentId` and `token`: the token is not shown again. Sent once, without retries. Throws `rate_limited`.
   * @example
   * const tessera = await Tessera.register({ baseUrl: "https://tessera.example", name: "Research agent" });
   * console.log(tessera.agentId, tessera.token);
   */
  static async register(
    {
      baseUrl,
      name,
      clientInfo = "@tessera/client",
      email,
      fetch = globalThis.fetch,
    }: {
      baseUrl: string;
      name: string;
      clientInfo?: string;
      email?: string;
      fetch?: Fetch;
    },
    options?: CallOptions,
  ): Promise<Tessera> {
    const body: T.RegisterBody = { agent_name: name, client_info: clientInfo, ...(email !== undefined && { email }) };
    const url = urlAt(originOf(baseUrl), "/register");
    const { agent_id: agentId, token, jwt } = await call<T.RegisterResponse>(fetch, url, "POST", { body, options });
    const tessera = new Tessera({ baseUrl, agentId, token, fetch });
    tessera.#session.replace(token, jwt);
    return tessera;
  }

  /** The agent's permanent token. Changes with `rotateToken`. */
  get token(): string {
    return this.#session.token;
  }

  /**
   * Calls an endpoint that has no method here, and returns its JSON. Retries GET, PATCH and POST with a login; sends other requests once.
   * @example
   * const { keys } = await tessera.request<{ keys: JsonWebKey[] }>("GET", "/.well-known/jwks.json", { isPublic: true });
   */
  async request<R>(method: string, path: string, { isPublic, ...request }: Request = {}): Promise<R> {
    return call(this.#fetch, urlAt(this.baseUrl, path), method, request, isPublic ? undefined : this.#session);
  }

  /**
   * Sends a request to any path of the service as this agent and returns the response, whatever its status. Follows no redirect. Sent once;
   * after a 401 again with a new login.
   * @example
   * const response = await tessera.fetch("/mcp", { method: "POST", body });
   */
  fetch = (path: string, init: RequestInit = {}): Promise<Response> =>
    this.#session.fetch(urlAt(this.baseUrl, path).href, init);

  #get<R>(path: string, options?: CallOptions, query?: object, isPublic?: boolean): Promise<R> {
    return this.request("GET", path, { query, options, isPublic });
  }

  #post<R>(path: string, body: object | undefined, options?: CallOptions): Promise<R> {
    return this.request("POST", path, { body, options });
  }

  #list<V>(path: string, member: string, query: object = {}, options?: CallOptions): List<V> {
    return pages((cursor) => this.#get<Json>(path, options, { ...query, cursor }), member);
  }

  /**
   * Returns the agent, its wallet, balances, mandates and latest payments.
   * @example
   * const { agent, balances } = await tessera.status({ txLimit: 5 });
   */
  status = (query?: Query<T.StatusQuery>, options?: CallOptions) =>
    this.#get<T.StatusResponse>("/api/agent/self/status", options, query);

  /**
   * Leaves the linked owner. Throws `agent_bound` if the owner has signed or approved something for the agent, or somebody has paid it.
   * @example
   * const { agentStatus } = await tessera.unlink();
   */
  unlink = (options?: CallOptions) => this.#post<T.UnlinkResponse>("/api/agent/self/unlink", undefined, options);

  /**
   * Replaces the permanent token; this object uses the new one from now on. Store `token`: it is shown once. The old token works for ten
   * more minutes (`old_token_expires_at`, Unix seconds), or not at all with `revokeOld`. Throws `invalid_token`.
   * @example
   * const { token } = await tessera.rotateToken({ revokeOld: true });
   */
  rotateToken = async ({ revokeOld = false } = {}, options?: CallOptions): Promise<T.RotateTokenResponse> => {
    const body: T.RotateTokenBody = { agent_id: this.agentId, token: this.token, revoke_old: revokeOld };
    const request = { body, options, isPublic: true };
    const rotated = await this.request<T.RotateTokenResponse>("POST", "/token/rotate", request);
    this.#session.replace(rotated.token, rotated.jwt);
    return rotated;
  };

  readonly mandates = {
    /**
     * Proposes a mandate of `limitAmount` atomic USDC. The owner signs it at `authorizationUrl`. Throws `cap_exceeds_limit`.
     * @example
     * const intent = { naturalLanguage: "Weather data", limitAmount: parseUsdc("5"), validForSeconds: 7 * 86_400 };
     * const { mandateId, authorizationUrl } = await tessera.mandates.create(intent);
     */
    create: (intent: T.CreateMandateBody["intent"], options?: CallOptions) =>
      this.#post<T.CreateMandateResponse>("/api/mandates/create-intent", { intent }, options),
    /**
     * Reads a mandate. Throws `mandate_not_found`.
     * @example
     * const { status, remainingAmount } = await tessera.mandates.get(mandateId);
     */
    get: async (mandateId: string, options?: CallOptions) =>
      (await this.#get<T.GetMandateResponse>(`/api/mandates/agent/${id(mandateId)}`, options)).mandate,
    /**
     * Lists mandates: those that can pay first, then paused, pending and ended ones. Throws `agent_not_authorized` if no owner is linked.
     * @example
     * for await (const { mandateId, status } of tessera.mandates.list()) console.log(mandateId, status);
     */
    list: (query?: Query<T.ListMandatesQuery>, options?: CallOptions) =>
      this.#list<T.Mandate>("/api/mandates", "mandates", query, options),
    /**
     * Returns the mandates that cover a payment of `amount` atomic USDC to `host`. `uncovered` has the reason if none does.
     * @example
     * const { eligibleMandates, uncovered } = await tessera.mandates.eligible({ host: "api.example", amount: "500000" });
     */
    eligible: (query: T.EligibleMandatesQuery, options?: CallOptions) =>
      this.#get<T.EligibleMandatesResponse>("/api/mandates/eligible", options, query),
  };

  /** Payments signed for the agent. `Tessera.pay` signs, presents and follows a payment in one call. */
  readonly payments = {
    /**
     * Reads a payment. `validBefore` is in Unix seconds. Throws `payment_not_found`.
     * @example
     * const { status, txHash } = await tessera.payments.get(paymentRecordId);
     */
    get: async (paymentRecordId: string, options?: CallOptions) =>
      (await this.#get<T.GetPaymentResponse>(`/api/payments/${id(paymentRecordId)}`, options)).payment,
    /**
     * Lists the agent's payments.
     * @example
     * for await (const { host, amount } of tessera.payments.list()) console.log(host, amount);
     */
    list: (query?: Query<T.ListPaymentsQuery>, options?: CallOptions) =>
      this.#list<T.Payment>("/api/payments", "payments", query, options),
    /**
     * Signs a payment of `amount` atomic USDC under a mandate (x402 v1 proof). Does not present it.
     * @example
     * const result = await tessera.payments.sign({ mandateId, resource: url, amount: "500000", payTo });
     * if (result.status === "ok") await fetch(url, { headers: { "X-PAYMENT": result.xPaymentB64 } });
     */
    sign: (body: T.SignPaymentBody, options?: CallOptions) =>
      this.#post<T.SignPaymentResponse>("/api/payment/x402V3Payment", body, options),
    /**
     * Signs one offer of an x402 v2 requirement under a mandate. Does not present it.
     * @example
     * const paymentRequestB64 = response.headers.get("payment-required") ?? "";
     * const result = await tessera.payments.signV2({ mandateId, paymentRequestB64 });
     * if (result.status === "ok") await fetch(url, { headers: { "PAYMENT-SIGNATURE": result.paymentPayloadB64 } });
     */
    signV2: (body: T.SignPaymentV2Body, options?: CallOptions) =>
      this.#post<T.SignPaymentV2Response>("/api/v2/payment/x402-payment", body, options),
    /**
     * Requests the owner's approval of one payment, without a mandate. With the `approvalId` of an approved one, signs it (x402 v1 proof).
     * Throws `approval_denied` and `approval_expired`. `expiresAt` is in Unix seconds.
     * @example
     * const result = await tessera.payments.approve({ resource: url, amount: "500000", payTo });
     * if (result.status === "approval_required") console.log(result.approvalUrl);
     */
    approve: (body: T.ApprovePaymentBody, options?: CallOptions) =>
      this.#post<T.ApprovePaymentResponse>("/api/payment/x402V1Payment", body, options),
  };

  readonly payouts = {
    /**
     * Pays `amount` atomic USDC to an address or splits it among `recipients`: at once under a mandate, otherwise after the owner's
     * approval at `approvalUrl`. After `settlement_unknown`, read the payout instead of creating another.
     * @example
     * const body = { toAddress, amount: parseUsdc("5"), mandateId };
     * const { payoutId, status } = await tessera.payouts.create(body, { idempotencyKey: "rent-2026-06" });
     */
    create: (body: T.CreatePayoutBody, options?: CallOptions) =>
      this.#post<T.CreatePayoutResponse>("/api/payouts", body, options),
    /**
     * Reads a payout. Throws `payout_not_found`.
     * @example
     * const { status, txHash } = await tessera.payouts.get(payoutId);
     */
    get: (payoutId: string, options?: CallOptions) => this.#get<T.Payout>(`/api/payouts/${id(payoutId)}`, options),
    /**
     * Lists the agent's payouts.
     * @example
     * for await (const { payoutId } of tessera.payouts.list({ status: "succeeded" })) console.log(payoutId);
     */
    list: (query?: Query<T.ListPayoutsQuery>, options?: CallOptions) =>
      this.#list<T.Payout>("/api/payouts", "payouts", query, options),
    /**
     * Cancels a payout before its approval. Throws `payout_approved`, `payout_denied` and `payout_expired`.
     * @example
     * const { status } = await tessera.payouts.cancel(payoutId);
     */
    cancel: (payoutId: string, options?: CallOptions) =>
      this.#post<T.CancelPayoutResponse>(`/api/payouts/${id(payoutId)}/cancel`, undefined, options),
  };

  readonly links = {
    /**
     * Creates a link at which people and agents pay `amount` atomic USDC. `resourceContent` is delivered after settlement.
     * @example
     * const { linkId, url } = await tessera.links.create({ amount: parseUsdc("2"), resourceContent: "The report" });
     */
    create: async (body: T.CreateLinkBody, options?: CallOptions) =>
      (await this.#post<T.CreateLinkResponse>("/api/payment-links", body, options)).paymentLink,
    /**
     * Reads a link. Throws `LINK_NOT_FOUND`.
     * @example
     * const { status, useCount } = await tessera.links.get(linkId);
     */
    get: async (linkId: string, options?: CallOptions) =>
      (await this.#get<T.GetLinkResponse>(`/api/payment-links/${id(linkId)}`, options)).paymentLink,
    /**
     * Lists the agent's links.
     * @example
     * for await (const { linkId, useCount } of tessera.links.list()) console.log(linkId, useCount);
     */
    list: (query?: Query<T.ListLinksQuery>, options?: CallOptions) =>
      this.#list<T.PaymentLink>("/api/payment-links", "paymentLinks", query, options),
    /**
     * Changes a link for future payers; its price cannot be changed. Throws `LINK_NOT_FOUND` and `LINK_OF_INVOICE`.
     * @example
     * await tessera.links.update(linkId, { status: "disabled" });
     */
    update: async (linkId: string, body: T.UpdateLinkBody, options?: CallOptions) =>
      (await this.request<T.UpdateLinkResponse>("PATCH", `/api/payment-links/${id(linkId)}`, { body, options }))
        .paymentLink,
    /**
     * Deletes a link. Sent once, without retries. Throws `LINK_NOT_FOUND` and `LINK_OF_INVOICE`.
     * @example
     * await tessera.links.delete(linkId);
     */
    delete: (linkId: string, options?: CallOptions) =>
      this.request<T.DeleteLinkResponse>("DELETE", `/api/payment-links/${id(linkId)}`, { options }),
    /**
     * Lists the payments of one link.
     * @example
     * for await (const { amount, settlementStatus } of tessera.links.payments(linkId)) console.log(amount, settlementStatus);
     */
    payments: (linkId: string, query?: Query<T.LinkPaymentsQuery>, options?: CallOptions) =>
      this.#list<T.ReceivedPayment>(`/api/payment-links/${id(linkId)}/payments`, "payments", query, options),
  };

  /** Payments that the agent received at its links and at its UPL (`receiveUrl`). */
  readonly received = {
    /**
     * Reads a received payment. Final once `settlementStatus` is "settled". Throws `PAYMENT_NOT_FOUND`.
     * @example
     * const { settlementStatus, amount } = await tessera.received.get(paymentId);
     */
    get: async (paymentId: number, options?: CallOptions) =>
      (await this.#get<T.GetReceivedResponse>(`/api/received-payments/${paymentId}`, options)).payment,
    /**
     * Lists received payments.
     * @example
     * const { items } = await tessera.received.list({ limit: 10 }).page();
     */
    list: (query?: Query<T.ListReceivedQuery>, options?: CallOptions) =>
      this.#list<T.ReceivedPayment>("/api/received-payments", "payments", query, options),
  };

  readonly refunds = {
    /**
     * Requests a refund of `amount` atomic USDC, by default of the whole payment. The owner approves it at `refundUrl`. Throws
     * `PAYMENT_NOT_FOUND`, `PAYMENT_NOT_SETTLED`, `REFUND_EXCEEDS_PAYMENT` and `REFUND_BELOW_UNUSED`.
     * @example
     * const { refundId, refundUrl } = await tessera.refunds.create({ paymentId, amount: parseUsdc("1") });
     */
    create: (body: T.CreateRefundBody, options?: CallOptions) =>
      this.#post<T.Refund>("/api/payment-links/refunds/initiate", body, options),
    /**
     * Reads a refund. Throws `REFUND_NOT_FOUND`.
     * @example
     * const { status, stillValidUntil } = await tessera.refunds.get(refundId);
     */
    get: (refundId: string, options?: CallOptions) =>
      this.#get<T.Refund>(`/api/payment-links/refunds/${id(refundId)}`, options),
    /**
     * Lists the agent's refunds.
     * @example
     * for await (const { refundId, status } of tessera.refunds.list()) console.log(refundId, status);
     */
    list: (query?: Query<T.ListRefundsQuery>, options?: CallOptions) =>
      this.#list<T.Refund>("/api/payment-links/refunds", "refunds", query, options),
    /**
     * Cancels a refund before its approval. Throws `REFUND_APPROVED`, `REFUND_EXPIRED`, `REFUND_FAILED` and `REFUND_SETTLED`.
     * @example
     * await tessera.refunds.cancel(refundId);
     */
    cancel: (refundId: string, options?: CallOptions) =>
      this.#post<T.Refund>(`/api/payment-links/refunds/${id(refundId)}/cancel`, undefined, options),
  };

  /** Credentials that prove the agent's identity to a third party, which verifies them with `@tessera/client/verify`. */
  readonly credentials = {
    /**
     * Issues a credential for one audience, valid for `ttl_seconds`. `issued_at` and `expires_at` are Unix seconds.
     * @example
     * const { vc } = await tessera.credentials.issue({ audience: "https://shop.example", challenge, ttl_seconds: 300 });
     */
    issue: (body: T.IssueCredentialBody, options?: CallOptions) =>
      this.#post<T.IssueCredentialResponse>("/agent/vc/issue", body, options),
    /**
     * Verifies a credential at the service; needs no login. Throws `invalid_or_expired_vc`.
     * @example
     * const { valid } = await tessera.credentials.verify({ vc, expected_audience: "https://shop.example" });
     */
    verify: (body: T.VerifyCredentialBody, options?: CallOptions) =>
      this.request<T.VerifyCredentialResponse>("POST", "/verify-vc", { body, options, isPublic: true }),
  };

  readonly agents = {
    /**
     * Reads the public data of an agent; needs no login. Throws `agent_not_found`.
     * @example
     * const { agent_name, wallet_linked } = await tessera.agents.get(agentId);
     */
    get: (agentId: string, options?: CallOptions) =>
      this.#get<T.AgentCardResponse>(`/agent/${id(agentId)}`, options, {}, true),
  };

  readonly settlements = {
    /**
     * Reads the state of a presented payment; needs no login. With the buyer's `key`, also the content that a link sold. While
     * `stillValidUntil` (ISO 8601) is set, an unsettled payment can still be paid. Throws `SETTLEMENT_NOT_FOUND`.
     * @example
     * const { settlementStatus, txHash } = await tessera.settlements.get(settlementId);
     */
    get: (settlementId: string, options: CallOptions & { key?: string } = {}) =>
      this.#get<T.GetSettlementResponse>(`/api/settlements/${id(settlementId)}`, options, { key: options.key }, true),
    /**
     * Returns the signed receipt, or `status: "pending"` before settlement. Throws `NO_RECEIPT` and `SETTLEMENT_NOT_FOUND`.
     * @example
     * const result = await tessera.settlements.receipt(settlementId);
     * if ("jws" in result) console.log(result.jws);
     */
    receipt: (settlementId: string, options?: CallOptions) =>
      this.#get<T.GetReceiptResponse>(`/api/settlements/${id(settlementId)}/receipt`, options, {}, true),
  };

  readonly firewall = {
    /**
     * Returns the prices (`priceAtomic` in atomic USDC), limits and input schemas of the scans. Throws `FIREWALL_NOT_FOUND`.
     * @example
     * const { endpoints } = await tessera.firewall.discover();
     */
    discover: (firewallId = FIREWALL_ID, options?: CallOptions) =>
      this.#get<T.DiscoverFirewallResponse>(`/api/transaction-firewall/${id(firewallId)}`, options, {}, true),
    /**
     * Buys a scan of a transaction, an x402 requirement or a prompt. `body` is its input, as `discover` describes it. Throws as `pay` does.
     * @example
     * const { response } = await tessera.firewall.scan("prompt-scan", { text }, { maxAmount: parseUsdc("0.50") });
     * console.log(await response.json());
     */
    scan: (kind: "scan" | "x402-scan" | "prompt-scan", body: object, options: ScanOptions): Promise<PayResult> => {
      const firewallId = id(options.firewallId ?? FIREWALL_ID);
      const url = `${this.baseUrl}/api/transaction-firewall/${firewallId}/api/${kind}`;
      const headers = { "Content-Type": "application/json", "X-Agent-ID": this.agentId };
      return this.pay(url, { method: "POST", headers, body: JSON.stringify(body) }, options);
    },
    /**
     * Lists the scans that the agent bought.
     * @example
     * for await (const { kind, verdict } of tessera.firewall.scans()) console.log(kind, verdict);
     */
    scans: (query?: Query<T.ListScansQuery>, options?: CallOptions) =>
      this.#list<T.ListScansResponse["scans"][number]>("/api/firewall/scans", "scans", query, options),
  };

  /**
   * Returns the agent's permanent payment URL (UPL) for `amount` atomic USDC. Sends nothing.
   * @example
   * const url = tessera.receiveUrl(parseUsdc("0.10"));
   */
  receiveUrl = (amount: string, agentId = this.agentId): string =>
    `${this.baseUrl}/unifypaymentlink/agentid/${id(agentId)}?amount=${id(amount)}&asset=usdc`;

  /**
   * Requests `url` and pays a 402 (x402 v1 and v2, scheme `exact`, USDC), under a mandate or with the owner's approval. Signs at most once.
   *
   * Throws PaymentError: `outcome` says whether money moved, `proof` is the one to present again. Before anything is signed:
   * `no_payable_option`, `max_amount_exceeded`, `no_mandate`, `redirect_refused` (all `not_paid`), and TesseraError `invalid_argument`,
   * `network_error`, `timeout` and `response_too_large`. An abort after the proof was presented is `aborted`, with outcome `unknown`.
   *
   * @example
   * const { response, receipt } = await tessera.pay(url, {}, { maxAmount: parseUsdc("0.50") });
   * console.log(await response.json(), receipt?.txHash);
   */
  pay = (url: string | URL, init: RequestInit, options: PayOptions): Promise<PayResult> =>
    options.preferPass
      ? import("./passes.ts").then((passes) => passes.pay(this.#purse, url, init, options))
      : pay(this.#purse, url, init, options);

  /**
   * Signs an offer of `url` without presenting it, for other x402 clients. The same `idempotencyKey` gives the same proof. Throws
   * PaymentError with outcome `not_paid`: `no_mandate`, `wrong_proof`, `idempotency_key_reused` and the service's codes.
   * @example
   * const { header, value } = await tessera.sign(offer, url, { mandateId });
   * const response = await fetch(url, { headers: { [header]: value } });
   */
  sign = async (
    offer: Offer,
    url: string | URL,
    { idempotencyKey = newKey(), ...options }: SignOptions & CallOptions = {},
  ): Promise<Proof> => {
    const proof = await this.#purse.signOnce(idempotencyKey, { offer, url: new URL(url) }, options);
    if (proof.amount === offer.amount && proof.payTo === offer.payTo && proof.network === offer.network) return proof;
    const message = "This idempotencyKey was used for another payment";
    throw new PaymentError({ code: "idempotency_key_reused", outcome: "not_paid", message });
  };

  get #purse(): Purse {
    const { baseUrl, payments, mandates } = this;
    const calls = { sign: payments.sign, approve: payments.approve, eligible: mandates.eligible };
    const purse: Purse = {
      baseUrl,
      fetch: this.#fetch,
      ...calls,
      refused: (payment, reason) => this.#post(`/api/payments/${id(payment)}/refusal`, { reason }),
      findProof: (key) => this.#proofs.find(key),
      signOnce: (key, order, options) => this.#proofs.once(key, () => sign(purse, { ...order, key }, options)),
    };
    return purse;
  }
}

/** The id that a service gives its firewall by default. */
const FIREWALL_ID = "sentinel";

export type ScanOptions = PayOptions & { firewallId?: string };

const id = encodeURIComponent;
