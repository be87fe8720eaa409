import { RULESET_VERSION } from "@tessera/firewall";
import { z } from "zod";
import { endpoint } from "@/lib/core/endpoint";
import { withJsonForm } from "@/lib/core/json-forms";
import { formatUsdc } from "@/lib/core/money";
import { type CursorPage, cursorText, encodeCursor } from "@/lib/core/page";
import { SCAN_KINDS } from "@/lib/core/scans";
import { isoDate } from "@/lib/core/time-text";
import * as sample from "@/lib/samples";
import { proofErrors } from "@/lib/settlements/errors";
import { CREDIT_REFUSALS, paymentResponses } from "@/lib/settlements/responses";
import { CREDITS, creditRequirementV1 } from "@/lib/x402/credits";
import { DEFAULT_NETWORK } from "@/lib/x402/networks";
import { requirementV1 } from "@/lib/x402/requirement";
import { firewallErrors } from "./errors";
import { BODY_BYTES_MAX, promptRequest, transactionRequest, x402Request } from "./requests";
import type { OfferedScan, ScanResult } from "./service";
import type { Scan } from "./store";

const params = z.object({ firewallId: z.string() });

const offered = z.object({
  path: z.string(),
  url: z.string(),
  method: z.literal("POST"),
  description: z.string(),
  price: z.string().nullable(),
  currency: z.literal("USDC"),
  priceAtomic: z.string().nullable(),
  /** Hundredths of a credit. */
  priceCredits: z.string().nullable(),
  enabled: z.boolean(),
  bodyLimitBytes: z.int(),
  inputSchema: z.unknown(),
  paymentOptions: z.array(z.unknown()),
});

const scanPathExample = `/api/transaction-firewall/${sample.FIREWALL}/api/prompt-scan`;

export const discoverFirewall = endpoint({
  method: "GET",
  path: "/api/transaction-firewall/{firewallId}",
  summary: "The firewall's scans: prices, limits, inputs and payment methods",
  description:
    "Read it once to learn which scans are enabled and what they cost, in USDC and in service credits. It is free. `inputSchema` is the JSON Schema of a scan's body.",
  auth: "none",
  surface: "resource",
  params,
  work: 4,
  response: z.object({
    name: z.string(),
    version: z.string(),
    description: z.string(),
    firewallId: z.string(),
    rulesetVersion: z.string(),
    endpoints: z.array(offered),
    networks: z.array(z.string()),
    paymentRequired: z.literal(true),
  }),
  errors: { FIREWALL_NOT_FOUND: firewallErrors.table.FIREWALL_NOT_FOUND },
  example: {
    responses: {
      200: {
        name: "Tessera firewall",
        version: "2",
        description: "Deterministic scanners",
        firewallId: sample.FIREWALL,
        rulesetVersion: "2+4f2a9c1b",
        endpoints: [
          {
            path: scanPathExample,
            url: `${sample.ORIGIN}${scanPathExample}`,
            method: "POST",
            description: "Scan untrusted text",
            price: "0.01",
            currency: "USDC",
            priceAtomic: "10000",
            priceCredits: "1",
            enabled: true,
            bodyLimitBytes: 32_768,
            inputSchema: { type: "object" },
            paymentOptions: [],
          },
        ],
        networks: [sample.NETWORK, "service-credits"],
        paymentRequired: true,
      },
    },
  },
});

export type Discovery = z.output<typeof discoverFirewall.response>;

const toOfferView = ({ prices, bodyBytesMax, ...offer }: OfferedScan): z.output<typeof offered> => ({
  ...offer,
  method: "POST",
  price: prices === null ? null : formatUsdc(prices.requirement.amount),
  currency: "USDC",
  priceAtomic: prices?.requirement.amount.toString() ?? null,
  priceCredits: prices?.inCredits.amount.toString() ?? null,
  enabled: prices !== null,
  bodyLimitBytes: bodyBytesMax,
  paymentOptions: prices ? [requirementV1(prices.requirement), creditRequirementV1(prices.inCredits)] : [],
});

export const toDiscoveryResponse = (firewallId: string, offers: readonly OfferedScan[]): Discovery => ({
  name: "Tessera firewall",
  version: RULESET_VERSION.split("+")[0] ?? RULESET_VERSION,
  description:
    "Deterministic scanners of transactions, x402 payment requirements and prompts. Each call is paid by x402; a call that is refused costs nothing.",
  firewallId,
  rulesetVersion: RULESET_VERSION,
  endpoints: offers.map(toOfferView),
  networks: [DEFAULT_NETWORK, CREDITS.network],
  paymentRequired: true,
});

const scan = z.object({
  scanId: z.string(),
  kind: z.enum(SCAN_KINDS),
  verdict: z.enum(["pass", "review", "block"]),
  riskScore: z.int(),
  codes: z.array(z.string()),
  rulesetVersion: z.string(),
  /** The payment for the scan: either `settlementId` or `paymentRecordId` is set. */
  settlementId: z.string().nullable(),
  paymentRecordId: z.string().nullable(),
  createdAt: isoDate,
});

