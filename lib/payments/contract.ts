import { z } from "zod";
import { type Address, ZERO_ADDRESS } from "@/lib/core/address";
import { addressText } from "@/lib/core/address-text";
import { firstCharacters } from "@/lib/core/characters";
import { endpoint } from "@/lib/core/endpoint";
import { anyIdText } from "@/lib/core/id-text";
import type { ApprovalId } from "@/lib/core/ids";
import { chosenSchema } from "@/lib/core/json-forms";
import { positiveAmount } from "@/lib/core/money";
import { cursorText, pageSize } from "@/lib/core/page";
import { withoutInvisible } from "@/lib/core/shown";
import { edgeErrors } from "@/lib/http/errors";
import { mandateErrors } from "@/lib/mandates/errors";
import { mandateId } from "@/lib/mandates/responses";
import { vaultErrors } from "@/lib/mandates/vaults/errors";
import { agentAuthorization } from "@/lib/mandates/vaults/schemas";
import { payeeRequired, resourceMethod } from "@/lib/payees/contract";
import { payeeErrors } from "@/lib/payees/errors";
import { approvalSummary } from "@/lib/platform/summary";
import * as sample from "@/lib/samples";
import { screeningErrors } from "@/lib/screening/errors";
import { creditProof } from "@/lib/x402/credit-proof";
import { CREDITS, toCredits } from "@/lib/x402/credits";
import { decodeHeader } from "@/lib/x402/header";
import { DEFAULT_NETWORK, NETWORK_NAMES, NETWORKS } from "@/lib/x402/networks";
import { paymentRequiredV2 } from "@/lib/x402/schema";
import { paymentErrors } from "./errors";
import { payload, paymentId, paymentView } from "./responses";
import { WINDOW_SECONDS_DEFAULT } from "./rules";

const LOST = new Set<Address>([ZERO_ADDRESS, ...NETWORK_NAMES.map((name) => NETWORKS[name].usdc)]);
const DESCRIPTION_CHARACTERS_MAX = 2000;

const text = (name: string) => z.string({ error: `must be ${name}` });

/** A seller's text, made safe for display and PostgreSQL: truncated, without control characters and invisible characters. */
const legible = (text: string): string =>
  firstCharacters(withoutInvisible(text.replace(/(?![\n\r\t])\p{Cc}/gu, " ")), DESCRIPTION_CHARACTERS_MAX);

/** Any text is accepted: the agent copies it from another server's 402 and did not write it. */
const description = text("a text").transform(legible);

/** The request for a payment. The rules validate the names of networks, assets and schemes, because they have codes for them. */
const requestFields = z.object({
  scheme: text("a scheme's name").default("exact"),
  network: text("a network's name").default(DEFAULT_NETWORK),
  currency: text("USDC").default("USDC"),
  assetAddress: text("an address").optional(),
  host: text("a host name").optional(),
  resource: text("the URL that requires the payment"),
  description: description.default(""),
  tokenName: text("the token's name").optional(),
  tokenVersion: text("the token's version").optional(),
  validityWindowSeconds: z
    .int({ error: "must be an integer number of seconds" })
    .min(0, "must not be negative")
    .default(WINDOW_SECONDS_DEFAULT),
});

const challengeName = text("a text of the challenge").min(1, "must not be empty").max(1024, "is too long");

const challenge = z
  .object(
    {
      id: challengeName,
      realm: challengeName,
      expires: z.iso
        .datetime({ offset: true, error: "must be a date and time (RFC 3339)" })
        .transform((time) => new Date(time))
        .optional(),
    },
    { error: "must be {id, realm, expires?}" },
  )
  .describe("Of a seller's challenge (MPP): the nonce is derived from it, and the signature ends with it");

export const paymentRequest = requestFields.extend({
  amount: positiveAmount,
  challenge: challenge.optional(),
  payTo: addressText.refine(
    (payee) => !LOST.has(payee),
    "must not be the zero address or the USDC contract: money sent there is lost",
  ),
});

