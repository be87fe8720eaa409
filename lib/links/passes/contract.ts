import { z } from "zod";
import { addressText } from "@/lib/core/address-text";
import { endpoint } from "@/lib/core/endpoint";
import { id } from "@/lib/core/id-text";
import { isoDate } from "@/lib/core/time-text";
import * as sample from "@/lib/samples";
import { proofErrors } from "@/lib/settlements/errors";
import { paymentResponses, SIGN_IN_REFUSALS, URL_REFUSALS } from "@/lib/settlements/responses";
import { page, params } from "../contract";
import { linkErrors } from "../errors";
import type { Link } from "../rules";
import type { FailedCall } from "../upstream/contract";
import { PAID_METHODS, type PaidMethod, type PaidRequest } from "../upstream/rules";
import { passUrl } from "../urls";
import { passTerms } from "./fields";
import { COST_HEADER, FAILURES_PER_CALL_MAX } from "./limits";
import { isAdmitted, PASS_STATUSES, statusOf, termsOf, unitsLeft, unusedAmount, validUntil } from "./rules";
import { type CallEnd, type OwnPass, type PassCall, type SoldPass, stateOf } from "./service";

const PASS_EXTENSION = "tessera-pass";

/**
 * The extension of a 402 that names the link's pass beside the price of a call. Clients that do not know it pay for the call. Empty if the
 * pass would not admit `call`.
 */
export function passExtension(
  baseUrl: string,
  { linkId, amount: price, upstream }: Pick<Link, "linkId" | "amount" | "upstream">,
  call?: Pick<PaidRequest, "method" | "path">,
) {
  if (!upstream?.pass || (call && !isAdmitted(upstream, call))) return {};
  const { calls, hours, isByUse, amount, isRefundable } = upstream.pass;
  const url = passUrl(baseUrl, linkId, termsOf(upstream, upstream.pass, price));
  return { [PASS_EXTENSION]: { info: { url, amount, calls, hours, isByUse, isRefundable }, schema: PASS_SCHEMA } };
}

const PASS_SCHEMA = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  properties: {
    url: { type: "string", format: "uri" },
    amount: { type: "string" },
    calls: { type: ["integer", "null"] },
    hours: { type: ["integer", "null"] },
    isByUse: { type: "boolean" },
    isRefundable: { type: "boolean" },
  },
  required: ["url", "amount", "calls", "hours", "isByUse", "isRefundable"],
};

const state = {
  settlementId: id("settlement").describe("The payment that bought it"),
  status: z
    .enum(PASS_STATUSES)
    .describe(
      "`over`: its hours have passed. `held`: a refund is on its way. `refunded`: the seller paid back all or a part, which ends it",
    ),
  ...passTerms,
  callsLeft: z.int().nullable().describe("Null for any number. Calls under way are not in it"),
  amountLeft: z
    .string()
    .nullable()
    .describe("Of a pass by use, what is left of its price. Calls under way are not in it; null for other passes"),
  callsUnderWay: z.int().describe("Calls that have no answer yet"),
  validUntil: isoDate.nullable().describe("When its hours are over; null without hours"),
};

const ownPass = z
  .object({
    token: z.string().describe("Send it as `Authorization: Bearer …` with each call. Whoever has it can use the pass"),
    paidUrl: z.string().describe("Where calls are sent; a path is added to it"),
    methods: z.array(z.enum(PAID_METHODS)).describe("What it admits"),
    paths: z.array(z.string()).describe("What it admits; empty for every path. `{name}` is one segment of any text"),
    ...state,
  })
  .describe("The pass");

const bought = z.object({ success: z.literal(true), pass: ownPass });

const toState = (sold: SoldPass, now: Date) => {
  const { units, hours, isByUse, isRefundable } = sold.pass;
  const pass = stateOf(sold);
  const left = unitsLeft(pass);
  return {
    settlementId: sold.payment.id,
    status: statusOf(pass, now),
    calls: isByUse || units === null ? null : Number(units),
    hours,
    isByUse,
    isRefundable,
    callsLeft: isByUse || left === null ? null : Number(left),
    amountLeft: isByUse && left !== null ? `${left}` : null,
    callsUnderWay: sold.callsUnderWay,
    validUntil: validUntil(pass),
  };
};