const PAGE_MAX = 100;

export const listScans = endpoint({
  method: "GET",
  path: "/api/firewall/scans",
  summary: "Paid scans that named the agent in X-Agent-ID, newest first",
  description:
    "Scans that somebody else paid for are listed too, if they named the agent. The scanned text is not stored, only the verdict and its codes.",
  auth: "agent",
  surface: "wallet",
  query: z.object({
    limit: z.coerce.number("must be given once").int().min(1).max(PAGE_MAX).default(20),
    cursor: cursorText.optional(),
  }),
  response: z.object({ status: z.literal("ok"), scans: z.array(scan), nextCursor: z.string().nullable() }),
  errors: {},
  example: {
    responses: {
      200: {
        ...sample.OK,
        scans: [
          {
            scanId: sample.SCAN,
            kind: "prompt-scan",
            verdict: "pass",
            riskScore: 0,
            codes: [],
            rulesetVersion: "2+4f2a9c1b",
            settlementId: sample.SETTLEMENT,
            paymentRecordId: null,
            createdAt: sample.CREATED,
          },
        ],
        ...sample.LAST_PAGE,
      },
    },
  },
});

export const toScansResponse = ({ rows, next }: CursorPage<Scan>): z.output<typeof listScans.response> => ({
  status: "ok",
  scans: rows.map(({ paymentId: paymentRecordId, agentId: _, bodyHash: __, ...row }) => ({ ...row, paymentRecordId })),
  nextCursor: next && encodeCursor(next),
});

const finding = z.object({
  severity: z.enum(["low", "medium", "high", "critical"]),
  code: z.string(),
  message: z.string(),
  /** A place in the text, in UTF-16 units; `end` is exclusive. */
  span: z.object({ start: z.int(), end: z.int() }).optional(),
  field: z.string().optional(),
});

/** Sent as the scanner returns it, without validation: the payment has been taken, so encoding must not fail. */
const verdict = withJsonForm(
  z.custom<ScanResult>(),
  z.looseObject({
    verdict: z.enum(["pass", "review", "block"]),
    riskScore: z.int().min(0).max(100),
    findings: z.array(finding).max(50),
    limitations: z.string(),
  }),
);

const SOLD =
  "Anybody may buy it. Without a payment, the answer is 402 with the price, whatever the body; send the same body with the proof. A request that is refused costs nothing.";

type PaidScan<P> = {
  path: P;
  summary: string;
  does: string;
  paidBody: z.ZodType;
  bodyBytesMax: number;
  /** An example of `paidBody`. */
  request: object;
};

/** The handler reads the body itself: a request without a payment gets the price, whatever its body. */
const definePaidScan = <P extends `/${string}`>({ does, request, ...scan }: PaidScan<P>) =>
  endpoint({
    method: "POST",
    ...scan,
    description: `${does} ${SOLD}`,
    stores: "paid",
    auth: "none",
    surface: "resource",
    work: 4,
    params,
    headers: { "X-Agent-ID": "The agent that the scan is recorded for; its owner's scans list it" },
    response: paymentResponses(verdict, { instructions: z.string() }, CREDIT_REFUSALS),
    errors: { ...firewallErrors.table, ...proofErrors },
    example: {
      request,
      responses: {
        200: {
          verdict: "pass",
          riskScore: 0,
          findings: [],
          limitations: "The scan reads the text only. It does not follow links.",
        },
        202: { ...sample.pending, instructions: "Send the same request again with the same proof." },
      },
    },
  });

export const scanTransactionSold = definePaidScan({
  path: "/api/transaction-firewall/{firewallId}/api/scan",
  summary: "Scan a transaction; paid by x402",
  does: "Says what a transaction would do before somebody signs it, for example an approval without limit.",
  paidBody: transactionRequest,
  bodyBytesMax: BODY_BYTES_MAX.transaction,
  request: { chainId: 8453, to: sample.USDC, data: "0xa9059cbb" },
});

export const scanX402Sold = definePaidScan({
  path: "/api/transaction-firewall/{firewallId}/api/x402-scan",
  summary: "Scan an x402 payment requirement; paid by x402",
  does: "Compares a seller's 402 with what you mean to pay.",
  paidBody: x402Request,
  bodyBytesMax: BODY_BYTES_MAX.x402,
  request: {
    paymentRequired: { x402Version: 2, accepts: [sample.acceptedOffer] },
    expected: { network: sample.NETWORK, maxAmountAtomic: "10000", payTo: sample.SELLER },
  },
});

export const scanPromptSold = definePaidScan({
  path: "/api/transaction-firewall/{firewallId}/api/prompt-scan",
  summary: "Scan untrusted text; paid by x402",
  does: "Finds instructions that a text hides for a model.",
  paidBody: promptRequest,
  bodyBytesMax: BODY_BYTES_MAX.prompt,
  request: { text: "The weather in Bern is fine today." },
});
