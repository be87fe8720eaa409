import { failures } from "@/lib/core/errors";

/** Errors before a proof exists: nothing was signed, and nothing can be paid. */
export const purchaseErrors = failures({
  invalid_url: ["invalid", "url must be an absolute http or https URL without credentials, of at most 4096 characters"],
  invalid_header: ["invalid", "This header cannot be set. Leave it out"],
  address_refused: [
    "unprocessable",
    "This URL is at a private or reserved address. Only the public internet can be paid",
  ],
  port_refused: ["unprocessable", "Only URLs at the ports 80 and 443 can be paid"],
  owner_signature_required: [
    "forbidden",
    "The agent cannot request URLs until a user has signed something for it. Nothing was requested. Propose a mandate with create_intent_mandate and have the user sign it",
  ],
  url_unreachable: ["unavailable", "The URL did not respond. Nothing was signed"],
  redirect_refused: [
    "unprocessable",
    "The URL redirects to an address that is not allowed. Request the URL that you want to pay",
  ],
  no_payable_option: [
    "unprocessable",
    "The seller accepts no payment that this wallet can make (x402 scheme exact, or MPP method evm, in USDC on base or base-sepolia)",
  ],
  max_amount_exceeded: ["forbidden", "The price is higher than maxAmount. Nothing was signed"],
  no_mandate: [
    "forbidden",
    "No signed mandate covers this payment. Propose one with create_intent_mandate and have the owner sign it",
  ],
  payee_confirmation_required: [
    "forbidden",
    "The user must confirm this address for this host once. Show them approvalUrl, and repeat this call with the same key after they confirmed. Nothing was signed",
  ],
  offer_changed: [
    "unprocessable",
    "The seller's offer has changed since the user was asked to approve it. Nothing was signed. Use a new idempotencyKey to ask them again",
  ],
  purchase_in_progress: [
    "limited",
    "A call with this idempotencyKey, or one that buys the same pass, is in progress. Repeat it in a moment",
  ],
  purchase_key_reused: [
    "unprocessable",
    "This idempotencyKey belongs to another request. Repeat that request unchanged, or use a new key for a new purchase",
  ],
});
