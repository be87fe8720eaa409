import { type Fields, fieldsOf, textOf } from "./json.ts";
import { type Network, type NetworkName, networkNamed } from "./networks.ts";

/** The requirements of a 402, as the seller wrote them (x402 v2, section 5.1). */
export type PaymentRequired = {
  version: 1 | 2;
  /** At most 64 entries. */
  accepts: unknown[];
} & Stated;

/** The members that x402 v2 states once for all entries of `accepts`. */
type Stated = { resource?: unknown; extensions?: unknown };

const ENTRIES_MAX = 64;

/** The parameters of a challenge of the Machine Payments Protocol, as the seller wrote them. A credential repeats them. */
export type Challenge = Readonly<Record<string, string>> & { readonly id: string; readonly realm: string };

/**
 * Reads the requirements of a 402: from its `PAYMENT-REQUIRED` header (x402 v2), otherwise from its body (v2 or v1). Null if neither
 * has any. Takes parsed JSON, so that the caller chooses how strictly to parse untrusted text.
 *
 * @example
 * const header = decodeHeader(response.headers.get("payment-required") ?? "");
 * const required = readRequired({ header, body: await response.json() });
 */
export function readRequired({ header, body }: { header: unknown; body: unknown }): PaymentRequired | null {
  const json = fieldsOf(fieldsOf(header).x402Version === 2 ? header : body);
  const { x402Version: version, accepts, resource, extensions } = json;
  if ((version !== 1 && version !== 2) || !Array.isArray(accepts)) return null;
  return { version, accepts: accepts.slice(0, ENTRIES_MAX), resource, extensions };
}

/** Reasons why a requirement cannot be paid, in the order of the checks: a later reason is a closer miss. */
export const OFFER_REFUSALS = [
  "unsupported_scheme",
  "unsupported_network",
  "unsupported_asset",
  "token_mismatch",
] as const;
export type OfferRefusal = (typeof OFFER_REFUSALS)[number];

/**
 * Returns why a requirement cannot be paid on `network` in USDC with an EIP-3009 authorization (x402 scheme `exact`); null if it can.
 * An EIP-712 domain in `extra` must be the token's: batched schemes such as Circle Gateway are also `exact` in USDC, with another domain.
 * Why: docs/decisions.md, 127.
 *
 * @example
 * const refusal = findRefusal(requirement, NETWORKS.base);
 * if (refusal !== null) console.log(`cannot be paid: ${refusal}`);
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

/** Not `String(a)`: it throws for an object such as `{ "toString": 1 }`. */
const isSameText = (a: unknown, b: string) => textOf(a)?.toLowerCase() === b.toLowerCase();

/** A signed authorization (EIP-3009), with numbers as decimal strings. */
export type SignedTransfer = { signature?: unknown; authorization?: { from: string } };

/** A requirement that can be paid, with the seller's unchanged members that the proof must repeat. */
export type Offer = {
  x402Version: 1 | 2;
  network: NetworkName;
  /** Atomic USDC: a positive decimal integer. */
  amount: string;
  /** 0x and 40 hexadecimal digits, in the seller's spelling. */
  payTo: string;
  /** The seller's text, unchanged; empty if the seller states none. */
  description: string;
  /** `maxTimeoutSeconds` of the requirement; undefined unless it is an integer of at least 0. */
  validityWindowSeconds: number | undefined;
  assetAddress: string;
  /** The entry of `accepts`, unchanged; of a challenge, the same terms as an entry. */
  accepted: Fields;
  /** Both present if a credential in `Authorization` pays the offer, not a proof of x402: see `challenges`. */
  challenge?: Challenge;
  toCredential?: (payload: SignedTransfer) => { header: "Authorization"; value: string };
} & Stated;

/**
 * Reads an entry of `accepts` as an offer; null if it cannot be paid or states no valid amount or payee. The third argument has the
 * members that an x402 v2 402 states once for all entries.
 *
 * @example
 * const offer = readOffer(required.version, required.accepts[0], required);
 * if (offer) console.log(`${offer.amount} atomic USDC on ${offer.network}`);
 */
export function readOffer(x402Version: 1 | 2, entry: unknown, { resource, extensions }: Stated = {}): Offer | null {
  const accepted = fieldsOf(entry);
  const network = networkNamed(accepted.network);
  if (!network || findRefusal(accepted, network) !== null) return null;
  const isV1 = x402Version === 1;
  const amount = textOf(isV1 ? accepted.maxAmountRequired : accepted.amount) ?? "";
  const payTo = textOf(accepted.payTo) ?? "";
  if (!/^[1-9]\d{0,77}$/.test(amount) || !/^0x[\da-f]{40}$/i.test(payTo)) return null;
  const { maxTimeoutSeconds: window, asset } = accepted;
  return {
    x402Version,
    network: network.name,
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

/**
 * Returns the entries of a 402 that can be paid, in the seller's order.
 *
 * @example
 * const required = readRequired({ header, body });
 * const offers = required ? findOffers(required) : [];
 */
export const findOffers = (required: PaymentRequired): Offer[] =>
  required.accepts.flatMap((entry) => readOffer(required.version, entry, required) ?? []);

/** The x402 extension that gives a payment an id: a retry with the same id gets the purchase again (extensions/payment_identifier.md). */
export const PAYMENT_IDENTIFIER = "payment-identifier";

/**
 * Returns the extensions for a proof (x402 v2, section 5.2.2), with `id` as the payment's id if the seller declares `payment-identifier`.
 * Unchanged if the seller does not, or if the declaration already has an id.
 *
 * @example
 * const extensions = addPaymentId(offer.extensions, paymentRecordId);
 * const value = encodeHeader({ x402Version: 2, resource: offer.resource, accepted: offer.accepted, payload, extensions });
 */
export function addPaymentId<E>(extensions: E, id: string): E | Fields {
  const declared = fieldsOf(fieldsOf(extensions)[PAYMENT_IDENTIFIER]);
  const info = fieldsOf(declared.info);
  if (typeof info.required !== "boolean" || "id" in info) return extensions;
  return { ...extensions, [PAYMENT_IDENTIFIER]: { ...declared, info: { ...info, id } } };
}

/** The offers a buyer can choose from. `first` is the first offer on the network, for the price in an error message. */
export type Choice<O> =
  | { type: "affordable"; offers: [O, ...O[]] }
  | { type: "too_expensive"; first: O }
  | { type: "none" };

/**
 * Returns the offers on `network` (undefined: on any network) that cost at most `maxAmount` atomic USDC, in the seller's order.
 *
 * @example
 * const choice = chooseOffers(findOffers(required), { maxAmount: 1_000_000n });
 * if (choice.type === "affordable") console.log(choice.offers[0].amount);
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
