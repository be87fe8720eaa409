import {
  type ProofOutcome,
  type ProofResponse,
  readProofResponse,
  readReason,
  readRedirect,
} from "@tessera/x402/responses";
import { parseUrl } from "@tessera/x402/url";
import { z } from "zod";
import { headersFor, takeOutboundTurn } from "@/lib/payees/outbound";
import type { Agent, Ctx } from "@/lib/platform/context";
import type { OutboundResponse, Send, Unanswered } from "@/lib/platform/outbound";
import { isOwnUrl, isWebPort, sendFor } from "@/lib/platform/outbound-guard";
import { headerIn, jsonIn } from "@/lib/x402/required";
import { purchaseErrors } from "./errors";
import { offersOf } from "./offers";

/** A request to a seller. `headers`: the caller's; `body`: UTF-8 text. */
export type SellerRequest = {
  url: URL;
  method: string;
  headers: Record<string, string>;
  body: string | undefined;
};

const URL_CHARACTERS_MAX = 4096;

/** A URL that a caller named, without its fragment. Throws invalid_url. */
export function sellerUrl(text: string): URL {
  const url = parseUrl(text);
  const isPlain = text.length <= URL_CHARACTERS_MAX && !/[\p{Cc}\p{Cs}\\\s]/u.test(text);
  if (!url || !isPlain || !/^https?:$/.test(url.protocol) || url.username || url.password)
    throw purchaseErrors.invalid_url();
  url.hash = "";
  return url;
}

export type Reached = OutboundResponse & { url: URL };

/**
 * How to reach the seller. `isOwn`: the seller is this service, which accepts service credits. `sendHere`: answers URLs of this
 * service, which are never requested over the network. `signal`: the caller has gone; it ends requests without a payment only.
 */
export type SellerTransport = { send?: Send; isOwn?: boolean; sendHere?: Send; signal?: AbortSignal };
/** A resolved `Way`, with the headers of each request and the deadline for all of them (Unix milliseconds). */
export type SellerPath = {
  send: Send;
  isOwn: boolean;
  headers: Record<string, string>;
  deadline: number;
  signal: AbortSignal | undefined;
};

const REDIRECTS_MAX = 5;
const TOTAL_MS_MAX = 45_000;
const UNPAID_MS_MAX = 10_000;

/** Sends through the outbound guard, for at most 45 seconds in total. */
export function pathTo(ctx: Ctx<Agent>, { send, isOwn = false, sendHere, signal }: SellerTransport): SellerPath {
  const sendOutside = sendFor(ctx);
  return {
    send:
      send ??
      (async (url, init) => {
        if (!isOwnUrl(ctx, url)) return sendOutside(url, init);
        return sendHere ? sendHere(url, init) : { isAnswered: false, why: "address_refused" };
      }),
    isOwn,
    headers: headersFor(ctx),
    deadline: Date.now() + TOTAL_MS_MAX,
    signal,
  };
}

/**
 * Requests a URL without a payment. The caller's headers, body and methods other than GET and POST are sent only after the URL has
 * responded 402 with an offer, so that the service is not a proxy to URLs that sell nothing. `isAsGiven`: whether the response is to
 * the caller's complete request. Throws the errors of `request`.
 */
export async function requestPrice(
  ctx: Ctx<Agent>,
  path: SellerPath,
  httpRequest: SellerRequest,
): Promise<Reached & { isAsGiven: boolean }> {
  const { url, method, headers, body } = httpRequest;
  const plain = { url, method: method === "POST" ? "POST" : "GET", headers: {}, body: undefined };
  const isPlain = method === plain.method && body === undefined && Object.keys(headers).length === 0;
  if (path.isOwn || isPlain) return { ...(await request(ctx, path, httpRequest)), isAsGiven: true };
  const first = await request(ctx, path, plain);
  const isSeller = first.url.origin === url.origin && offersOf(first, first.url).length > 0;
  if (first.status !== 402 || !isSeller) return { ...first, isAsGiven: false };
  return { ...(await request(ctx, path, httpRequest)), isAsGiven: true };
}

/**
 * Requests a URL without a payment and follows its redirects. Throws address_refused, port_refused, url_unreachable,
 * redirect_refused, rate_limited.
 */
export async function request(ctx: Ctx<Agent>, path: SellerPath, httpRequest: SellerRequest): Promise<Reached> {
  const reply = await follow(path, httpRequest, {
    isPaying: false,
    admitUrl: async (url) => {
      if (path.isOwn || isOwnUrl(ctx, url)) return;
      if (!isWebPort(ctx, url)) throw purchaseErrors.port_refused();
      await takeOutboundTurn(ctx, url);
    },
  });
  if (reply === "refused") throw purchaseErrors.redirect_refused();
  if (!reply.isAnswered) {
    if (reply.why === "address_refused") throw purchaseErrors.address_refused();
    throw purchaseErrors.url_unreachable({ why: reply.why });
  }
  return reply;
}

/**
 * Presents a proof, only to the origin that it was signed for. Failures of the seller are returned, not thrown: the proof may
 * have arrived even without a response.
 */
