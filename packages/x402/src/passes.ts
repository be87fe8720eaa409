import { fieldsOf } from "./json.ts";
import { parseUrl } from "./url.ts";

/** The header by which a buyer says what a call may take from a pass by use at most. */
export const COST_MAX_HEADER = "tessera-cost-max";
/** What an answer says of its pass: the calls that are left, or the amount of a pass by use. Answers that took nothing have neither. */
export const CALLS_LEFT_HEADER = "tessera-pass-calls-left";
export const AMOUNT_LEFT_HEADER = "tessera-pass-amount-left";

/**
 * A pass for many calls that a 402 offers. `amount`: atomic USDC. Null: no limit of calls, or of hours; one of the two is a number unless
 * `isByUse`: each call then takes from the amount what the seller says that it cost, at most its price.
 */
export type PassOffer = { url: string; amount: string; calls: number | null; hours: number | null; isByUse: boolean };

/**
 * Returns the pass of the extension `tessera-pass`, if it is sold at `origin`, costs at most `amountMax`, and has calls that cost at most
 * `callPrice` each, or `callMax`; otherwise null. A pass of hours has no price of a call, and one by use has to be enough for one, which can
 * take all of its price. `callPrice`: null if it is more than `callMax`. Amounts are atomic USDC. All of it is the seller's word.
 *
 * @example
 * const { extensions } = decodeHeader(response.headers.get("payment-required") ?? "");
 * findPass(extensions, { origin: "https://api.example", amountMax: 5_000_000n, callPrice: 10_000n, callMax: 20_000n });
 */
export function findPass(
  extensions: unknown,
  {
    origin,
    amountMax,
    callPrice,
    callMax,
  }: { origin: string; amountMax: bigint; callPrice: bigint | null; callMax: bigint },
): PassOffer | null {
  const { url, amount, calls, hours, isByUse: byUse } = fieldsOf(fieldsOf(fieldsOf(extensions)["tessera-pass"]).info);
  const target = typeof url === "string" ? parseUrl(url) : null;
  if (target?.origin !== origin || typeof amount !== "string" || !/^\d{1,78}$/.test(amount)) return null;
  const isByUse = byUse === true;
  if (!isLimit(calls) || !isLimit(hours) || (calls === null && hours === null && !isByUse)) return null;
  const ofCalls = calls === null || BigInt(amount) <= BigInt(calls) * (callPrice ?? callMax);
  const isWorthIt = isByUse ? callPrice !== null && BigInt(amount) >= callPrice : ofCalls;
  return isWorthIt && BigInt(amount) <= amountMax ? { url: target.href, amount, calls, hours, isByUse } : null;
}

const isLimit = (value: unknown): value is number | null =>
  value === null || (typeof value === "number" && Number.isSafeInteger(value) && value > 0);
