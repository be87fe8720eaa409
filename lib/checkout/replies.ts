import { type Reply, reply } from "@/lib/core/endpoint";
import type { Remedies } from "@/lib/core/errors";
import type { Ctx } from "@/lib/platform/context";
import type { RefusalOfUs } from "@/lib/settlements/admission";
import { receiptUrl } from "@/lib/settlements/contract";
import { DEPLOYMENT_REFUSALS } from "@/lib/settlements/deployment";
import type { PassRefusal, PendingPayment, SettlementFailed, SettlementResult } from "@/lib/settlements/responses";
import { visibleTxHash } from "@/lib/settlements/rules";
import type { Settlement } from "@/lib/settlements/service";
import { encodeHeader } from "@/lib/x402/header";
import { NETWORKS, type NetworkName } from "@/lib/x402/networks";

/** Why a proof is refused. INSUFFICIENT_CREDITS: the proof is in service credits, and the payer has too few. */
export type ProofRefusal =
  | RefusalOfUs
  | SignInRefusal
  | PassRefusal
  | "PAYMENT_CREDENTIAL_INVALID"
  | "INSUFFICIENT_CREDITS";

/** Why a sign-in gives no access to a purchase. */
export type SignInRefusal = "SIGN_IN_INVALID" | "SIGN_IN_EXPIRED" | "SIGN_IN_USED" | "SIGN_IN_NOT_BOUGHT";

export const REFUSALS: Record<ProofRefusal, string> = {
  PAYMENT_NETWORK_MISMATCH: "The proof is for another network. Sign one for the network in accepts",
  PAYMENT_ASSET_MISMATCH: "The proof is for another asset. Sign one for the asset in accepts",
  PAYMENT_RECIPIENT_MISMATCH: "The proof pays another address. Sign one for payTo in accepts",
  PAYMENT_INSUFFICIENT: "The proof is not for the exact amount. Sign one for maxAmountRequired",
  PAYMENT_RESOURCE_MISMATCH:
    "The proof names another URL than this request. Sign one for the resource of this response, and send it there",
  PAYMENT_EXPIRED: "The proof has expired and can no longer move money. Sign a new one",
  PAYMENT_VALIDITY_TOO_LONG:
    "The proof is valid for too long. Sign one whose validBefore is at most maxTimeoutSeconds, and never more than an hour, from now",
  AMOUNT_TOO_SMALL:
    "The amount is less than the cost of a transfer from this payer's account. Pay from an account without code",
  PAYMENT_NOT_YET_VALID: "The proof is not valid yet. Send it again after its validAfter",
  PAYMENT_SIGNATURE_INVALID: "The payer did not sign this authorization for this network",
  PAYMENT_CREDENTIAL_INVALID:
    "The Payment credential is not readable, or answers no challenge of this URL, or is valid for longer than its challenge. Answer the challenge in WWW-Authenticate with a credential of type authorization, and send it in Authorization",
  ...DEPLOYMENT_REFUSALS,
  SIGN_IN_INVALID:
    "SIGN-IN-WITH-X is not a signed challenge of this URL. Sign the one in extensions of this response, unchanged, for its chain",
  SIGN_IN_EXPIRED: "The challenge in SIGN-IN-WITH-X has expired. Sign the one in extensions of this response",
  SIGN_IN_USED: "The challenge in SIGN-IN-WITH-X was used before. Sign the one in extensions of this response",
  SIGN_IN_NOT_BOUGHT:
    "This wallet did not sign the challenge in SIGN-IN-WITH-X, or it has no payment for this URL that has settled or still can. Check the signature, or pay",
  PASS_INVALID:
    "This is no pass of this link, or its payment has not settled. Send the whole token, or pay for this call",
  PASS_USED_UP: "This pass has no call left. Pay for this call, or buy another pass",
  PASS_INSUFFICIENT:
    "This call can cost more than is left of this pass, or than its Tessera-Cost-Max. Pay for this call, or request one that costs less",
  PASS_HELD: "A refund of this pass is on its way. Pay for this call, or try later",
  PASS_OVER: "The hours of this pass are over. Pay for this call, or buy another pass",
  PASS_REFUNDED:
    "The seller has refunded this pass, all or in part, which ended it. Pay for this call, or buy another pass",
  PASS_NOT_FOR_THIS:
    "This pass does not admit this request: it was not sold with it, or the link has another API now and no longer sells it. No call was taken. Pay for this call",
  INSUFFICIENT_CREDITS: "The payer does not have enough service credits. Pay in USDC, or buy credits first",
};

/** Error reasons of the x402 facilitator interface, so that stock clients can identify the cause. */
const REASONS: Record<string, string> = {
  INSUFFICIENT_FUNDS: "insufficient_funds",
  INVALID_SIGNATURE: "invalid_exact_evm_payload_signature",
};

