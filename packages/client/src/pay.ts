import { invalid, PaymentError, tooLarge } from "./errors.ts";
import { chooseOffer, offersOf } from "./offers.ts";
import { type Presenting, present } from "./present.ts";
import type { NetworkName, Proof, Receipt } from "./proof.ts";
import type { Purse, SignOptions } from "./sign.ts";
import { exchange, newKey, type Reply, repeated } from "./transport.ts";

export type PayResult = {
  /** The seller's response, whatever its status. Its body is in memory. */
  response: Response;
  /** Null if the seller required no payment. */
  receipt: Receipt | null;
};

export type PayOptions = SignOptions & {
  /** Atomic USDC ("1000000" is 1.00). A higher price is refused with `max_amount_exceeded`. */
  maxAmount: string;
  /** Only offers on this network. Default: any network of the service. */
  network?: NetworkName | undefined;
  /** Names the purchase: the same key gives the same proof, which is paid once. Default: random. */
  idempotencyKey?: string | undefined;
  /** A proof to present again, from a PaymentError. No other proof is signed. */
  proof?: Proof | undefined;
  /** Seconds until a payment without a result ends with outcome `unknown`. Default: 120. */
  waitSeconds?: number | undefined;
  /** Larger responses end with `response_too_large`. Default: 10 MiB. */
  maxResponseBytes?: number | undefined;
  signal?: AbortSignal | undefined;
};

const MIB = 1_048_576;
const ASK_SECONDS = 30;
const REQUIREMENT_BYTES_MAX = 262_144;

/** Implements `Tessera.pay`. */
export async function pay(
  purse: Purse,
  input: string | URL,
  init: RequestInit,
  options: PayOptions,
): Promise<PayResult> {
  const { maxAmount, maxResponseBytes: maxBytes = 10 * MIB } = options;
  const signal = options.signal ?? init.signal ?? undefined;
  if (!URL.canParse(input) || !/^https?:$/.test(new URL(input).protocol))
    throw invalid("url must be an http or https URL");
  const url = new URL(input);
  url.hash = "";
  if (!/^\d{1,78}$/.test(maxAmount)) throw invalid("maxAmount must be a string of atomic USDC units");
  if (typeof init.body === "object" && init.body !== null && "getReader" in init.body)
    throw invalid("The body must be sent twice: give a text or bytes, not a stream");
  const key = options.idempotencyKey ?? newKey();
  const existingProof = options.proof ?? (await purse.known(key));
  const response: Answer = existingProof ? { type: "signed", proof: existingProof } : await signFor(url);
  if (response.type === "free") return { response: responseOf(response.reply), receipt: null };
  const { proof } = response;
  if (new URL(proof.url).origin !== url.origin) throw invalid("The proof was signed for another origin");
  if (BigInt(proof.amount) > BigInt(maxAmount)) throw invalid("The proof is for more than maxAmount");
  const presenting: Presenting = { init, proof, maxBytes, signal, waitSeconds: options.waitSeconds ?? 120 };
  const { reply, receipt } = await present(purse, presenting);
  return { response: responseOf(reply), receipt };

  async function signFor(requestUrl: URL): Promise<Answer> {
    const reply = await ask(requestUrl.href);
    if (reply.status !== 402) return { type: "free", reply };
    // A redirect must not spend `maxAmount` at another seller.
    const target = new URL(reply.url || requestUrl.href);
    if (target.origin !== requestUrl.origin) {
      const message = `${requestUrl.origin} redirects to ${target.origin}, which requires a payment`;
      throw new PaymentError({ code: "redirect_refused", outcome: "not_paid", status: 402, message });
    }
    const offer = chooseOffer(offersOf(reply), maxAmount, options.network);
    const signed = await purse.signOnce(
      key,
      { offer, url: target },
      { method: init.method?.toUpperCase(), ...options, signal },
    );
    return { type: "signed", proof: signed };
  }

  async function ask(href: string): Promise<Reply> {
    const send = () =>
      exchange(purse.fetch, href, init, {
        signal,
        seconds: ASK_SECONDS,
        maxBytes: Math.max(maxBytes, REQUIREMENT_BYTES_MAX),
      });
    // A resource that requires no payment acts on this request: only GET and HEAD are safe to repeat.
    const reply = await (/^(get|head)$/i.test(init.method ?? "GET") ? repeated(send, signal) : send());
    if (reply.bytes === null) throw tooLarge(reply.status);
    return reply;
  }
}

/** The reply of a seller that requires no payment, or the proof for one that does. */
type Answer = { type: "free"; reply: Reply } | { type: "signed"; proof: Proof };

/** Drops the headers that describe the encoded body: `bytes` is decoded. */
function responseOf({ status, headers, bytes }: Reply): Response {
  const responseHeaders = new Headers(headers);
  for (const name of ["content-encoding", "content-length", "transfer-encoding"]) responseHeaders.delete(name);
  const isBodiless = status === 204 || status === 205 || status === 304;
  return new Response(isBodiless ? null : bytes, { status, headers: responseHeaders });
}
