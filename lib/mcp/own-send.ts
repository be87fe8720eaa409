import { z } from "zod";
import { collector } from "@/lib/core/collect";
import type { Endpoint } from "@/lib/core/endpoint";
import { topUp } from "@/lib/credits/contract";
import { scanPromptSold, scanTransactionSold, scanX402Sold } from "@/lib/firewall/contract";
import { payLink } from "@/lib/links/checkout/contract";
import { getPass } from "@/lib/links/passes/contract";
import { getUpl } from "@/lib/links/upl/contract";
import { deletePaid, getPaid, patchPaid, postPaid, putPaid } from "@/lib/links/upstream/contract";
import type { OutboundResponse, Send, Unanswered } from "@/lib/platform/outbound";
import type { PurchaseView } from "@/lib/purchases/service";
import { getSettlement } from "@/lib/settlements/contract";
import { type Api, type Caller, errorOf, type Handlers, handlerOf } from "./api";

export const jsonBody = z.record(z.string(), z.unknown());

/** For purchases at this service: calls the endpoint's handler instead of using the network. */
export const ownSend =
  (api: Api, endpoint: Endpoint, params: Record<string, string> = {}): Send =>
  async (_url, { headers, body }) => {
    const json: unknown = JSON.parse(String(body ?? "{}"));
    const response = await api.send(endpoint, { params, json, headers });
    const bytes = Buffer.from(await response.arrayBuffer());
    const { status } = response;
    return { isAnswered: true, status, headers: Object.fromEntries(response.headers), bytes, end: "whole" };
  };

/** This service's response to a purchase at itself; null if there is none. Throws the error response if the order needed no payment. */
export function ownAnswer({ outcome, answer: response }: PurchaseView): z.output<typeof jsonBody> | null {
  if (!response) return null;
  const body = jsonBody.catch({}).parse(response.body ? JSON.parse(response.body) : {});
  if (outcome === "not_required") throw errorOf(response.status, body);
  return body;
}

/** Endpoints that sell at this service, and those that return what was bought, by path. */
const SOLD_HERE: readonly (readonly [path: string, endpoint: Endpoint])[] = [
  ["/pay/{linkId}", payLink],
  ["/receipt/{settlementId}", getSettlement],
  ...[payLink, getPass, getUpl, getSettlement, scanPromptSold, scanTransactionSold, scanX402Sold, topUp].map(
    (endpoint) => [endpoint.path, endpoint] as const,
  ),
  ...[getPaid, postPaid, putPaid, patchPaid, deletePaid].map((endpoint) => ["/paid/{linkId}{path}", endpoint] as const),
];

/** The rest of a URL's path, which the handler reads itself. */
const REST = "(?:/[^/]{1,200}){0,20}";

const REPLY_BYTES_MAX = 65_536;

/**
 * Calls the handler for a URL of this service, rate-limited as the client of `origin`; a network request would come from the
 * service's own address. Refuses all other URLs.
 */
export const hereSend =
  (handlers: Handlers, { baseUrl, origin, inside }: Caller): Send =>
  async (url, { method, headers, body, msMax }) => {
    const target = url.origin === new URL(baseUrl).origin ? soldAt(url, method) : null;
    if (!target) return { isAnswered: false, why: "address_refused" };
    // A GET Request cannot have a body, and no handler reads one.
    const bodyInit = method === "GET" || body === undefined ? {} : { body: String(body) };
    const req = new Request(url, { method, headers, ...bodyInit });
    const caller = origin.headers.get("x-tessera-caller");
    if (caller !== null) req.headers.set("x-tessera-caller", caller);
    const segments = { params: Promise.resolve(target.params) };
    const respond = async (): Promise<OutboundResponse> => {
      const response = await handlerOf(handlers, target.endpoint)(req, segments, inside);
      const { status } = response;
      return {
        isAnswered: true,
        status,
        headers: Object.fromEntries(response.headers),
        ...(await readReply(response)),
      };
    };
    return msMax === undefined ? respond() : within(msMax, respond());
  };

/** A handler may wait for a seller's API. It ends by itself, and what it does until then stays. */
async function within(msMax: number, response: Promise<OutboundResponse>): Promise<OutboundResponse | Unanswered> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<Unanswered>((resolve) => {
    timer = setTimeout(() => resolve({ isAnswered: false, why: "timeout" }), msMax);
  });
  try {
    return await Promise.race([response, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** A stream can break off after the payment: what arrived until then is the response, as over the network. */
export async function readReply({ body }: Response): Promise<Pick<OutboundResponse, "bytes" | "end">> {
  const add = collector(REPLY_BYTES_MAX);
  let bytes: Buffer = Buffer.alloc(0);
  let arrivedBytes = 0;
  const reader = body?.getReader();
  try {
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
      bytes = add(part.value);
      arrivedBytes += part.value.length;
      if (arrivedBytes > REPLY_BYTES_MAX) {
        await reader?.cancel();
        return { bytes, end: "too_large" };
      }
    }
  } catch {
    return { bytes, end: "broken" };
  }
  return { bytes, end: "whole" };
}

function soldAt(url: URL, method: string): { endpoint: Endpoint; params: Record<string, string> } | null {
  for (const [path, endpoint] of SOLD_HERE) {
    const pattern = path.replace("{path}", REST).replace(/\{([a-z]\w*)\}/gi, "(?<$1>[\\w.:-]{1,100})");
    const match = new RegExp(`^${pattern}$`).exec(url.pathname);
    if (match && endpoint.method === method) return { endpoint, params: { ...match.groups } };
  }
  return null;
}
