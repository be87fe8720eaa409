import { RULESET_VERSION } from "@tessera/firewall";
import { z } from "zod";
import { endpoint } from "@/lib/core/endpoint";
import { withJsonForm } from "@/lib/core/json-forms";
import { formatUsdc } from "@/lib/core/money";
import { type CursorPage, cursorText, encodeCursor } from "@/lib/core/page";
import { SCAN_KINDS } from "@/lib/core/scans";
import { isoDate } from "@/lib/core/time-text";
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

export const discoverFirewall = endpoint({
  method: "GET",
  path: "/api/transaction-firewall/{firewallId}",
  summary: "The firewall's scans: prices, limits, inputs and payment methods",
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
  auth: "agent",
  surface: "wallet",
  query: z.object({
    limit: z.coerce.number("must be given once").int().min(1).max(PAGE_MAX).default(20),
    cursor: cursorText.optional(),
  }),
  response: z.object({ status: z.literal("ok"), scans: z.array(scan), nextCursor: z.string().nullable() }),
  errors: {},
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

/** The handler reads the body itself: a request without a payment gets the price, whatever its body. */
const definePaidScan = <P extends `/${string}`>(path: P, summary: string, paidBody: z.ZodType, bodyBytesMax: number) =>
  endpoint({
    method: "POST",
    path,
    summary,
    stores: "paid",
    auth: "none",
    surface: "resource",
    work: 4,
    params,
    paidBody,
    bodyBytesMax,
    headers: { "X-Agent-ID": "The agent that the scan is recorded for; its owner's scans list it" },
    response: paymentResponses(verdict, { instructions: z.string() }, CREDIT_REFUSALS),
    errors: { ...firewallErrors.table, ...proofErrors },
  });

export const scanTransactionSold = definePaidScan(
  "/api/transaction-firewall/{firewallId}/api/scan",
  "Scan a transaction; paid by x402",
  transactionRequest,
  BODY_BYTES_MAX.transaction,
);
export const scanX402Sold = definePaidScan(
  "/api/transaction-firewall/{firewallId}/api/x402-scan",
  "Scan an x402 payment requirement; paid by x402",
  x402Request,
  BODY_BYTES_MAX.x402,
);
export const scanPromptSold = definePaidScan(
  "/api/transaction-firewall/{firewallId}/api/prompt-scan",
  "Scan untrusted text; paid by x402",
  promptRequest,
  BODY_BYTES_MAX.prompt,
);