const CREDIT_DIGITS = /^[1-9]\d{0,14}$/;

/** The request for a payment in service credits: the amount in hundredths, the payee by its name. */
const creditPaymentRequest = requestFields.extend({
  network: z.literal(CREDITS.network),
  amount: text("a positive integer string in hundredths of a credit")
    .regex(CREDIT_DIGITS, "must be a positive integer string in hundredths of a credit (100 = 1.00)")
    .transform((digits) => toCredits(BigInt(digits))),
  payTo: text("the payTo of the requirement"),
});

const inUsdc = paymentRequest
  .extend({ mandateId, method: resourceMethod, agentAuthorization: agentAuthorization.optional() })
  .transform((request) => ({ ...request, means: "usdc" as const }));
const inCredits = creditPaymentRequest
  .extend({ mandateId, method: resourceMethod })
  .transform((request) => ({ ...request, means: "credits" as const }));
const ofCredits = z.object({ network: z.literal(CREDITS.network) });

/** For endpoints that cannot pay in service credits: ignores the other fields. */
export const inAnyCredits = ofCredits.transform(() => ({ means: "credits" as const }));

export const byMeans = <U extends z.ZodType, C extends z.ZodType>(usdc: U, credits: C) =>
  chosenSchema([usdc, credits], (body) => (ofCredits.safeParse(body).success ? credits : usdc));

/** Of the bodies that agents make of a requirement. */
export const IGNORES_UNKNOWN = "agents copy further members of a 402's requirement, and clients add some for display";

/** Keeps the requirement as received: x402 v2 requires that the response repeats it unchanged. */
const offered = z
  .object({
    mandateId,
    method: resourceMethod,
    agentAuthorization: agentAuthorization.optional(),
    paymentRequest: z
      .record(z.string(), z.unknown(), { error: "must be an x402 v2 PaymentRequired object" })
      .optional(),
    paymentRequestB64: text("base64 of an x402 v2 PaymentRequired").optional(),
    resource: text("the URL that you called").optional(),
    /** Ignored: a mandate pays in one asset. */
    preferredAssets: z
      .array(z.object({ network: z.string(), asset: z.string() }), { error: "must be a list of {network, asset}" })
      .max(64)
      .optional(),
  })
  .refine(
    (body) => (body.paymentRequest === undefined) !== (body.paymentRequestB64 === undefined),
    "send either paymentRequest or paymentRequestB64",
  )
  .transform((body, ctx) => {
    const json = body.paymentRequest ?? decodeHeader(body.paymentRequestB64 ?? "");
    const parsed = requested.safeParse(json);
    const { mandateId, method, agentAuthorization, resource } = body;
    if (parsed.success) return { mandateId, method, agentAuthorization, resource, request: parsed.data };
    const [issue] = parsed.error.issues;
    const path = body.paymentRequest === undefined ? "paymentRequestB64" : "paymentRequest";
    ctx.addIssue({
      code: "custom",
      path: [path],
      message: `not an x402 v2 PaymentRequired (${issue?.path.join(".")})`,
    });
    return z.NEVER;
  });

/** Offers are parsed one by one later: an unknown offer must not hide a payable one. */
const requested = paymentRequiredV2.extend({
  resource: paymentRequiredV2.shape.resource.loose(),
  accepts: z.array(z.unknown()).min(1).max(64),
});

export type RequestedV2 = z.output<typeof requested>;

export const ok = z.literal("ok");

/** A response with a signed x402 v1 proof in USDC. */
export const signedV1 = z.object({
  status: ok,
  xPaymentB64: z.string(),
  xPayment: z.object({
    x402Version: z.literal(1),
    scheme: z.literal("exact"),
    /** As in the request: a network's name or its CAIP-2 id. */
    network: z.string(),
    payload,
  }),
  paymentRecordId: paymentId,
  /** When the proof expires, in Unix seconds. */
  expiresAt: z.number(),
});

