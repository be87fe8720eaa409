import { z } from "zod";
import { positiveAmount } from "@/lib/core/money";
import { COST_HEADER, PASS_CALLS_MAX, PASS_HOURS_MAX } from "./limits";

const limit = (max: number) =>
  z.int("must be a whole number").min(1, "must be at least 1").max(max, `must be at most ${max}`).nullable();

/** A pass in a request. */
export const passOffer = z
  .object({
    calls: limit(PASS_CALLS_MAX).default(null).describe("How many calls it admits; null for any number"),
    hours: limit(PASS_HOURS_MAX).default(null).describe("How many hours it is valid from its payment; null for no end"),
    isByUse: z
      .boolean("must be true or false")
      .default(false)
      .describe(
        `Whether calls take from \`amount\` what your API says that they cost, in the header \`${COST_HEADER}\` of its answer in atomic USDC, at most the price of the call. Without the header a call takes its price`,
      ),
    amount: positiveAmount.describe("Its price"),
    isRefundable: z
      .boolean("must be true or false")
      .default(false)
      .describe(
        "Whether you pay back unused calls or hours on request, by a refund. Buyers see it; nothing is automatic",
      ),
  })
  .refine(
    ({ calls, hours, isByUse }) => calls !== null || hours !== null || isByUse,
    "must have calls, hours or both, or be by use",
  )
  .refine(({ calls, isByUse }) => !isByUse || calls === null, "must have no number of calls if it is by use")
  .describe("A pass that buyers can get in place of paying each call. It admits every path and method of the link");

/** Of a pass that was bought, or is offered. */
export const passTerms = {
  calls: z.int().nullable().describe("How many calls it admits; null for any number"),
  hours: z.int().nullable().describe("How many hours it is valid from its payment; null for no end"),
  isByUse: z
    .boolean()
    .describe(
      "Whether each call takes from its price what the seller's API says that it cost, at most the price of the call",
    ),
  isRefundable: z.boolean().describe("Whether the seller says that what is unused is paid back on request"),
};

/** A pass in responses to its seller. */
export const passOfferView = z
  .object({
    ...passTerms,
    amount: z.string().describe("Its price in atomic USDC"),
    url: z.string().describe("Where buyers get it"),
  })
  .nullable()
  .describe("The pass that buyers can get in place of paying each call; null without one");