const RETRY_AFTER_SECONDS = 2;

/** 202 for a settlement whose outcome is not known yet, with the seller's fields. */
export function pending<M extends object>(settlement: Settlement, sellerFields: M): Reply<202, PendingPayment & M> {
  const message = "The transfer is in progress and its outcome is not known yet. Do not pay again: read the settlement";
  const { id: settlementId } = settlement;
  const txHash = visibleTxHash(settlement);
  const headers = {
    "Retry-After": String(RETRY_AFTER_SECONDS),
    Location: `/api/settlements/${settlementId}`,
    ...outcomeHeaders(settlement, { success: false, errorReason: "settlement_pending", transaction: txHash ?? "" }),
  };
  return reply(202, { status: "pending" as const, message, settlementId, txHash, ...sellerFields }, { headers });
}

/** The response headers of both x402 versions. `transaction` is empty while there is none. */
const outcomeHeaders = (
  { network, payer }: { network: NetworkName; payer: string },
  outcome: { success: false; errorReason: string; transaction: string },
) => ({
  "X-PAYMENT-RESPONSE": encodeHeader({ ...outcome, network, payer }),
  "PAYMENT-RESPONSE": encodeHeader({ ...outcome, network: NETWORKS[network].caip2, payer }),
});

type Failure = Pick<SettlementFailed, "message" | "failureCode" | "settlementId" | "stillValidUntil"> & {
  network: NetworkName;
  payer: string;
};

/** 500 SETTLEMENT_FAILED, with headers that report the failure to stock clients of both x402 versions. */
export function settlementFailedReply(ctx: Ctx, failure: Failure): Reply<500, SettlementFailed> {
  const { failureCode, settlementId, stillValidUntil, network } = failure;
  const addFunds =
    failureCode === "INSUFFICIENT_FUNDS"
      ? `. The payer's wallet has too little USDC on ${network}: add money to it. The owner of an agent does that in Dashboard, Wallet`
      : "";
  const message = `${failure.message}${addFunds}`;
  const errorReason = REASONS[failureCode ?? ""] ?? "invalid_transaction_state";
  const headers = outcomeHeaders(failure, { success: false, errorReason, transaction: "" });
  const error = { status: "error", error: message, message, code: "SETTLEMENT_FAILED" } as const;
  const details = { failureCode, settlementId, stillValidUntil, requestId: ctx.requestId };
  return reply(500, { ...error, ...details }, { headers });
}

/** 500 for a transfer that was not made. Until `stillValidUntil`, if given, anyone can still submit its proof. */
export function settlementFailed(ctx: Ctx, failure: Omit<Failure, "message">): Reply<500, SettlementFailed> {
  const { failureCode, stillValidUntil } = failure;
  const next = stillValidUntil
    ? `The proof can still be paid until ${stillValidUntil}: read the settlement after that before you sign a new one, or cancel it first`
    : "No money moved. Sign a new one";
  const message = `Not settled (${failureCode}). ${next}`;
  return settlementFailedReply(ctx, { ...failure, message });
}

export const toSettlementResult = (baseUrl: string, s: Settlement): SettlementResult => ({
  success: true,
  txHash: s.txHash,
  settledAmount: s.amount.toString(),
  network: s.network,
  payer: s.payer,
  payee: s.payee,
  settlementId: s.id,
  receiptUrl: receiptUrl(baseUrl, s.id),
});

