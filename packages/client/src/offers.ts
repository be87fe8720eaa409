import { chooseOffers, findOffers, type Offer, readRequired } from "../../x402/src/offers.ts";
import { PaymentError } from "./errors.ts";
import type { NetworkName } from "./proof.ts";
import { headerOf, type Json, jsonOf, type Reply } from "./transport.ts";

/** Returns the offers of a 402 in the seller's order: x402 v2 (header or body) or v1 (body). */
export function offersOf(reply: Pick<Reply, "headers" | "bytes">): Offer[] {
  const required = readRequired({ header: headerOf(reply, "payment-required"), body: jsonOf(reply) });
  return required ? findOffers(required) : [];
}

/** Returns the first offer of at most `maxAmount` atomic USDC. Throws PaymentError `no_payable_option` or `max_amount_exceeded`. */
export function chooseOffer(offers: readonly Offer[], maxAmount: string, network: NetworkName | undefined): Offer {
  const choice = chooseOffers(offers, { maxAmount: BigInt(maxAmount), network });
  if (choice.type === "affordable") return choice.offers[0];
  if (choice.type === "none")
    throw unpaid("no_payable_option", "The seller takes no USDC on a supported network (scheme exact)");
  const { amount } = choice.first;
  const message = `The seller requires ${amount} atomic USDC, more than maxAmount (${maxAmount})`;
  throw unpaid("max_amount_exceeded", message, { amount, maxAmount });
}

const unpaid = (code: string, message: string, details?: Json) =>
  new PaymentError({ code, outcome: "not_paid", status: 402, message, ...(details && { details }) });