export const toOwnPass = ({ token, ...sold }: OwnPass, paidUrl: string, now: Date): z.output<typeof bought> => {
  const { methods, paths } = sold.pass.admitted;
  const admitted = { methods, paths: paths.map(({ path }) => path) };
  return { success: true, pass: { token, paidUrl, ...admitted, ...toState(sold, now) } };
};

const { LINK_NOT_FOUND, WALLET_NOT_LINKED, LINK_DISABLED, LINK_EXPIRED, LINK_SOLD_OUT, PASS_NOT_OFFERED } =
  linkErrors.table;

const stateExample = {
  settlementId: sample.SETTLEMENT,
  status: "usable",
  calls: 1000,
  hours: null,
  isByUse: false,
  isRefundable: true,
  callsLeft: 958,
  amountLeft: null,
  callsUnderWay: 1,
  validUntil: null,
};

const TOKEN_EXAMPLE = `pass_${sample.SETTLEMENT.slice(4)}_${"k".repeat(43)}`;

export const getPass = endpoint({
  method: "GET",
  path: "/pass/{linkId}",
  summary: "Buy or read a pass for the calls of a link",
  description: `402 with the price of the link's pass, then the pass for a valid proof. \`terms\` stands for what is sold: its price, calls and hours, and the paths and methods. Take the URL with it from \`pass.url\` of the link, or from the extension \`tessera-pass\` of a call's 402. With other terms, or none, nothing is sold: \`url\` of PASS_NOT_OFFERED is where the pass is sold now. Send the \`token\` as \`Authorization: Bearer …\` with each request to \`paidUrl\`: nothing is paid there, and \`Tessera-Pass-Calls-Left\` says how many calls are left (\`unlimited\` for a pass of hours). On a pass by use, \`${COST_HEADER}\` says what a call took, and \`Tessera-Pass-Amount-Left\` what is left of its price; a call whose price is more than that, or than the request's \`Tessera-Cost-Max\`, is refused as PASS_INSUFFICIENT. A call without an answer of the seller's API (\`UPSTREAM_FAILED\`) comes back to the pass, up to ${FAILURES_PER_CALL_MAX} times as many as the pass has calls; one whose answer was lost on its way, or ended at the seller's limit of time or size, does not. The pass keeps its terms whatever the seller changes, and the API if the seller stops to sell it. If the link gets another API, the pass admits there only what the link sells then. A refund ends it from its approval on, as long as its transfer has not failed. With the token, this request shows the pass as it is now. A 202 has the token, too: it admits calls once the payment has settled. The same proof with the extension payment-identifier brings the token again, and so does the payer's wallet by sign-in-with-x while the pass can be used. The proof alone brings it within an hour, from the same network address, until the first call.`,
  auth: "none",
  surface: "resource",
  params,
  query: z.object({
    terms: z
      .string()
      .max(100, "must have at most 100 characters")
      .optional()
      .describe("What is sold, as in the pass's URL"),
  }),
  response: paymentResponses(bought, { token: ownPass.shape.token }, [
    ...URL_REFUSALS,
    ...SIGN_IN_REFUSALS,
    "PASS_INVALID",
  ]),
  errors: {
    LINK_NOT_FOUND,
    PASS_NOT_OFFERED,
    WALLET_NOT_LINKED,
    LINK_DISABLED,
    LINK_EXPIRED,
    LINK_SOLD_OUT,
    ...proofErrors,
  },
  example: {
    responses: {
      200: {
        ...sample.SUCCESS,
        pass: {
          token: TOKEN_EXAMPLE,
          paidUrl: sample.link.url.replace("/pay/", "/paid/"),
          methods: ["GET"],
          paths: ["/quotes/{symbol}"],
          ...stateExample,
        },
      },
      202: { ...sample.pending, token: TOKEN_EXAMPLE },
    },
  },
});

