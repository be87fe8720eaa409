import { limitAddress } from "@/lib/checkout/door";
import { type PaymentHeader, paymentHeader } from "@/lib/checkout/presented";
import { paymentRequired } from "@/lib/checkout/required";
import { assertUnusedProof, type PaymentReply, sellOffer } from "@/lib/checkout/sell-offer";
import { reply } from "@/lib/core/endpoint";
import { AppError } from "@/lib/core/errors";
import type { PaymentId } from "@/lib/core/ids";
import type { ScanKind } from "@/lib/core/scans";
import { jsonOf, readText } from "@/lib/http/body";
import { decodeBody } from "@/lib/http/route";
import { assertUnusedCredits, takeCredits } from "@/lib/payments/credits";
import { settlementErrors } from "@/lib/settlements/errors";
import type { Ctx } from "@/lib/wiring";
import { creditJws, creditResponse } from "@/lib/x402/credit-proof";
import { creditRequirementV1 } from "@/lib/x402/credits";
import * as firewall from "./service";

const INSTRUCTIONS =
  "Once the settlement is settled, send the same proof with the same body again. The response then contains the verdict in result";

/**
 * Sells a scan. Every request without a payment gets the price, whatever its body. With a payment, the body is read first, so
 * that a request that cannot be processed costs nothing; the verdict is sent when the payment has settled. A used proof is
 * rejected as usual; with the same body, the error contains the verdict it paid for, in `result`.
 */
export async function sell(
  ctx: Ctx,
  req: Request,
  { firewallId, kind }: { firewallId: string; kind: ScanKind },
): Promise<ScanReply> {
  firewall.assertFirewall(ctx, firewallId);
  const header = paymentHeader(req);
  const sale = await firewall.saleOf(ctx, kind, req.headers.get("x-agent-id")).catch(async (error: unknown) => {
    if (header) await assertUnused(ctx, req, kind, header);
    throw error;
  });
  const creditRequirements = sale.hasCredits ? [creditRequirementV1(sale.inCredits)] : [];
  if (!header) return paymentRequired(ctx, sale.offer.requirement, { others: creditRequirements });
  const request = await readRequest(req, kind);
  const jws = creditJws(header.text);
  if (jws !== null) {
    await limitAddress(ctx, req);
    return sellForCredits(ctx, jws, { sale, request, others: creditRequirements });
  }
  return sellOffer(ctx, req, sale.offer, {
    onClaim: () => {
      const scanOf = firewall.scanned(sale, request, ctx.now());
      return (tx, settlementId) => firewall.addScans(tx, [scanOf({ type: "usdc", settlementId })]);
    },
    onSettled: () => request.result(),
    onPending: () => ({ instructions: INSTRUCTIONS }),
    isSame: ({ id }) => firewall.isPaymentFor(ctx, id, request),
    onReplay: (settlementId) => firewall.resultFor(ctx, { type: "usdc", settlementId }, request),
    others: creditRequirements,
  });
}

async function readRequest(req: Request, kind: ScanKind): Promise<firewall.ScanRequest> {
  const { bodyBytesMax, parse } = firewall.PRODUCTS[kind];
  const text = await readText(req, bodyBytesMax);
  return firewall.parseRequest(kind, text, (schema) => decodeBody(schema, jsonOf(text, parse)));
}

/** Reports a used proof, with its verdict, for a scan that is no longer offered. */
async function assertUnused(ctx: Ctx, req: Request, kind: ScanKind, header: PaymentHeader): Promise<void> {
  const request = await readRequest(req, kind).catch((error: unknown) => {
    // An unreadable body was never paid for.
    if (error instanceof AppError) return null;
    throw error;
  });
  const jws = creditJws(header.text);
  if (jws === null)
    return assertUnusedProof(ctx, req, async (settlementId) =>
      request ? firewall.resultFor(ctx, { type: "usdc", settlementId }, request) : {},
    );
  await assertUnusedCredits(ctx, jws).catch((error) => throwWithResult(ctx, request, error));
}

type ScanReply = PaymentReply<firewall.ScanResult, { instructions: string }>;
type Selling = {
  sale: firewall.ScanSale;
  request: firewall.ScanRequest;
  others: readonly ReturnType<typeof creditRequirementV1>[];
};

async function sellForCredits(
  ctx: Ctx,
  jws: string,
  { sale, request, others: creditRequirements }: Selling,
): Promise<ScanReply> {
  const creditPayment = await takeCredits(ctx, jws, sale.inCredits, (paymentId) => ({
    row: firewall.scanned(sale, request, ctx.now())({ type: "credits", paymentId }),
    add: firewall.addScans,
  })).catch((error) => throwWithResult(ctx, request, error));
  if (creditPayment.type === "refused")
    return paymentRequired(ctx, sale.offer.requirement, { refusal: creditPayment.code, others: creditRequirements });
  const receipt = creditResponse(creditPayment.paid.transactionId, creditPayment.paid.payer);
  const headers = { "X-PAYMENT-RESPONSE": receipt, "PAYMENT-RESPONSE": receipt };
  return reply(200, request.result(), { headers });
}

/** Rethrows; adds the verdict that was paid for to PAYMENT_ALREADY_USED. */
async function throwWithResult(ctx: Ctx, request: firewall.ScanRequest | null, error: unknown): Promise<never> {
  if (!(error instanceof AppError) || error.code !== "PAYMENT_ALREADY_USED" || !request) throw error;
  const { details } = error;
  // The payment that the proof was signed for.
  const paymentId = details?.paymentRecordId as PaymentId;
  const scanResult = await firewall.resultFor(ctx, { type: "credits", paymentId }, request);
  throw settlementErrors.PAYMENT_ALREADY_USED({ ...details, ...scanResult });
}
