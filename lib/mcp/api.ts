import { signV1 } from "@/lib/approvals/contract";
import type { Endpoint } from "@/lib/core/endpoint";
import { AppError, type Kind, STATUS } from "@/lib/core/errors";
import { topUp } from "@/lib/credits/contract";
import { searchResources } from "@/lib/discovery/contract";
import { scanPromptSold, scanTransactionSold, scanX402Sold } from "@/lib/firewall/contract";
import { registerAgent } from "@/lib/identity/contract";
import { cancelInvoice, createInvoice, getInvoice, listInvoices } from "@/lib/invoices/contract";
import { payLink } from "@/lib/links/checkout/contract";
import { createLink, deleteLink, getLink, listLinks, updateLink } from "@/lib/links/contract";
import { getReceivedPayment, listLinkPayments, listReceivedPayments } from "@/lib/links/received/contract";
import { getUpl } from "@/lib/links/upl/contract";
import { createIntent, getMandate, listMandates } from "@/lib/mandates/contract";
import { getPayment, listPayments, signV2, signV3 } from "@/lib/payments/contract";
import { selfStatus } from "@/lib/payments/status-contract";
import { cancelPayout, createPayout, getPayout, listPayouts } from "@/lib/payouts/contract";
import { cancelRefund, getRefund, initiateRefund, listRefunds } from "@/lib/refunds/contract";
import { getCancellation, getReceipt, getSettlement, postCancellation } from "@/lib/settlements/contract";

/** The endpoints that tools call. */
export const ENDPOINTS = {
  registerAgent,
  selfStatus,
  createIntent,
  getMandate,
  signV1,
  signV2,
  signV3,
  createPayout,
  getPayout,
  listMandates,
  listPayments,
  getPayment,
  listPayouts,
  cancelPayout,
  createInvoice,
  listInvoices,
  getInvoice,
  cancelInvoice,
  topUp,
  getCancellation,
  postCancellation,
  createLink,
  listLinks,
  getLink,
  updateLink,
  deleteLink,
  listLinkPayments,
  listReceivedPayments,
  getReceivedPayment,
  initiateRefund,
  listRefunds,
  getRefund,
  cancelRefund,
  getReceipt,
  scanPromptSold,
  scanTransactionSold,
  scanX402Sold,
  searchResources,
  payLink,
  getUpl,
  getSettlement,
} satisfies Record<string, Endpoint>;

export type EndpointName = keyof typeof ENDPOINTS;
export type Handler = (req: Request, segments: { params: Promise<Record<string, string>> }) => Promise<Response>;
export type Handlers = Record<EndpointName, Handler>;

export type Call = {
  params?: Record<string, string>;
  query?: Record<string, string | undefined>;
  json?: unknown;
  headers?: Record<string, string>;
  idempotencyKey?: string | undefined;
};

type Json = Record<string, unknown>;
export type Answer = { status: number; body: Json };

/** Calls the API's own handlers, so that tools have the same rules, limits and errors as the endpoints. */
export type Api = {
  /** Returns the response unchanged. */
  send: (name: EndpointName, call: Call) => Promise<Response>;
  /** Returns the JSON body. Throws an AppError with the endpoint's code and message. */
  call: (name: EndpointName, call: Call) => Promise<Answer>;
};

type Caller = { baseUrl: string; origin: Request; jwt: string | null };

export function createApi(handlers: Handlers, { baseUrl, origin, jwt }: Caller): Api {
  const send: Api["send"] = async (name, { params = {}, query = {}, json, headers: extraHeaders, idempotencyKey }) => {
    const { method, path } = ENDPOINTS[name];
    const headers = new Headers(extraHeaders);
    // Rate limits count the address that called /mcp.
    const caller = origin.headers.get("x-tessera-caller");
    if (caller !== null) headers.set("x-tessera-caller", caller);
    if (jwt !== null) headers.set("authorization", `Bearer ${jwt}`);
    if (json !== undefined) headers.set("content-type", "application/json");
    if (idempotencyKey !== undefined) headers.set("idempotency-key", idempotencyKey);
    const url = new URL(pathWith(path, params), baseUrl);
    for (const [key, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(key, value);
    const body = json === undefined ? null : JSON.stringify(json);
    return handlers[name](new Request(url, { method, headers, body }), { params: Promise.resolve(params) });
  };
  const call: Api["call"] = async (name, request) => {
    const response = await send(name, request);
    const body: Json = await response.json();
    if (response.status >= 400) throw errorOf(response.status, body);
    return { status: response.status, body };
  };
  return { send, call };
}

const pathWith = (path: string, params: Record<string, string>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));

const KINDS = Object.fromEntries(Object.entries(STATUS).map(([kind, status]) => [status, kind as Kind]));

/** Converts an error body to an AppError. Identity endpoints send only a string, `error`. */
export function errorOf(status: number, { code, message, error, ...details }: Json): AppError {
  const fallback = typeof error === "string" ? error : "The request was refused";
  return new AppError(
    typeof code === "string" ? code : fallback,
    KINDS[status] ?? "internal",
    typeof message === "string" ? message : fallback,
    details,
  );
}