const CALL_ENDS: Record<CallEnd, string> = {
  back: "The call comes back to the pass",
  blocked: "The call comes back to the pass, which admits none now, because of a refund or because its hours are over",
  counted: "This call is counted, because too many calls of this pass failed before: ask the seller for a refund",
  unknown:
    "Whether the call came back to the pass is not known: `GET /pass/{linkId}` with the token shows what is left",
};

/** What a buyer does next. The API may have carried out a request that it did not answer. */
function nextStep(callEnd: CallEnd, { method, name }: { method: PaidMethod; name: string | null }): string {
  if (method === "GET") return callEnd === "back" ? ". Send the request again" : "";
  const done = ". The API may have carried out the request";
  if (callEnd !== "back") return done;
  return `${done}: ${name === null ? "check that before you send it again" : "send it again with the same Idempotency-Key"}`;
}

/** 503 of a call on a pass. `name`: its Idempotency-Key. */
export function failedPassCall(
  { failure, callEnd }: Extract<PassCall, { type: "failed" }>,
  { settlementId, ...call }: Pick<FailedCall, "settlementId"> & { method: PaidMethod; name: string | null },
  requestId: string,
): FailedCall {
  const message = `There is no answer of the seller's API to deliver (${failure}). ${CALL_ENDS[callEnd]}${nextStep(callEnd, call)}`;
  return {
    status: "error",
    error: message,
    message,
    code: "UPSTREAM_FAILED",
    reason: failure,
    settlementId,
    callEnd,
    requestId,
  };
}

const soldPass = z.object({
  paymentId: z.int().describe("Id of the received payment, for a refund"),
  payer: addressText,
  amount: z.string(),
  ...state,
  callsFailed: z.int().nullable().describe("Calls to which your API gave no answer; null for a pass by use"),
  unusedAmount: z
    .string()
    .describe("The part of the price for calls that were not answered, also those under way, and hours that are left"),
  lastUsedAt: isoDate.nullable().describe("When a call was last taken from it"),
  createdAt: isoDate,
});

export const toSoldPass = (sold: SoldPass, now: Date): z.output<typeof soldPass> => {
  const { pass, payment, paymentId } = sold;
  return {
    paymentId,
    payer: payment.payer,
    amount: payment.amount.toString(),
    ...toState(sold, now),
    callsFailed: pass.isByUse ? null : Number(pass.unitsFailed),
    unusedAmount: unusedAmount(stateOf(sold), payment.amount, now).toString(),
    lastUsedAt: pass.lastUsedAt,
    createdAt: pass.createdAt,
  };
};

export const listPasses = endpoint({
  method: "GET",
  path: "/api/payment-links/{linkId}/passes",
  summary: "The passes that a link sold",
  description:
    "Those whose payment has settled. Send `nextCursor` as `cursor` for the next page. To pay back what is unused, refund `unusedAmount` of `paymentId`. The pass admits calls until the refund is approved, which ends it, so it cannot be less. Calls under way are paid back too, also if they are answered later. Answered calls cannot be refunded: if more were answered since the request, the approval is refused. Cancel it then, and request what is left.",
  auth: "agent",
  surface: "resource",
  params,
  query: page,
  response: z.object({
    success: z.literal(true),
    passes: z.array(soldPass).describe("Newest first"),
    nextCursor: z.string().nullable(),
  }),
  errors: { LINK_NOT_FOUND },
  example: {
    responses: {
      200: {
        ...sample.SUCCESS,
        passes: [
          {
            paymentId: 17,
            payer: sample.settlement.payer,
            amount: "5000000",
            ...stateExample,
            callsFailed: 2,
            unusedAmount: "4795000",
            lastUsedAt: sample.link.createdAt,
            createdAt: sample.link.createdAt,
          },
        ],
        ...sample.LAST_PAGE,
      },
    },
  },
});
