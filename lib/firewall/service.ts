import { createHash } from "node:crypto";
import { scanPrompt, scanTransaction, scanX402 } from "@tessera/firewall";
import type { Hex } from "viem";
import { z } from "zod";
import { type AgentId, newId, type ScanId } from "@/lib/core/ids";
import { parseForeignJson, parseJson } from "@/lib/core/json";
import { type Cursor, type CursorPage, cutAfter } from "@/lib/core/page";
import { SCAN_KINDS, type ScanKind } from "@/lib/core/scans";
import { balanceOf } from "@/lib/credits/service";
import { agentOfLabel } from "@/lib/identity/service";
import type { Agent, Ctx, System } from "@/lib/platform/context";
import type { Tx } from "@/lib/platform/db";
import type { Offer } from "@/lib/settlements/service";
import { type CreditRequirement, creditsWorth } from "@/lib/x402/credits";
import type { Requirement } from "@/lib/x402/requirement";
import { firewallErrors } from "./errors";
import { BODY_BYTES_MAX, promptRequest, transactionRequest, x402Request } from "./requests";
import * as store from "./store";

export { scanX402 } from "@tessera/firewall";
export type { Scan } from "./store";

/** A scan's verdict, as @tessera/firewall documents it. */
export type Result = ReturnType<typeof scanTransaction | typeof scanX402 | typeof scanPrompt>;

/** A request that was read. `result` scans it, once. */
export type ScanRequest = { kind: ScanKind; bodyHash: Hex; result: () => Result };

type Product = {
  name: string;
  description: string;
  /** Bytes on the wire. */
  bodyBytesMax: number;
  /** What reads its JSON. */
  parse: (text: string) => unknown;
  request: z.ZodType;
  read: (decode: Decode) => () => Result;
};

/** Makes of a body what a schema says, or throws what is wrong with it. */
type Decode = <S extends z.ZodType>(schema: S) => z.output<S>;

/** A schema together with the scan of what it reads. */
const product = <S extends z.ZodType>(
  about: Omit<Product, "request" | "read">,
  request: S,
  scan: (input: z.output<S>) => Result,
): Product => ({
  ...about,
  request,
  read: (decode) => {
    const input = decode(request);
    return () => scan(input);
  },
});

export const PRODUCTS: Record<ScanKind, Product> = {
  scan: product(
    {
      name: "Transaction scan",
      description: "Judges an unsigned EVM transaction before it is signed",
      bodyBytesMax: BODY_BYTES_MAX.transaction,
      parse: parseJson,
    },
    transactionRequest,
    scanTransaction,
  ),
  "x402-scan": product(
    {
      name: "x402 scan",
      description: "Judges the body of an unpaid 402 before it is paid",
      bodyBytesMax: BODY_BYTES_MAX.x402,
      // Somebody else's 402: what it names its members must not keep anybody from judging it.
      parse: parseForeignJson,
    },
    x402Request,
    scanX402,
  ),
  "prompt-scan": product(
    {
      name: "Prompt scan",
      description: "Looks for injected instructions and secrets in untrusted text",
      bodyBytesMax: BODY_BYTES_MAX.prompt,
      parse: parseJson,
    },
    promptRequest,
    scanPrompt,
  ),
};

/** Throws FIREWALL_NOT_FOUND. */
export function assertFirewall({ config }: System, firewallId: string): void {
  if (firewallId !== config.firewallId) throw firewallErrors.FIREWALL_NOT_FOUND();
}

export const pathOf = (firewallId: string, kind: ScanKind): `/${string}` =>
  `/api/transaction-firewall/${firewallId}/api/${kind}`;

export type Prices = { requirement: Requirement; inCredits: CreditRequirement };

/** What one scan costs, in USDC and in service credits; null when it is not offered. */
export function pricesOf({ config }: System, kind: ScanKind): Prices | null {
  const amount = config.firewallPrices[kind];
  if (amount === null) return null;
  const credits = creditsWorth(amount);
  if (credits === null) throw new Error(`the price of ${kind} is no whole number of cents`);
  const { description } = PRODUCTS[kind];
  const resource = `${config.baseUrl}${pathOf(config.firewallId, kind)}`;
  return {
    requirement: { network: "base", amount, payTo: config.treasury, resource, description },
    inCredits: { amount: credits, payTo: config.firewallId, resource, description },
  };
}

