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
  /** Default: the global fetch. */
  fetch?: Fetch | undefined;
};

/** A query, with numbers where the URL has digits. */
export type Query<Q> = {
  [K in keyof Q as Exclude<K, "cursor">]?: Q[K] | (K extends "limit" | "offset" | "txLimit" ? number : never);
};

/** An agent's access to the service. It logs in by itself. Its methods throw TesseraError. */
export class Tessera {
  readonly baseUrl: string;
  readonly agentId: string;
  readonly #fetch: Fetch;
  readonly #session: Session;
  readonly #proofs = new Proofs();

  constructor({ baseUrl, agentId, token, fetch = globalThis.fetch }: TesseraOptions) {
    this.baseUrl = originOf(baseUrl);
    this.agentId = agentId;
    // A bare reference, because browsers refuse fetch as a method of another object.
    this.#fetch = (input, init) => fetch(input, init);
    this.#session = new Session(this.#fetch, { baseUrl: this.baseUrl, agentId }, token);
  }

  /** Registers a new agent. Store `tessera.agentId` and `tessera.token`: the token is not shown again. */
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

  /** The agent's permanent token. */
  get token(): string {
    return this.#session.token;
  }

  /**
   * Calls an endpoint that has no method of its own, and returns its JSON. It logs in and repeats what is safe to repeat, as the
   * methods do.
   */
  async request<R>(method: string, path: string, { isPublic, ...request }: Request = {}): Promise<R> {
    return call(this.#fetch, urlAt(this.baseUrl, path), method, request, isPublic ? undefined : this.#session);
  }

  /**
   * Sends a request to any path of the service as this agent, and returns the response as it is. Nothing is repeated, except after a
   * 401 with a new login.
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

  /** The agent, its wallet, its balances, its mandates and its latest payments. */
  status = (query?: Query<T.StatusQuery>, options?: CallOptions) =>
    this.#get<T.StatusResponse>("/api/agent/self/status", options, query);

  /** Leaves the linked owner, if that owner has signed nothing for the agent. */
  unlink = (options?: CallOptions) => this.#post<T.UnlinkResponse>("/api/agent/self/unlink", undefined, options);

  /** A new permanent token, which this object uses from now on. Store `token`: it is shown once. */
  rotateToken = async ({ revokeOld = false } = {}, options?: CallOptions): Promise<T.RotateTokenResponse> => {
    const body: T.RotateTokenBody = { agent_id: this.agentId, token: this.token, revoke_old: revokeOld };
    const request = { body, options, isPublic: true };
    const rotated = await this.request<T.RotateTokenResponse>("POST", "/token/rotate", request);
    this.#session.replace(rotated.token, rotated.jwt);
    return rotated;
  };

  readonly mandates = {
    /** Proposes a mandate. Its owner signs it at `authorizationUrl`. */
    create: (intent: T.CreateMandateBody["intent"], options?: CallOptions) =>
      this.#post<T.CreateMandateResponse>("/api/mandates/create-intent", { intent }, options),
    get: async (mandateId: string, options?: CallOptions) =>
      (await this.#get<T.GetMandateResponse>(`/api/mandates/agent/${id(mandateId)}`, options)).mandate,
    /** Those that can pay first, then paused, waiting and ended ones. */
    list: (query?: Query<T.ListMandatesQuery>, options?: CallOptions) =>
      this.#list<T.Mandate>("/api/mandates", "mandates", query, options),
    eligible: (query: T.EligibleMandatesQuery, options?: CallOptions) =>
      this.#get<T.EligibleMandatesResponse>("/api/mandates/eligible", options, query),
  };

  /** Payments that were signed for the agent. `pay` does all of it. */
  readonly payments = {
    get: async (paymentRecordId: string, options?: CallOptions) =>
      (await this.#get<T.GetPaymentResponse>(`/api/payments/${id(paymentRecordId)}`, options)).payment,
    list: (query?: Query<T.ListPaymentsQuery>, options?: CallOptions) =>
      this.#list<T.Payment>("/api/payments", "payments", query, options),
    /** Signs under a mandate (x402 v1 proof). */
    sign: (body: T.SignPaymentBody, options?: CallOptions) =>
      this.#post<T.SignPaymentResponse>("/api/payment/x402V3Payment", body, options),
    /** Signs an offer of an x402 v2 requirement under a mandate. */
    signV2: (body: T.SignPaymentV2Body, options?: CallOptions) =>
      this.#post<T.SignPaymentV2Response>("/api/v2/payment/x402-payment", body, options),
    /** Requests the owner's approval of one payment; with the `approvalId`, signs it once it is approved. */
    approve: (body: T.ApprovePaymentBody, options?: CallOptions) =>
      this.#post<T.ApprovePaymentResponse>("/api/payment/x402V1Payment", body, options),
  };

  readonly payouts = {
    create: (body: T.CreatePayoutBody, options?: CallOptions) =>
      this.#post<T.CreatePayoutResponse>("/api/payouts", body, options),
    get: (payoutId: string, options?: CallOptions) => this.#get<T.Payout>(`/api/payouts/${id(payoutId)}`, options),
    list: (query?: Query<T.ListPayoutsQuery>, options?: CallOptions) =>
      this.#list<T.Payout>("/api/payouts", "payouts", query, options),
    cancel: (payoutId: string, options?: CallOptions) =>
      this.#post<T.CancelPayoutResponse>(`/api/payouts/${id(payoutId)}/cancel`, undefined, options),
  };

  readonly links = {
    create: async (body: T.CreateLinkBody, options?: CallOptions) =>
      (await this.#post<T.CreateLinkResponse>("/api/payment-links", body, options)).paymentLink,
    get: async (linkId: string, options?: CallOptions) =>
      (await this.#get<T.GetLinkResponse>(`/api/payment-links/${id(linkId)}`, options)).paymentLink,
    list: (query?: Query<T.ListLinksQuery>, options?: CallOptions) =>
      this.#list<T.PaymentLink>("/api/payment-links", "paymentLinks", query, options),
    update: async (linkId: string, body: T.UpdateLinkBody, options?: CallOptions) =>
      (await this.request<T.UpdateLinkResponse>("PATCH", `/api/payment-links/${id(linkId)}`, { body, options }))
        .paymentLink,
    delete: (linkId: string, options?: CallOptions) =>
      this.request<T.DeleteLinkResponse>("DELETE", `/api/payment-links/${id(linkId)}`, { options }),
    payments: (linkId: string, query?: Query<T.LinkPaymentsQuery>, options?: CallOptions) =>
      this.#list<T.ReceivedPayment>(`/api/payment-links/${id(linkId)}/payments`, "payments", query, options),
  };

  /** Payments that the agent received, at its links and at its UPL. */
  readonly received = {
    get: async (paymentId: number, options?: CallOptions) =>
      (await this.#get<T.GetReceivedResponse>(`/api/received-payments/${paymentId}`, options)).payment,
    list: (query?: Query<T.ListReceivedQuery>, options?: CallOptions) =>
      this.#list<T.ReceivedPayment>("/api/received-payments", "payments", query, options),
  };

  readonly refunds = {
    /** Requests a refund. Its owner approves it at `refundUrl`. */
    create: (body: T.CreateRefundBody, options?: CallOptions) =>
      this.#post<T.Refund>("/api/payment-links/refunds/initiate", body, options),
    get: (refundId: string, options?: CallOptions) =>
      this.#get<T.Refund>(`/api/payment-links/refunds/${id(refundId)}`, options),
    list: (query?: Query<T.ListRefundsQuery>, options?: CallOptions) =>
      this.#list<T.Refund>("/api/payment-links/refunds", "refunds", query, options),
    cancel: (refundId: string, options?: CallOptions) =>
      this.#post<T.Refund>(`/api/payment-links/refunds/${id(refundId)}/cancel`, undefined, options),
  };

  /** Credentials that prove the agent's identity to a third party. To verify them: `@tessera/client/verify`. */
  readonly credentials = {
    issue: (body: T.IssueCredentialBody, options?: CallOptions) =>
      this.#post<T.IssueCredentialResponse>("/agent/vc/issue", body, options),
    verify: (body: T.VerifyCredentialBody, options?: CallOptions) =>
      this.request<T.VerifyCredentialResponse>("POST", "/verify-vc", { body, options, isPublic: true }),
  };

  readonly agents = {
    get: (agentId: string, options?: CallOptions) =>
      this.#get<T.AgentCardResponse>(`/agent/${id(agentId)}`, options, {}, true),
  };

  readonly settlements = {
    get: (settlementId: string, options: CallOptions & { key?: string } = {}) =>
      this.#get<T.GetSettlementResponse>(`/api/settlements/${id(settlementId)}`, options, { key: options.key }, true),
    /** The signed receipt, or `pending`. */
    receipt: (settlementId: string, options?: CallOptions) =>
      this.#get<T.GetReceiptResponse>(`/api/settlements/${id(settlementId)}/receipt`, options, {}, true),
  };

  readonly firewall = {
    /** Prices, limits and inputs of the scans. */
    discover: (firewallId = FIREWALL_ID, options?: CallOptions) =>
      this.#get<T.DiscoverFirewallResponse>(`/api/transaction-firewall/${id(firewallId)}`, options, {}, true),
    /** Buys a scan. `body` is its input (`discover` has the schemas). */
    scan: (kind: "scan" | "x402-scan" | "prompt-scan", body: object, options: ScanOptions): Promise<PayResult> => {
      const firewallId = id(options.firewallId ?? FIREWALL_ID);
      const url = `${this.baseUrl}/api/transaction-firewall/${firewallId}/api/${kind}`;
      const headers = { "Content-Type": "application/json", "X-Agent-ID": this.agentId };
      return this.pay(url, { method: "POST", headers, body: JSON.stringify(body) }, options);
    },
    /** Scans that the agent bought. */
    scans: (query?: Query<T.ListScansQuery>, options?: CallOptions) =>
      this.#list<T.ListScansResponse["scans"][number]>("/api/firewall/scans", "scans", query, options),
  };

  /** The agent's permanent address (UPL) for a payment of `amount` atomic USDC. */
  receiveUrl = (amount: string, agentId = this.agentId): string =>
    `${this.baseUrl}/unifypaymentlink/agentid/${id(agentId)}?amount=${id(amount)}&asset=usdc`;

  /**
   * Requests `url` and pays if the seller requires it (x402 v1 and v2, scheme `exact`, USDC), under a mandate or with the
   * owner's approval. Throws PaymentError: `outcome` says whether money moved, and `proof` is the one to present again.
   */
  pay = (url: string | URL, init: RequestInit, options: PayOptions): Promise<PayResult> =>
    pay(this.#purse, url, init, options);

  /** Signs an offer of `url` without presenting it, for other x402 clients. The same key gives the same proof. */
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
      known: (key) => this.#proofs.known(key),
      signOnce: (key, order, options) => this.#proofs.once(key, () => sign(purse, { ...order, key }, options)),
    };
    return purse;
  }
}

/** The firewall's default name. */
const FIREWALL_ID = "sentinel";

export type ScanOptions = PayOptions & { firewallId?: string };

const id = encodeURIComponent;
