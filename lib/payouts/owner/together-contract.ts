import { z } from "zod";
import { confirmErrors, withSignature } from "@/lib/confirmations/contract";
import { endpoint } from "@/lib/core/endpoint";
import { AppError } from "@/lib/core/errors";
import { toRefusal } from "@/lib/http/errors";
import * as sample from "@/lib/samples";
import { payoutView, toPayoutItem } from "../responses";
import { payoutRecordId } from "./contract";
import type { PayoutOutcome } from "./service";

const TOGETHER_MAX = 20;

export const approvePayouts = endpoint({
  method: "POST",
  path: "/api/wallet/payouts/approve",
  summary:
    "Pay several payouts, each with its own outcome. Idempotent. One signature covers all of them if together they need one",
  description: "One that cannot be paid does not stop the others: its entry of `results` has the error. At most 20.",
  work: 18,
  auth: "owner",
  surface: "wallet",
  body: withSignature.extend({
    payoutRecordIds: z
      .array(payoutRecordId, { error: "must be a list of payouts' record ids" })
      .min(1, "must name at least one payout")
      .max(TOGETHER_MAX, `must name at most ${TOGETHER_MAX} payouts`)
      .refine((ids) => new Set(ids).size === ids.length, "must not name a payout twice"),
  }),
  response: z.object({
    status: z.literal("ok"),
    /** In the order of payoutRecordIds. */
    results: z.array(
      z.object({
        payoutRecordId,
        /** Null if the approval failed or its outcome is unknown. */
        payout: payoutView.nullable(),
        error: z.object({ code: z.string(), message: z.string() }).nullable(),
      }),
    ),
  }),
  // An error of a payout is in its result.
  errors: confirmErrors,
  example: {
    request: { payoutRecordIds: [sample.PAYOUT] },
    responses: {
      200: { ...sample.OK, results: [{ payoutRecordId: sample.PAYOUT, payout: sample.approvedPayout, error: null }] },
    },
  },
});

export const toResults = (outcomes: readonly PayoutOutcome[], baseUrl: string, now: Date) =>
  outcomes.map(({ payoutRecordId, outcome }) =>
    outcome instanceof AppError
      ? { payoutRecordId, payout: null, error: toRefusal(outcome) }
      : { payoutRecordId, payout: toPayoutItem(outcome, baseUrl, now), error: null },
  );
