import { parseUrl } from "@tessera/x402/url";
import { type Address, isAddressText, toAddress } from "@/lib/core/address";
import { positiveAmount } from "@/lib/core/money";
import { shownText, withoutInvisible } from "@/lib/core/shown";
import type { RefusalOfUs } from "@/lib/settlements/admission";
import type { FailureCode } from "@/lib/settlements/rules";
import { NETWORKS, networkNamed } from "@/lib/x402/networks";
import { type ProofMismatch, readProof, type X402Proof } from "@/lib/x402/proof";
import type { Requirement } from "@/lib/x402/requirement";

/** API keys per owner. Revoked keys do not count. */
export const KEYS_MAX = 20;
export const REQUESTS_PER_MINUTE = { max: 6_000, usual: 600 };
export const SETTLEMENTS_PER_DAY = { max: 100_000, usual: 1_000 };

/** Error reasons of the x402 specifications v1 and v2 (section 9), and four of the reference implementation. */
export const REASONS = [
  "insufficient_funds",
  "invalid_exact_evm_payload_authorization_valid_after",
  "invalid_exact_evm_payload_authorization_valid_before",
  "invalid_exact_evm_payload_authorization_value",
  "invalid_exact_evm_payload_recipient_mismatch",
  "invalid_exact_evm_payload_signature",
  "invalid_network",
  "invalid_payload",
  "invalid_payment_requirements",
  "invalid_scheme",
  "invalid_transaction_state",
  "invalid_x402_version",
  "unsupported_scheme",
  /** An account that is not deployed, without a deployment that creates it (ERC-6492). */
  "invalid_exact_evm_payload_undeployed_smart_wallet",
  /** An account that is not deployed, whose factory the operator does not list. */
  "eip6492_factory_not_allowed",
  /** The authorization was settled before, or presented elsewhere. */
  "duplicate_settlement",
  /** The outcome of the transfer is not known yet. Repeating the request returns it. */
  "settlement_pending",
] as const;

export type FacilitatorReason = (typeof REASONS)[number];

/** The body of /verify and /settle, with a valid shape. */
export type FacilitatorRequest = {
  x402Version?: number | undefined;
  paymentPayload: Record<string, unknown>;
  paymentRequirements: {
    scheme: string;
    network: string;
    amount?: string | undefined;
    maxAmountRequired?: string | undefined;
    asset: string;
    payTo: string;
    resource?: string | null | undefined;
    description?: string | null | undefined;
  };
};

/** `payer`: null when the payload could not be read. */
export type RefusedRequest = {
  type: "refused";
  reason: FacilitatorReason;
  payer: Address | null;
  message?: string | undefined;
};

/** A payment and the requirement to check it against. `proof` is not verified. */
export type ReadRequest = { type: "readable"; proof: X402Proof; requirement: Requirement };

/** Reads a seller's request, or returns why it is refused. */
export function readRequest({
  x402Version,
  paymentPayload,
  paymentRequirements: r,
}: FacilitatorRequest): ReadRequest | RefusedRequest {
  const proof = readProof(paymentPayload);
  const payer = proof?.authorization.from ?? null;
  const refuse = (reason: FacilitatorReason): RefusedRequest => ({ type: "refused", reason, payer });
  const version = paymentPayload.x402Version;
  if ((version !== 1 && version !== 2) || (x402Version ?? version) !== version) return refuse("invalid_x402_version");
  if (r.scheme !== "exact") return refuse("unsupported_scheme");
  const network = networkNamed(r.network)?.name;
  if (!network) return refuse("invalid_network");
  const amount = positiveAmount.safeDecode((version === 1 ? r.maxAmountRequired : r.amount) ?? "");
  if (!amount.success || !isAddressText(r.payTo) || r.asset.toLowerCase() !== NETWORKS[network].usdc.toLowerCase()) {
    return refuse("invalid_payment_requirements");
  }
  if (!proof) return refuse("invalid_payload");
  if (proof.scheme !== "exact") return refuse("invalid_scheme");
  const requirement = { network, amount: amount.data, payTo: toAddress(r.payTo), ...soldBy(r, paymentPayload) };
  return { type: "readable", proof, requirement };
}

const RESOURCE_CHARACTERS_MAX = 2_000;
const description = shownText({ max: 500, hasLines: true, error: "" });

/** Untrusted text about the sale: x402 v1 has it in the requirement, v2 in the payload. Empty when it must not be displayed. */
function soldBy(v1: FacilitatorRequest["paymentRequirements"], { resource }: Record<string, unknown>) {
  const v2 = typeof resource === "object" && resource !== null ? (resource as Record<string, unknown>) : {};
  const url = v1.resource ?? v2.url;
  const rawDescription = v1.description ?? v2.description;
  const isWebAddress =
    typeof url === "string" &&
    url.length <= RESOURCE_CHARACTERS_MAX &&
    /^https?:\/\/[!-~]+$/.test(url) &&
    parseUrl(url) !== null;
  return {
    resource: isWebAddress ? url : "",
    description:
      description.safeParse(typeof rawDescription === "string" ? withoutInvisible(rawDescription) : "").data ?? "",
  };
}

/** The x402 error reason of each refusal. */
export const REASON_OF: Record<RefusalOfUs, FacilitatorReason> = {
  PAYMENT_NETWORK_MISMATCH: "invalid_network",
  PAYMENT_ASSET_MISMATCH: "invalid_payload",
  PAYMENT_RECIPIENT_MISMATCH: "invalid_exact_evm_payload_recipient_mismatch",
  PAYMENT_RESOURCE_MISMATCH: "invalid_payload",
  PAYMENT_INSUFFICIENT: "invalid_exact_evm_payload_authorization_value",
  PAYMENT_EXPIRED: "invalid_exact_evm_payload_authorization_valid_before",
  PAYMENT_VALIDITY_TOO_LONG: "invalid_exact_evm_payload_authorization_valid_before",
  PAYMENT_NOT_YET_VALID: "invalid_exact_evm_payload_authorization_valid_after",
  AMOUNT_TOO_SMALL: "invalid_exact_evm_payload_authorization_value",
  PAYMENT_SIGNATURE_INVALID: "invalid_exact_evm_payload_signature",
  NOT_DEPLOYED: "invalid_exact_evm_payload_undeployed_smart_wallet",
  FACTORY_NOT_LISTED: "eip6492_factory_not_allowed",
  DEPLOYMENT_TOO_LARGE: "invalid_exact_evm_payload_undeployed_smart_wallet",
};

const TIMES: ReadonlySet<ProofMismatch> = new Set([
  "PAYMENT_EXPIRED",
  "PAYMENT_VALIDITY_TOO_LONG",
  "PAYMENT_NOT_YET_VALID",
]);

/** Whether only the time does not fit. The proof may have been settled in time, so an existing settlement is still reported. */
export const isAboutTime = (reason: ProofMismatch): boolean => TIMES.has(reason);

const FAILURES: Partial<Record<FailureCode, FacilitatorReason>> = {
  INSUFFICIENT_FUNDS: "insufficient_funds",
  INVALID_SIGNATURE: "invalid_exact_evm_payload_signature",
  EXPIRED: "invalid_exact_evm_payload_authorization_valid_before",
  ALREADY_USED: "duplicate_settlement",
};

/** `code`: a FailureCode of a settlement. */
export const reasonOf = (code: string | null): FacilitatorReason =>
  FAILURES[code as FailureCode] ?? "invalid_transaction_state";