export const present = (path: SellerPath, httpRequest: SellerRequest): Promise<Reached | Unanswered | "refused"> =>
  follow(path, httpRequest, { isPaying: true, admitUrl: async () => {} });

async function follow(
  { send, headers, deadline, signal }: SellerPath,
  { url: first, method, ...originalContent }: SellerRequest,
  { isPaying, admitUrl }: { isPaying: boolean; admitUrl: (url: URL) => Promise<void> },
): Promise<Reached | Unanswered | "refused"> {
  let url = first;
  let content: Pick<SellerRequest, "headers" | "body"> = originalContent;
  for (let redirects = 0; ; redirects++) {
    const remainingMs = deadline - Date.now();
    if (remainingMs <= 0) return { isAnswered: false, why: "timeout" };
    await admitUrl(url);
    const reply = await send(url, {
      method,
      body: content.body,
      headers: { ...headers, ...content.headers },
      msMax: isPaying ? remainingMs : Math.min(remainingMs, UNPAID_MS_MAX),
      // A proof that was signed is presented in any case: its payment may happen.
      signal: isPaying ? undefined : signal,
    });
    if (!reply.isAnswered) return reply;
    const redirect = readRedirect({ ...reply, location: reply.headers.location }, { url, method, isPaying });
    if (redirect.type === "none") return { ...reply, url };
    if (redirect.type === "refused" || redirects === REDIRECTS_MAX) return "refused";
    const { url: next } = redirect;
    // The caller's headers, and the body of a GET, may contain a key that is meant only for the previous origin.
    if (next.origin !== url.origin) content = { headers: {}, body: undefined };
    url = next;
    url.hash = "";
  }
}

/** A seller's response as the buyer sees it. */
export const storedAnswer = z.object({
  status: z.int(),
  contentType: z.string().nullable(),
  /** UTF-8 text; null if the body is not text. */
  body: z.string().nullable(),
  bytes: z.int(),
  /** The body exceeded the size limit, and its end is missing. */
  isCut: z.boolean(),
});

export type StoredAnswer = z.output<typeof storedAnswer>;

const CONTENT_TYPE_CHARACTERS_MAX = 200;

/** Null if the connection ended before the body did. */
export function answerOf({ status, headers, bytes, end }: Reached): StoredAnswer | null {
  if (end === "broken") return null;
  const isCut = end === "too_large";
  const contentType = headers["content-type"]?.slice(0, CONTENT_TYPE_CHARACTERS_MAX) ?? null;
  return { status, contentType, body: textOf(bytes, isCut), bytes: bytes.length, isCut };
}

/** Null if the bytes are not UTF-8. A body with NUL counts as binary: PostgreSQL cannot store NUL in text. */
function textOf(bytes: Buffer, isCut: boolean): string | null {
  if (bytes.includes(0)) return null;
  try {
    // The cut can be inside a character; `stream` omits the incomplete one.
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: isCut });
  } catch {
    return null;
  }
}

const responseOf = (reply: Reached): ProofResponse => ({
  status: reply.status,
  receipt: headerIn(reply, "payment-response" in reply.headers ? "payment-response" : "x-payment-response"),
  required: headerIn(reply, "payment-required"),
  body: jsonIn(reply.bytes),
  isOwn: false,
});

/** The purchased content: in the response to the proof, or at the URL that the response names. Null if there is none yet. */
export async function deliveryIn(path: SellerPath, reply: Reached): Promise<StoredAnswer | null> {
  const outcome = readProofResponse(responseOf(reply));
  if (outcome.type === "used") return recoverContent(path, reply.url, outcome);
  return outcome.type === "delivered" && isFinal(reply.status) ? answerOf(reply) : null;
}

/**
 * Whether a response with a receipt is what was bought: also a 404 of an API that is paid for each answer. After an error of the seller's
 * own, or one that asks to come back, the content may still follow.
 */
const isFinal = (status: number): boolean =>
  (status >= 200 && status < 300) || (status >= 400 && status < 500 && ![402, 408, 425, 429].includes(status));

/** The seller's stated reason for refusing a proof; undefined if there is none. */
export const reasonIn = (reply: Reached): string | undefined => readReason(responseOf(reply));

type UsedProof = Extract<ProofOutcome, { type: "used" }>;

/** The content that an earlier presentation bought, if the seller's refusal has it, as refusals of this service do. */
async function recoverContent(
  path: SellerPath,
  from: URL,
  { result, contentUrl }: UsedProof,
): Promise<StoredAnswer | null> {
  if (result !== undefined) {
    const body = JSON.stringify(result);
    return { status: 200, contentType: "application/json", body, bytes: Buffer.byteLength(body), isCut: false };
  }
  const url = contentUrl === undefined ? null : parseUrl(contentUrl);
  if (url?.origin !== from.origin) return null;
  const headers = { accept: "application/json" };
  const content = await present(path, { url, method: "GET", headers, body: undefined });
  return content !== "refused" && content.isAnswered && content.status === 200 ? answerOf(content) : null;
}
