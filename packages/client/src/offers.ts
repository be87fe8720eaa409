import { PaymentError, textOf } from "./errors.ts";
import type { NetworkName } from "./proof.ts";
import { decode64, type Json, jsonOf, type Reply, recordOf } from "./transport.ts";

const version = "2";

/** Circle's USDC, with the EIP-712 domain of the token. `caip2` is the name of the network in x402 v2. */
export const NETWORKS = {
  base: { caip2: "eip155:8453", usdc: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", name: "USD Coin", version },
  "base-sepolia": { caip2: "eip155:84532", usdc: "0x036CbD53842c5426634e7929541eC2318f3dCF7e", name: "USDC", version },
} as const;

/** The network with this name in x402 v1 or v2, if it is a network of the service. */
export const networkNamed = (text: unknown): NetworkName | undefined =>
  (Object.keys(NETWORKS) as NetworkName[]).find((name) => name === text || NETWORKS[name].caip2 === text);

/** A requirement that the service can pay, with the seller's own words for the proof. */
export type Offer = {
  x402Version: 1 | 2;
  network: NetworkName;
  /** Atomic USDC. */
  amount: string;
  payTo: string;
  description: string;
  validityWindowSeconds: number | undefined;
  assetAddress: string;
  /** The entry of `accepts`, unchanged. */
  accepted: Json;
  /** Members of an x402 v2 requirement that the proof repeats. */
  resource?: unknown;
  extensions?: unknown;
};

/** Text of a seller, without what the service refuses: control characters, lone surrogates, more than 2,000 characters. */
const legible = (text: string): string =>
  new TextDecoder().decode(new TextEncoder().encode(text.slice(0, 2000))).replace(/\p{Cc}/gu, " ");

/** Whether EIP-3009 of this token is meant. Batched schemes (Circle Gateway) are `exact` in USDC too, with a domain of their own. */
const isOfToken = ({ usdc, name, version }: (typeof NETWORKS)[NetworkName], asset: string, extra: Json): boolean =>
  isSame(asset, usdc) &&
  isSame(extra.assetTransferMethod, "eip3009") &&
  isSame(extra.name, name) &&
  isSame(extra.version, version) &&
  isSame(extra.verifyingContract, usdc);

const isSame = (given: unknown, own: string): boolean => String(given ?? own).toLowerCase() === own.toLowerCase();

/** An entry of `accepts` as an offer; undefined if it is not `exact` in USDC on a network of the service. */
export function offerOf(x402Version: 1 | 2, accepted: Json, said: Json = {}): Offer | undefined {
  const network = networkNamed(accepted.network);
  const amount = textOf(x402Version === 1 ? accepted.maxAmountRequired : accepted.amount) ?? "";
  const assetAddress = textOf(accepted.asset) ?? "";
  const payTo = textOf(accepted.payTo) ?? "";
  const extra = recordOf(accepted.extra);
  if (accepted.scheme !== "exact" || !network || !isOfToken(NETWORKS[network], assetAddress, extra)) return undefined;
  if (!/^[1-9]\d{0,77}$/.test(amount) || !/^0x[\da-fA-F]{40}$/.test(payTo)) return undefined;
  const { maxTimeoutSeconds: window } = accepted;
  return {
    x402Version,
    network,
    amount,
    payTo,
    assetAddress,
    accepted,
    description: legible(textOf(x402Version === 1 ? accepted.description : recordOf(said.resource).description) ?? ""),
    validityWindowSeconds: Number.isSafeInteger(window) && Number(window) >= 0 ? Number(window) : undefined,
    resource: said.resource,
    extensions: said.extensions,
  };
}

/** The offers of a 402, of x402 v2 (header, or body) or v1 (body), in the seller's order. */
export function offersOf(reply: Pick<Reply, "headers" | "bytes">): Offer[] {
  const header = decode64(reply.headers.get("payment-required") ?? "");
  const said = header.x402Version === 2 ? header : jsonOf(reply);
  const version = said.x402Version;
  if ((version !== 1 && version !== 2) || !Array.isArray(said.accepts)) return [];
  return said.accepts.slice(0, 64).flatMap((entry) => offerOf(version, recordOf(entry), said) ?? []);
}

/** The first offer that costs at most `maxAmount`. Throws PaymentError `no_payable_option` or `max_amount_exceeded`. */
export function chosen(offers: readonly Offer[], maxAmount: string): Offer {
  const [first] = offers;
  const offer = offers.find(({ amount }) => BigInt(amount) <= BigInt(maxAmount));
  if (offer) return offer;
  if (!first) throw unpaid("no_payable_option", "The seller takes no USDC on a supported network (scheme exact)");
  const { amount } = first;
  const message = `The seller requires ${amount} atomic USDC, more than maxAmount (${maxAmount})`;
  throw unpaid("max_amount_exceeded", message, { amount, maxAmount });
}

const unpaid = (code: string, message: string, details?: Json) =>
  new PaymentError({ code, outcome: "not_paid", status: 402, message, ...(details && { details }) });

export const encode64 = (json: unknown): string =>
  btoa(Array.from(new TextEncoder().encode(JSON.stringify(json)), (byte) => String.fromCharCode(byte)).join(""));
