import { z } from "zod";
import { endpoint } from "@/lib/core/endpoint";
import { amount, toUsdc, type Usdc } from "@/lib/core/money";
import { edgeErrors } from "@/lib/http/errors";
import * as sample from "@/lib/samples";
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
  description:
    "It is 100 USDC until the owner changes it. What takes the sum of 24 hours on one network above it is answered 403 `signature_required`.",
  auth: "owner",
  surface: "wallet",
  response: approvalLimit,
  errors: {},
  example: { responses: { 200: { ...sample.OK, limit: "100000000" } } },
});

export const setApprovalLimit = endpoint({
  method: "POST",
  path: "/api/wallet/approval-limit",
  summary: "Set this limit. A higher limit needs a signature of the owner's wallet, a lower one does not",
  description:
    "After 403 `signature_required` sign its `typedData` with the owner's wallet and send the same body with `signature`. It is valid for requests that come later.",
  auth: "owner",
  surface: "wallet",
  body: z.intersection(
    z.object({ limit: amount.refine((limit) => limit <= LIMIT_MAX, "must be at most 2^96-1") }, "must be an object"),
    withSignature,
  ),
  response: approvalLimit,
  errors: confirmErrors,
  example: { request: { limit: "50000000" }, responses: { 200: { ...sample.OK, limit: "50000000" } } },
});
