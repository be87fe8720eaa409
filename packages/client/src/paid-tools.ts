import { decodeHeader } from "../../x402/src/header.ts";
import { type Fields, fieldsOf, textOf } from "../../x402/src/json.ts";
import { chooseOffers, findOffers, type Offer, readRequired } from "../../x402/src/offers.ts";
import { findToolPrice, type ToolPrice } from "../../x402/src/tool-price.ts";
import { parseUrl } from "../../x402/src/url.ts";
import type { Tessera } from "./client.ts";
import { invalid, type Outcome, PaymentError } from "./errors.ts";
import type { Proof } from "./proof.ts";
import type { SignOptions } from "./sign.ts";
import { newKey } from "./transport.ts";

type ToolCall = { name: string; arguments?: Record<string, unknown>; _meta?: Record<string, unknown> };

/** The member that `callPaidTool` uses of `Client` of @modelcontextprotocol/sdk 1.x and @modelcontextprotocol/client 2.x. */
export type ToolClient<R> = { callTool(params: ToolCall): Promise<R> };

export type PaidToolOptions = Pick<SignOptions, "mandateId" | "onApproval" | "signal"> & {
  tessera: Tessera;
  /** The URL of the MCP server that `client` is connected to. The mandate's hosts are compared with it. */
  serverUrl: string | URL;
  /** Atomic USDC ("1000000" is 1.00). A higher price is refused with `max_amount_exceeded`. */
  maxAmount: string;
  /** Names the purchase: the same key gives the same proof, which is paid once. Default: random. */
  idempotencyKey?: string | undefined;
};

export type PaidToolResult<R> = {
  /** The tool's result, unchanged. */
  result: R;
  /** The proof that the tool accepted; null if it required no payment. */
  proof: Proof | null;
  /** The settlement as the seller reports it; null if it reports none. */
  settlement: Fields | null;
};

/**
 * Calls a tool of an MCP server, and pays for it if its result requires a payment (x402 over MCP, and `paidTool` of Cloudflare's agents).
 * Signs at most once. Sellers name such a resource `mcp://…` or `x402://…`, without a host: that of `serverUrl` counts.
 *
 * Throws PaymentError as `Tessera.pay` does, and with outcome `unknown` if the paid call fails: call again with the same
 * `idempotencyKey`, which presents the same proof.
 *
 * @example
 * const { result } = await callPaidTool(client, { name: "forecast", arguments: { city: "Bern" } }, {
 *   tessera, serverUrl: "https://weather.example/mcp", maxAmount: parseUsdc("0.10"), idempotencyKey: "order-4711",
 * });
 */
export async function callPaidTool<R>(
  client: ToolClient<R>,
  call: ToolCall,
  { tessera, serverUrl, maxAmount, idempotencyKey = newKey(), ...signing }: PaidToolOptions,
): Promise<PaidToolResult<R>> {
  if (!/^\d{1,78}$/.test(maxAmount)) throw invalid("maxAmount must be a string of atomic USDC units");
  if (!/^https?:$/.test(parseUrl(serverUrl)?.protocol ?? "")) throw invalid("serverUrl must be an http or https URL");
  const asked = await client.callTool(call);
  const price = findToolPrice(asked);
  if (!price) return { result: asked, proof: null, settlement: null };
  const offer = requireOffer(price, maxAmount);
  const proof = await tessera.sign(offer, serverUrl, { ...signing, idempotencyKey });
  const payment = price.isText ? proof.value : decodeHeader(proof.value);
  const result = await client
    .callTool({ ...call, _meta: { ...call._meta, "x402/payment": payment } })
    .catch((cause: unknown) => {
      throw failure("unknown", "The paid call failed: call again with the same idempotencyKey", proof, { cause });
    });
  const refusal = findToolPrice(result);
  if (refusal) throw await refusedBy(tessera, proof, textOf(refusal.required.error) ?? "no reason given");
  const settlement = metaOf(result)["x402/payment-response"];
  return { result, proof, settlement: settlement === undefined ? null : fieldsOf(settlement) };
}

const metaOf = (result: unknown): Fields => fieldsOf(fieldsOf(result)._meta);

/** Returns the first offer of at most `maxAmount` atomic USDC. Throws PaymentError `no_payable_option` or `max_amount_exceeded`. */
function requireOffer({ required }: ToolPrice, maxAmount: string): Offer {
  const read = readRequired({ header: undefined, body: required });
  const choice = chooseOffers(read ? findOffers(read) : [], { maxAmount: BigInt(maxAmount) });
  if (choice.type === "affordable") return choice.offers[0];
  if (choice.type === "none")
    throw failure("not_paid", "The seller takes no USDC on a supported network (scheme exact)", undefined, {
      code: "no_payable_option",
    });
  const { amount } = choice.first;
  const message = `The seller requires ${amount} atomic USDC, more than maxAmount (${maxAmount})`;
  throw failure("not_paid", message, undefined, { code: "max_amount_exceeded", details: { amount, maxAmount } });
}

/** The error of a proof that the seller refused. It may have been paid by an earlier call, whose answer was lost. */
async function refusedBy(tessera: Tessera, proof: Proof, reason: string): Promise<PaymentError> {
  const { status, txHash } = await tessera.payments.get(proof.paymentRecordId).catch((cause: unknown) => {
    throw failure("unknown", `The seller refused the proof: ${reason}. Its payment could not be read`, proof, {
      cause,
    });
  });
  if (status === "settled")
    return failure("paid", `An earlier call paid for this, and its answer was lost (the seller: ${reason})`, proof, {
      code: "response_lost",
      details: { txHash },
    });
  const details = { stillValidUntil: proof.validUntil };
  return failure("declined", `The seller refused the proof: ${reason}`, proof, { code: "payment_declined", details });
}

const failure = (
  outcome: Outcome,
  message: string,
  proof: Proof | undefined,
  { code = "payment_unknown", ...more }: { code?: string; details?: Record<string, unknown>; cause?: unknown },
) => new PaymentError({ code, message, outcome, proof, ...more });