export type Sale = {
  offer: Offer;
  inCredits: CreditRequirement;
  /** Whether the owner of the agent that asks could pay in credits. */
  hasCredits: boolean;
  agentId: AgentId | null;
};

/**
 * What a scan asks for. `label` is what X-Agent-ID says: an agent's id or its login JWT; anything else is passed over.
 * Throws SCAN_NOT_OFFERED.
 */
export async function saleOf(system: System, kind: ScanKind, label: string | null): Promise<Sale> {
  const prices = pricesOf(system, kind);
  if (!prices) throw firewallErrors.SCAN_NOT_OFFERED();
  const agent = label ? await agentOfLabel(system, label) : null;
  const balance = agent?.ownerId ? await balanceOf(system.db, agent.ownerId) : 0n;
  return {
    offer: { purpose: "firewall", subject: newId("scan"), requirement: prices.requirement },
    inCredits: prices.inCredits,
    hasCredits: balance >= prices.inCredits.amount,
    agentId: agent?.agentId ?? null,
  };
}

/** What a body, as `text` and as `decode` reads it, asks of a scan. Throws what `decode` does. */
export function parseRequest(kind: ScanKind, text: string, decode: Decode): ScanRequest {
  const scan = PRODUCTS[kind].read(decode);
  const bodyHash: Hex = `0x${createHash("sha256").update(`${kind}\n${text}`).digest("hex")}`;
  let result: Result | undefined;
  return {
    kind,
    bodyHash,
    result: () => {
      result ??= scan();
      return result;
    },
  };
}

/** Scans, and returns what writes the scan down beside the payment it is for. */
export function scanned({ offer, agentId }: Sale, { kind, bodyHash, result }: ScanRequest, at: Date) {
  const { verdict, riskScore, findings, rulesetVersion } = result();
  return (tx: Tx, payment: store.ScanPayment): Promise<void> =>
    store.add(tx, {
      settlementId: null,
      paymentId: null,
      ...payment,
      // The subject of a scan's offer is the scan.
      scanId: offer.subject as ScanId,
      kind,
      bodyHash,
      agentId,
      verdict,
      riskScore,
      codes: [...new Set(findings.map(({ code }) => code))],
      rulesetVersion,
      createdAt: at,
    });
}

/** The verdict once more, when the payment is settled and was for exactly this request: its answer may have been lost. */
export async function resultFor(
  system: System,
  payment: store.ScanPayment,
  { bodyHash, result }: ScanRequest,
): Promise<{ result?: Result }> {
  return (await store.isPaid(system.db, payment, bodyHash)) ? { result: result() } : {};
}

/** Newest first: the paid scans that named the agent, whoever paid. */
export async function listForAgent(
  ctx: Ctx<Agent>,
  page: { after?: Cursor | undefined; limit: number },
): Promise<CursorPage<store.Scan>> {
  const rows = await store.listForAgent(ctx.db, ctx.actor.agentId, { ...page, limit: page.limit + 1 });
  return cutAfter(rows, page.limit, ({ createdAt, scanId }) => ({ at: createdAt, id: scanId }));
}

/** Whether `url` is that of a scan, which can be paid for. */
export const isScanUrl = (system: System, url: string): boolean =>
  SCAN_KINDS.some((kind) => pricesOf(system, kind)?.requirement.resource === url);

/** What the discovery document tells of each scan. */
export const offers = (system: System) =>
  SCAN_KINDS.map((kind) => {
    const { config } = system;
    const path = pathOf(config.firewallId, kind);
    const { description, bodyBytesMax, request } = PRODUCTS[kind];
    const prices = pricesOf(system, kind);
    const inputSchema = z.toJSONSchema(request, { io: "input" });
    return { path, url: `${config.baseUrl}${path}`, description, bodyBytesMax, inputSchema, prices };
  });

export type OfferedScan = ReturnType<typeof offers>[number];