export const refusalRemedies: Remedies = {
  payment_expired: {
    cause: "The proof's `validBefore` has passed on the chain. It can no longer move money.",
    remedy:
      "If no earlier request presented this proof, sign a new one. Otherwise read that settlement first. Present proofs at once, or request a longer `validityWindowSeconds`.",
  },
  payment_resource_mismatch: {
    cause: "The query of this link's URL says what is bought, and the proof names another URL than the request.",
    remedy: "Request the URL of your order, sign for the `resource` of its 402, and send the proof to the same URL.",
  },
  payment_insufficient: {
    cause:
      "The proof is for less or more than the price. Proofs of the scheme `exact` pay exactly `maxAmountRequired`.",
    remedy:
      "Request the resource again, and sign the amount that `accepts` states now. The refused proof can be paid by anyone who saw it until it expires; do not send it elsewhere.",
  },
  payment_credential_invalid: {
    cause:
      "The credential of the Machine Payments Protocol is not of type `authorization`, its challenge was issued for another URL or was changed, its nonce is not derived from the challenge, or `validBefore` is after the challenge's `expires`.",
    remedy: "Answer the challenge in the `WWW-Authenticate` of this response, unchanged. Nothing was taken.",
  },
  sign_in_not_bought: {
    cause:
      "The challenge is ours and fresh, but the wallet named in it did not sign it, or none of its payments for this URL has settled or still can.",
    remedy:
      "Sign with the account that paid, on the network of the link. To read a payment whose result you do not know, read its settlement first: paying again buys again.",
  },
  payment_asset_mismatch: {
    cause: "The proof is a transfer of another token than the offer in `accepts`. Nothing was taken.",
    remedy: "Sign one for `asset` of the offer.",
  },
  payment_network_mismatch: {
    cause: "The proof is for another network than the offer in `accepts`. Nothing was taken.",
    remedy: "Sign one for `network` of the offer.",
  },
  payment_recipient_mismatch: {
    cause:
      "The proof pays another address than the offer in `accepts`. A seller may have changed its address in between.",
    remedy: "Ask for the price again, and sign for its `payTo`.",
  },
  payment_signature_invalid: {
    cause: "The signature is not by the payer, or over other values, for another token or network.",
    remedy: "Sign the values of the proof itself. The token's name and version are in `extra` of the offer.",
  },
  payment_not_yet_valid: {
    cause: "`validAfter` has not passed by the chain's clock, which can be seconds behind yours.",
    remedy:
      "Wait, and send the same proof again. Do not sign another one: both could be paid. Sign later proofs with a `validAfter` some minutes in the past.",
  },
  payment_validity_too_long: {
    cause: "Anyone who sees a proof can submit it until it ends, so the service limits how long it is valid.",
    remedy: "Sign with `validBefore` at most `maxTimeoutSeconds` of the offer from now.",
  },
  not_deployed: {
    cause:
      "The payer is a contract account without code on this network. Its signature has no deployment (ERC-6492), or one that does not create an account that accepts it.",
    remedy: "Deploy the account, for example by its first transaction, then sign again.",
  },
  factory_not_listed: {
    cause:
      "The payer is not deployed, and the operator does not list the factory in its signature (`WALLET_FACTORIES`).",
    remedy: "Deploy the account, for example by its first transaction, then sign again.",
  },
  deployment_too_large: {
    cause: "The payer is not deployed, and the deployment in its signature is longer than 2,048 bytes.",
    remedy: "Deploy the account, for example by its first transaction, then sign again.",
  },
  sign_in_expired: {
    cause: "The challenge in `SIGN-IN-WITH-X` was valid for minutes, and they have passed.",
    remedy: "Sign the one in `extensions` of this response.",
  },
  sign_in_invalid: {
    cause:
      "What was signed is not a challenge of this URL, was changed, or was signed by another account or for another chain.",
    remedy: "Sign the challenge in `extensions` of this response, unchanged.",
  },
  pass_invalid: {
    cause: "This service did not issue the token for this link, or the payment of the pass has not settled.",
    remedy:
      "Send the whole token, at the link where the pass was bought. If you lost it, sign in with the wallet that paid, at `/pass/{linkId}`. A payment that is under way: wait until it has settled.",
  },
  pass_used_up: {
    cause:
      "All calls of the pass were answered or are under way. Of a pass by use, what is left is less than the lowest price of a call.",
    remedy: "Pay for this call, or buy another pass. This request took nothing.",
  },
  pass_insufficient: {
    cause:
      "The price of the call, as it was when the pass was bought, is more than what is left of the pass, or than `Tessera-Cost-Max` of the request.",
    remedy:
      "Pay for this call, or request one that costs less: `GET /pass/{linkId}` with the token shows `amountLeft`. This request took nothing.",
  },
  pass_held: {
    cause:
      "The seller has approved a refund of the pass, and its transfer is under way. The pass ends with it, and admits calls again if it fails.",
    remedy: "Pay for this call, or try later. This request took nothing.",
  },
  pass_over: {
    cause: "The hours of the pass have passed since its payment settled.",
    remedy: "Pay for this call, or buy another pass. This request took nothing.",
  },
  pass_refunded: {
    cause: "The seller paid back all or a part of the price of the pass, at least what was unused, and that ended it.",
    remedy:
      "The receipt of its payment shows the refund. Pay for this call, or buy another pass. This request took nothing.",
  },
  pass_not_for_this: {
    cause:
      "A pass admits the paths and methods that the link sold when it was bought. If the seller has put another API behind the link since, it admits there what was sold then and is sold now.",
    remedy:
      "Pay for this call, or use the pass for what it admits: `GET /pass/{linkId}` with its token shows `paths` and `methods`. This request took nothing. If the pass is of no use any more, ask the seller for a refund of what is unused.",
  },
  sign_in_used: {
    cause: "Each challenge works for one request only.",
    remedy: "Sign the one in `extensions` of this response.",
  },
};