/** Accepts any text in the form of an id, so that an unknown id gets 404 instead of 400. */
export const approvalId = z
  .custom<ApprovalId>(
    (value) => typeof value === "string" && /^[\w.:-]{1,100}$/.test(value),
    "must be an approval id (apr_…)",
  )
  .meta(anyIdText);

/** The response to a payment that a person must approve first. */
export const approvalRequired = z.object({
  status: z.literal("approval_required"),
  code: z.literal("approval_required"),
  message: z.string(),
  approvalId,
  approvalUrl: z.string(),
  /** Unix seconds, as in the response with the proof. */
  expiresAt: z.number(),
  agentStatus: z.enum(["ready", "needs_wallet_authorization"]),
  summary: approvalSummary,
  payment_model_context: z.object({ primer: z.string(), instructions: z.string() }),
});

const { table } = paymentErrors;
const { payment_not_found, ...signErrors } = table;
const refusals = {
  ...signErrors,
  mandate_not_found: mandateErrors.table.mandate_not_found,
  mandate_not_signed: mandateErrors.table.mandate_not_signed,
  mandate_disabled: mandateErrors.table.mandate_disabled,
  mandate_revoked: mandateErrors.table.mandate_revoked,
  mandate_expired: mandateErrors.table.mandate_expired,
  mandate_insufficient_budget: mandateErrors.table.mandate_insufficient_budget,
  mandate_period_budget_used: mandateErrors.table.mandate_period_budget_used,
  mandate_payment_cap_exceeded: mandateErrors.table.mandate_payment_cap_exceeded,
  owner_limit_reached: mandateErrors.table.owner_limit_reached,
  mandate_changed: mandateErrors.table.mandate_changed,
  host_not_allowed: mandateErrors.table.host_not_allowed,
  payee_refused: payeeErrors.table.payee_refused,
  payee_denied: screeningErrors.table.payee_denied,
  vault_wallet_only: vaultErrors.table.vault_wallet_only,
  vault_not_ready: vaultErrors.table.vault_not_ready,
  vault_failed: vaultErrors.table.vault_failed,
  vault_not_funded: vaultErrors.table.vault_not_funded,
  vault_not_released: vaultErrors.table.vault_not_released,
  payee_not_listed: vaultErrors.table.payee_not_listed,
  contract_payer_refused: vaultErrors.table.contract_payer_refused,
  pocket_busy: vaultErrors.table.pocket_busy,
  agent_authorization_required: vaultErrors.table.agent_authorization_required,
  agent_authorization_invalid: vaultErrors.table.agent_authorization_invalid,
  agent_authorization_unexpected: vaultErrors.table.agent_authorization_unexpected,
  agent_nonce_used: vaultErrors.table.agent_nonce_used,
  rate_limited: edgeErrors.table.rate_limited,
  agent_not_authorized: mandateErrors.table.agent_not_authorized,
};

/** Errors that an offer cannot cause: it names neither host nor currency, and is not in service credits. */
const {
  host_mismatch: _host,
  currency_mismatch: _currency,
  unknown_service: _service,
  insufficient_credits: _credits,
  challenge_over: _challenge,
  ...offerRefusals
} = refusals;

const acceptedExample = {
  scheme: "exact",
  network: "eip155:8453",
  amount: "500000",
  asset: sample.USDC,
  payTo: sample.SELLER,
  maxTimeoutSeconds: 60,
  extra: { name: "USD Coin", version: "2" },
};

const resourceExample = { url: sample.RESOURCE, description: "A report", mimeType: "application/json" };

