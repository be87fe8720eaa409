import { type Fields, fieldsOf, textOf } from "./json.ts";
import { type Network, type NetworkName, networkNamed } from "./networks.ts";

/** What a 402 requires, as the seller wrote it. */
export type PaymentRequired = {
  version: 1 | 2;
  /** At most 64 entries. */
  accepts: unknown[];
} & Stated;

/** What x402 v2 says once for all entries. */
type Stated = { resource?: unknown; extensions?: unknown };

const ENTRIES_MAX = 64;

/**
 * Reads a 402: x402 v2 in its `PAYMENT-REQUIRED` header, or else v2 or v1 in its body. Null if there is neither. Takes JSON values, so
 * that each caller decides how strictly it parses text of strangers.
 *
 * @example
 * const required = readRequired({ header: decodeHeader(headers.get("payment-required") ?? ""), body: await response.json() });
 */
export function readRequired({ header, body }: { header: unknown; body: unknown }): PaymentRequired | null {
  const json = fieldsOf(fieldsOf(header).x402Version === 2 ? header : body);
  const { x402Version: version, accepts, resource, extensions } = json;
  if ((version !== 1 && version !== 2) || !Array.isArray(accepts)) return null;
  return { version, accepts: accepts.slice(0, ENTRIES_MAX), resource, extensions };
}

/** Why a requirement cannot be paid, in the order of the checks: the later, the closer it came. */
export const OFFER_REFUSALS = [
  "unsupported_scheme",
  "unsupported_network",
  "unsupported_asset",
  "token_mismatch",
] as const;
export type OfferRefusal = (typeof OFFER_REFUSALS)[number];

/**
 * Why the requirement cannot be paid on `network` in USDC by an EIP-3009 authorization; null if it can. The EIP-712 domain that it
 * names, if any, is the token's own: batched schemes such as Circle Gateway's are `exact` in real USDC too, and have another.
 * Why: docs/decisions.md, 127.
 */
export function findRefusal(requirement: Fields, network: Network): OfferRefusal | null {
  const { tokenName, tokenVersion, usdc } = network;
  const { assetTransferMethod = "eip3009", name, version, verifyingContract } = fieldsOf(requirement.extra);
  if (requirement.scheme !== "exact" || assetTransferMethod !== "eip3009") return "unsupported_scheme";
  if (networkNamed(requirement.network)?.name !== network.name) return "unsupported_network";
  if (!isSameText(requirement.asset, usdc)) return "unsupported_asset";
  const isOfToken =
    (name ?? tokenName) === tokenName &&
    (version ?? tokenVersion) === tokenVersion &&
    isSameText(verifyingContract ?? usdc, usdc);
  return isOfToken ? null : "token_mismatch";
}

const isSameText = (a: unknown, b: string) => String(a).toLowerCase() === b.toLowerCase();

/** The network on which an entry of `accepts` can be paid; null if there is none. */
export function findPayableNetwork(requirement: Fields): Network | null {
  const network = networkNamed(requirement.network);
  return network && findRefusal(requirement, network) === null ? network : null;
}

/** A requirement that can be paid, with the seller's own words for the proof. */
export type Offer = {
  x402Version: 1 | 2;
  network: NetworkName;
  /** Atomic USDC: a positive decimal integer. */
  amount: string;
  /** 20 bytes of 0x hex. */
  payTo: string;
  /** The seller's text, unchanged; empty if there is none. */
  description: string;
  validityWindowSeconds: number | undefined;
  assetAddress: string;
  /** The entry of `accepts`, unchanged. */
  accepted: Fields;
} & Stated;

/** Reads an entry of `accepts` as an offer; null if it cannot be paid. `stated`: what the 402 says of all, in x402 v2. */
export function readOffer(x402Version: 1 | 2, entry: unknown, { resource, extensions }: Stated = {}): Offer | null {
  const accepted = fieldsOf(entry);
  const network = findPayableNetwork(accepted)?.name;
  const isV1 = x402Version === 1;
  const amount = textOf(isV1 ? accepted.maxAmountRequired : accepted.amount) ?? "";
  const payTo = textOf(accepted.payTo) ?? "";
  if (!network || !/^[1-9]\d{0,77}$/.test(amount) || !/^0x[\da-f]{40}$/i.test(payTo)) return null;
  const { maxTimeoutSeconds: window, asset } = accepted;
  return {
    x402Version,
    network,
    amount,
    payTo,
    description: textOf((isV1 ? accepted : fieldsOf(resource)).description) ?? "",
    validityWindowSeconds: Number.isSafeInteger(window) && Number(window) >= 0 ? Number(window) : undefined,
    assetAddress: String(asset),
    accepted,
    resource,
    extensions,
  };
}

/** The offers of a 402, in the seller's order. */
export const findOffers = (required: PaymentRequired): Offer[] =>
  required.accepts.flatMap((entry) => readOffer(required.version, entry, required) ?? []);

/** The x402 extension that names a payment, so that a repetition of it gets what was bought (extensions/payment_identifier.md). */
export const PAYMENT_IDENTIFIER = "payment-identifier";

/** The extensions that a proof repeats, with the id of its payment where the seller declares `payment-identifier` and no id is there yet. */
export function addPaymentId<E>(extensions: E, id: string): E | Fields {
  const declared = fieldsOf(fieldsOf(extensions)[PAYMENT_IDENTIFIER]);
  const info = fieldsOf(declared.info);
  if (typeof info.required !== "boolean" || "id" in info) return extensions;
  return { ...extensions, [PAYMENT_IDENTIFIER]: { ...declared, info: { ...info, id } } };
}

/** What a buyer can choose. `first`: the first offer, for what a refusal says of the price. */
export type Choice<O> =
  | { type: "affordable"; offers: [O, ...O[]] }
  | { type: "too_expensive"; first: O }
  | { type: "none" };

/**
 * The offers on `network` (any if undefined) that cost at most `maxAmount` atomic USDC, in the seller's order.
 *
 * @example
 * const choice = chooseOffers(findOffers(required), { maxAmount: 1_000_000n });
 * if (choice.type === "affordable") sign(choice.offers[0]);
 */
export function chooseOffers<O extends { network: string; amount: string | bigint }>(
  all: readonly O[],
  { network, maxAmount }: { network?: string | undefined; maxAmount: bigint },
): Choice<O> {
  const offers = all.filter((offer) => (network ?? offer.network) === offer.network);
  const [first] = offers;
  const [cheap, ...dearer] = offers.filter(({ amount }) => BigInt(amount) <= maxAmount);
  if (cheap) return { type: "affordable", offers: [cheap, ...dearer] };
  return first ? { type: "too_expensive", first } : { type: "none" };
}
