import { readRedirect } from "@tessera/x402/responses";
import { headersFor, isOwnUrl, isWebPort, sendFor, takeOutboundTurn } from "@/lib/payees/outbound";
import type { Agent, Ctx } from "@/lib/platform/context";
import type { OutboundResponse, Send, Unanswered } from "@/lib/platform/outbound";
import { purchaseErrors } from "./errors";
import { offersOf } from "./offers";

/** A request to a seller. `headers`: the caller's; `body`: UTF-8 text. */
export type SellerRequest = {
  url: URL;
  method: string;
  headers: Record<string, string>;
  body: string | undefined;
};

export type Reached = OutboundResponse & { url: URL };

/**
 * How to reach the seller. `isOwn`: the seller is this service, which accepts service credits. `sendHere`: answers URLs of this
 * service, which are never requested over the network.
 */
export type Way = { send?: Send; isOwn?: boolean; sendHere?: Send };
/** A resolved `Way`, with the headers of each request and the deadline for all of them (Unix milliseconds). */
export type Path = { send: Send; isOwn: boolean; headers: Record<string, string>; deadline: number };

const REDIRECTS_MAX = 5;
const TOTAL_MS_MAX = 45_000;
const UNPAID_MS_MAX = 10_000;

/** Sends through the outbound guard, for at most 45 seconds in total. */
export const pathTo = (ctx: Ctx<Agent>, { send, isOwn = false, sendHere = refuseHere }: Way): Path => ({
  send: send ?? outsideOr(ctx, sendHere),
  isOwn,
  headers: headersFor(ctx),
  deadline: Date.now() + TOTAL_MS_MAX,
});

const refuseHere: Send = async () => ({ isAnswered: false, why: "address_refused" });

function outsideOr(ctx: Ctx<Agent>, sendHere: Send): Send {
  const sendOutside = sendFor(ctx);
  return (url, init) => (isOwnUrl(ctx, url) ? sendHere : sendOutside)(url, init);
}

/**
 * Requests a URL without a payment. The caller's headers, body and methods other than GET and POST are sent only after the URL has
 * responded 402 with an offer, so that the service is not a proxy to URLs that sell nothing. `isAsGiven`: whether the response is to
 * the caller's complete request. Throws the errors of `request`.
 */
export async function requestPrice(
  ctx: Ctx<Agent>,
  path: Path,
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
export async function request(ctx: Ctx<Agent>, path: Path, httpRequest: SellerRequest): Promise<Reached> {
  const admitUrl = async (url: URL) => {
    if (path.isOwn || isOwnUrl(ctx, url)) return;
    if (!isWebPort(ctx, url)) throw purchaseErrors.port_refused();
    await takeOutboundTurn(ctx, url);
  };
  const reply = await follow(path, httpRequest, { isPaying: false, before: admitUrl });
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
export const present = (path: Path, httpRequest: SellerRequest): Promise<Reached | Unanswered | "refused"> =>
  follow(path, httpRequest, { isPaying: true, before: async () => {} });

async function follow(
  { send, headers, deadline }: Path,
  { url: first, method, ...originalContent }: SellerRequest,
  { isPaying, before: admitUrl }: { isPaying: boolean; before: (url: URL) => Promise<void> },
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
