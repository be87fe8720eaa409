import { type Fields, fieldsOf, textOf } from "./json.ts";
import { NETWORK_NAMES, NETWORKS, type NetworkName } from "./networks.ts";
import { readOffer } from "./offers.ts";

/** A price that this wallet could pay. */
export type Price = { amount: string; network: NetworkName; protocol: "x402" | "mpp" };

/** What `x-payment-info` of an operation says. `statedPrice`: in words, such as "0.02 USD". `canBePaid`: null if nothing says how it is paid. */
export type PaymentInfo = { prices: Price[]; statedPrice: string | null; canBePaid: boolean | null };

const OFFERS_MAX = 64;
/** More USDC than exists. */
const AMOUNT_DIGITS_MAX = 18;
const ANY_ADDRESS = `0x${"0".repeat(40)}`;

/** The price of an entry of `accepts`; empty if it cannot be paid. */
export function readPrices(x402Version: 1 | 2, entry: unknown, protocol: Price["protocol"]): Price[] {
  const offer = readOffer(x402Version, entry);
  return offer && offer.amount.length <= AMOUNT_DIGITS_MAX
    ? [{ amount: offer.amount, network: offer.network, protocol }]
    : [];
}

/** Reads `x-payment-info` of an OpenAPI operation, in the form of MPP's discovery draft or of AgentCash. */
export function readPaymentInfo(payment: Fields): PaymentInfo {
  const offers = Array.isArray(payment.offers) ? payment.offers.slice(0, OFFERS_MAX).map(fieldsOf) : [payment];
  const charges = offers.filter(({ method }) => typeof method === "string");
  const payable = charges.flatMap(({ method, intent, currency, amount }) => {
    // The draft names a token and no network. The token's address is another one on each.
    const name = NETWORK_NAMES.find((one) => NETWORKS[one].usdc.toLowerCase() === textOf(currency)?.toLowerCase());
    if (method !== "evm" || intent !== "charge" || !name) return [];
    // Nor does it name a payee: any address stands in for it.
    return [{ scheme: "exact", network: NETWORKS[name].caip2, asset: currency, amount, payTo: ANY_ADDRESS }];
  });
  const prices = payable.flatMap((entry) => readPrices(2, entry, "mpp"));
  const canBePaid = charges.length > 0 ? payable.length > 0 : null;
  return { prices, statedPrice: readStatedPrice(payment), canBePaid };
}

/** `price` of AgentCash, and its older flat form. */
function readStatedPrice(payment: Fields): string | null {
  const { price, minPrice, maxPrice, currency: flatCurrency } = payment;
  const flat = { amount: price, min: minPrice, max: maxPrice, currency: flatCurrency };
  const { amount, min, max, currency = "USD" } = typeof price === "object" ? fieldsOf(price) : flat;
  const unit = /^[A-Za-z]{3,5}$/.exec(textOf(currency) ?? "")?.[0];
  const [fixed, least, most] = [amount, min, max].map(
    (value) => /^\$?(\d{1,9}(?:\.\d{1,8})?)$/.exec(textOf(value) ?? "")?.[1],
  );
  if (!unit) return null;
  if (fixed !== undefined) return `${fixed} ${unit}`;
  if (least !== undefined && most !== undefined) return `${least} to ${most} ${unit}`;
  return most === undefined ? null : `at most ${most} ${unit}`;
}