export const signV3 = endpoint({
  method: "POST",
  path: "/api/payment/x402V3Payment",
  summary: "Sign a payment under a mandate (x402 v1 proof)",
  description:
    "Charges the mandate and returns a proof: send it unchanged as X-PAYMENT to `resource` before `expiresAt`. With an Idempotency-Key, repeating the request signs nothing twice. 202: the owner decides first: show approvalUrl to the user, then send the same request again. `payee_confirmation_required`: the mandate confirms payees, and this address is new for the host, which did not confirm it. `approval_required`: the payment is above the owner's limits, and they let it wait; once approved it is paid from the spending wallet without the mandate. The same terms wait once.",
  work: 11,
  auth: "agent",
  surface: "wallet",
  ignoresUnknown: IGNORES_UNKNOWN,
  body: byMeans(inUsdc, inCredits),
  response: {
    200: signedV1.extend({ xPayment: z.union([signedV1.shape.xPayment, creditProof]) }),
    202: z.union([payeeRequired, approvalRequired]),
  },
  errors: refusals,
  example: { request: { mandateId: sample.MANDATE, ...sample.paymentRequest }, responses: { 200: sample.signedV1 } },
});

export const signV2 = endpoint({
  method: "POST",
  path: "/api/v2/payment/x402-payment",
  summary: "Sign one offer of an x402 v2 requirement under a mandate",
  description:
    "Send `paymentRequest`, or `paymentRequestB64` with the PAYMENT-REQUIRED header, unchanged. Returns the value of PAYMENT-SIGNATURE, for the first offer that the mandate can pay, and charges the mandate. Send `resource`, the URL that you called, if the seller names another: MCP servers name `mcp://` or `x402://`. The mandate's hosts are compared with it. 202 as for x402V3Payment.",
  work: 11,
  auth: "agent",
  surface: "wallet",
  body: offered,
  response: {
    200: z.object({
      status: ok,
      paymentPayloadB64: z.string(),
      paymentPayload: z.object({
        x402Version: z.literal(2),
        resource: z.unknown(),
        accepted: z.unknown(),
        payload,
        /** The extensions of the request. A declared payment-identifier gets the paymentRecordId as its id, unless it has one. */
        extensions: z.record(z.string(), z.unknown()).optional(),
      }),
      paymentRecordId: paymentId,
      expiresAt: z.number(),
    }),
    202: z.union([payeeRequired, approvalRequired]),
  },
  errors: offerRefusals,
  example: {
    request: {
      mandateId: sample.MANDATE,
      paymentRequest: { x402Version: 2, resource: resourceExample, accepts: [acceptedExample] },
    },
    responses: {
      200: {
        ...sample.OK,
        paymentPayloadB64: sample.ENCODED,
        paymentPayload: {
          x402Version: 2,
          resource: resourceExample,
          accepted: acceptedExample,
          payload: { signature: sample.SIGNATURE, authorization: sample.authorization },
        },
        paymentRecordId: sample.PAYMENT,
        expiresAt: sample.SOON_SECONDS,
      },
    },
  },
});

export const listPayments = endpoint({
  method: "GET",
  path: "/api/payments",
  summary: "Payments signed for the agent, newest first",
  description:
    "Every proof that was signed for the agent, also those that it never presented. `signed` still holds its amount of the budget; it becomes `expired` and gives the amount back, or `settled`.",
  work: 16,
  auth: "agent",
  surface: "wallet",
  query: z.object({ limit: pageSize(20), cursor: cursorText.optional() }),
  response: z.object({ status: ok, payments: z.array(paymentView), nextCursor: z.string().nullable() }),
  errors: {},
  example: { responses: { 200: { ...sample.OK, payments: [sample.payment], ...sample.LAST_PAGE } } },
});

/** The fields appear twice, as in a mandate's response. */
export const getPayment = endpoint({
  method: "GET",
  path: "/api/payments/{paymentRecordId}",
  summary: "One payment signed for the agent",
  description:
    "Read it after a lost connection, before you pay a second time: `settled` means that the money moved, `expired` that it never will. The members are in the response twice: directly, where `status` is that of the response, and in `payment`.",
  auth: "agent",
  surface: "wallet",
  params: z.object({ paymentRecordId: paymentId }),
  response: paymentView.extend({ status: ok, payment: paymentView }),
  errors: { payment_not_found },
  example: { responses: { 200: { ...sample.payment, ...sample.OK, payment: sample.payment } } },
});
