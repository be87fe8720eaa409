import { z } from "zod";
import { endpoint } from "@/lib/core/endpoint";
import { amount, toUsdc, type Usdc } from "@/lib/core/money";
import { edgeErrors } from "@/lib/http/errors";
import { signatureHex } from "@/lib/x402/schema";
import { confirmationErrors } from "./errors";

/** Body field that confirms a call: the owner's EIP-712 signature over the `typedData` of signature_required. */
export const withSignature = z.object({
  signature: signatureHex.optional(),
});

/** The errors of a call that may need a signature. */
export const confirmErrors = {
  signature_required: confirmationErrors.table.signature_required,
  rate_limited: edgeErrors.table.rate_limited,
};

const LIMIT_MAX = toUsdc(2n ** 96n - 1n);
const ok = z.literal("ok");
const approvalLimit = z.object({ status: ok, limit: amount });

export const toLimitResponse = (limit: Usdc) => ({ status: "ok" as const, limit });

export const getApprovalLimit = endpoint({
  method: "GET",
  path: "/api/wallet/approval-limit",
  summary:
    "The largest sum of payouts and single payments in 24 hours that the owner approves without a signature, in atomic units",
  auth: "owner",
  surface: "wallet",
  response: approvalLimit,
  errors: {},
});

export const setApprovalLimit = endpoint({
  method: "POST",
  path: "/api/wallet/approval-limit",
  summary: "Set this limit. A higher limit needs a signature of the owner's wallet, a lower one does not",
  auth: "owner",
  surface: "wallet",
  body: z.intersection(
    z.object({ limit: amount.refine((limit) => limit <= LIMIT_MAX, "must be at most 2^96-1") }, "must be an object"),
    withSignature,
  ),
  response: approvalLimit,
  errors: confirmErrors,
});
