import { parseUrl } from "@tessera/x402/url";
import { z } from "zod";
import {
  approval,
  intent,
  link,
  linkPayment,
  mandate,
  oneLink,
  payout,
  proof,
  proofV2,
  received,
  refund,
  refused,
  self,
  text,
} from "./live-responses";

/**
 * An agent's client as people already use it with the live service of this interface. It sends the same requests, reads only
 * the same members of responses, and fails in the same places, with the text of the response.
 */
export class GaveUp extends Error {
  override readonly name = "GaveUp";

  constructor(
    readonly status: number,
    readonly text: string,
  ) {
    super(`${status}: ${text}`);
  }
}

/** An offer of a 402. The client invents missing members. */
export type LiveOffer = {
  scheme: string;
  network?: string;
  maxAmountRequired?: string;
  asset?: string;
  payTo: string;
  resource?: string;
  description?: string;
  maxTimeoutSeconds?: number;
  extra?: { name?: string; version?: string };
};

const USDC_ON_BASE = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";

export type LiveLink = z.output<typeof link>;

/** `base` replaces all three origins of the live service. A new client has no identity until it registers. */
export function liveClient(base: string) {
  let me = { agent_id: "", token: "", jwt: "" };

  async function send(method: string, path: string, body?: object, headers: Record<string, string> = bearer()) {
    const json = body === undefined ? {} : { "Content-Type": "application/json" };
    const response = await fetch(`${base}${path}`, {
      method,
      headers: { ...json, ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, text: await response.text() };
  }
  const bearer = () => ({ Authorization: `Bearer ${me.jwt}` });

  /** Requests where the client checks only the HTTP status. */
  async function readStatus<T extends z.ZodType>(shape: T, ...request: Parameters<typeof send>): Promise<z.output<T>> {
    const response = await send(...request);
    if (response.status < 200 || response.status > 299) throw new GaveUp(response.status, response.text);
    return shape.parse(JSON.parse(response.text));
  }

  /** Requests where the client reads the body's `status` and ignores the HTTP status. */
  async function read<T extends z.ZodType>(shape: T, ...request: Parameters<typeof send>) {
    return z.union([shape, refused]).parse(JSON.parse((await send(...request)).text));
  }

  const offered = (offer: LiveOffer) => ({
    scheme: offer.scheme,
    network: offer.network ?? "base",
    amount: offer.maxAmountRequired ?? "0",
    currency: "USDC",
    assetAddress: offer.asset ?? USDC_ON_BASE,
    payTo: offer.payTo,
    host: hostOf(offer.resource ?? ""),
    resource: offer.resource ?? "",
    description: offer.description ?? "",
    tokenName: offer.extra?.name ?? "USD Coin",
    tokenVersion: offer.extra?.version ?? "2",
    // Unchanged: one client sends any size, the other at most 60; both send 0 as 0.
    validityWindowSeconds: offer.maxTimeoutSeconds ?? 60,
  });

  return {
    agentId: () => me.agent_id,

    async register(name: string) {
      const shape = z.object({ agent_id: text, token: text, jwt: text });
      me = await readStatus(shape, "POST", "/register", { agent_name: name, client_info: "Command line 1.0" }, {});
    },
    async refresh(token = me.token) {
      const body = { agent_id: me.agent_id, token };
      const { jwt } = await readStatus(z.object({ jwt: text }), "POST", "/refresh", body, {});
      me = { ...me, jwt };
      const { exp } = z.object({ exp: z.number() }).parse(JSON.parse(atob(jwt.split(".")[1] ?? "")));
      return exp;
    },
    issueCredential(audience: string, challenge: string, ttl = 3600) {
      const shape = z.object({ vc: text, jti: text, issued_at: z.int(), expires_at: z.int(), kid: text });
      return readStatus(shape, "POST", "/agent/vc/issue", { challenge, audience, ttl_seconds: ttl });
    },
    /** 200 means linked and 403 not linked; any other status is unknown. */
    async isLinked() {
      const response = await send("GET", "/api/mandates");
      if (response.status === 200) return true;
      if (response.status === 403) return false;
      throw new GaveUp(response.status, response.text);
    },
    self: (query = "") => readStatus(self, "GET", `/api/agent/self/status${query}`),

    createMandate(limitAmount: string, change: object = {}, headers?: Record<string, string>) {
      const requested = {
        naturalLanguage: "Spend on market data",
        category: "general",
        currency: "USDC",
        limitAmount,
        validForSeconds: 28_800,
        hostAllowlist: [],
        ...change,
      };
      return read(intent, "POST", "/api/mandates/create-intent", { intent: requested }, headers);
    },
    mandate: (id: string) => read(mandate, "GET", `/api/mandates/agent/${encodeURIComponent(id)}`),
    async eligible(host: string, amount: string) {
      const query = new URLSearchParams({ host, amount, currency: "USDC" });
      const shape = z.object({ status: z.literal("ok"), eligibleMandates: z.array(mandate.shape.mandate) });
      return (await readStatus(shape, "GET", `/api/mandates/eligible?${query}`)).eligibleMandates;
    },

    payV3: (mandateId: string, offer: LiveOffer) =>
      read(proof, "POST", "/api/payment/x402V3Payment", { mandateId, ...offered(offer) }),
    payV2: (mandateId: string, request: { paymentRequest: unknown } | { paymentRequestB64: string }) =>
      read(proofV2, "POST", "/api/v2/payment/x402-payment", { mandateId, ...request }),
    payV1: (offer: LiveOffer, approvalId?: string) =>
      readStatus(z.union([proof, approval]), "POST", "/api/payment/x402V1Payment", {
        ...offered(offer),
        ...(approvalId && { approvalId }),
      }),

    payout: (payoutId: string, toAddress: string, amount: string, change: object = {}) =>
      readStatus(
        payout,
        "POST",
        "/api/payouts",
        {
          agentId: me.agent_id,
          toAddress,
          amount,
          currency: "USDC",
          network: "base",
          assetAddress: USDC_ON_BASE,
          payoutId,
          ...change,
        },
        { ...bearer(), "x-agent-id": me.agent_id },
      ),
    /** `headers` is empty in older clients, which send no identity. */
    payoutStatus(payoutId: string, headers?: Record<string, string>) {
      const shape = payout.pick({ payoutId: true, status: true, txHash: true });
      return readStatus(shape, "GET", `/api/payouts/${encodeURIComponent(payoutId)}`, undefined, headers);
    },

    createLink: async (json: object) => (await readStatus(oneLink, "POST", LINKS, json)).paymentLink,
    links: async (query = "") =>
      (await readStatus(z.object({ paymentLinks: z.array(link) }), "GET", `${LINKS}${query}`)).paymentLinks,
    link: async (id: string) =>
      (await readStatus(z.object({ paymentLink: link }), "GET", `${LINKS}/${id}`)).paymentLink,
    updateLink: async (id: string, json: object) =>
      (await readStatus(oneLink, "PATCH", `${LINKS}/${id}`, json)).paymentLink,
    deleteLink: (id: string) =>
      readStatus(z.object({ success: z.literal(true), message: text }), "DELETE", `${LINKS}/${id}`),
    linkPayments: async (id: string, query = "") =>
      (await readStatus(z.object({ payments: z.array(linkPayment) }), "GET", `${LINKS}/${id}/payments${query}`))
        .payments,
    received: async (query = "") =>
      (await readStatus(z.object({ payments: z.array(received) }), "GET", `/api/received-payments${query}`)).payments,
    receivedOne: async (id: number) => {
      const shape = z.object({ payment: received.extend({ network: text, payTo: text }) });
      return (await readStatus(shape, "GET", `/api/received-payments/${id}`)).payment;
    },

    refund: (json: { paymentId: number; amount?: string; reason?: string }) =>
      readStatus(refund, "POST", `${LINKS}/refunds/initiate`, json),
    refunds: async (query = "") =>
      (await readStatus(z.object({ refunds: z.array(refund) }), "GET", `${LINKS}/refunds${query}`)).refunds,
    refundOne: (id: string) => readStatus(refund, "GET", `${LINKS}/refunds/${id}`),
    cancelRefund: (id: string) => readStatus(refund, "POST", `${LINKS}/refunds/${id}/cancel`),
  };
}

const LINKS = "/api/payment-links";

/** For text that is not a URL: the part before the first slash, or all of it. */
const hostOf = (resource: string): string => parseUrl(resource)?.host ?? /^[^/]+/.exec(resource)?.[0] ?? resource;
