import { AppError } from "@/lib/core/errors";
import type { PaymentId } from "@/lib/core/ids";
import type { ScanKind } from "@/lib/core/scans";
import * as firewall from "@/lib/firewall/service";
import { readJson } from "@/lib/http/body";
import { type Answers, paid, paymentHeader, paymentRequired } from "@/lib/http/paid";
import { decode } from "@/lib/http/route";
import { takeCredits } from "@/lib/payments/credits";
import { settlementErrors } from "@/lib/settlements/errors";
import type { Ctx } from "@/lib/wiring";
import { creditJws, creditResponse } from "@/lib/x402/credit-proof";
import { creditRequirementV1 } from "@/lib/x402/credits";

/**
 * Sells a scan. Without a payment every request is told the price, whatever its body; with one the body is read first, so
 * that nobody pays for a request that cannot be answered, and the verdict is given once the payment has settled. A proof
 * that is presented again is refused as ever, but with the same body it is told what it paid for, in `result`.
 */
export async function sell(ctx: Ctx, req: Request, { firewallId, kind }: { firewallId: string; kind: ScanKind }) {
  firewall.assertFirewall(ctx, firewallId);
  const sale = await firewall.saleOf(ctx, kind, req.headers.get("x-agent-id"));
  const others = sale.hasCredits ? [creditRequirementV1(sale.inCredits)] : [];
  const header = paymentHeader(req);
  if (!header) return paymentRequired(sale.offer.requirement, { others });
  const asked = firewall.asked(kind, await readJson(req, firewall.PRODUCTS[kind].bodyBytesMax), decode);
  const jws = creditJws(header);
  if (jws !== null) return sellForCredits(ctx, jws, { sale, asked, others });
  return paid(ctx, req, sale.offer, {
    accepted: () => {
      const write = firewall.scanned(sale, asked, ctx.now());
      return (tx, settlementId) => write(tx, { settlementId });
    },
    settled: () => asked.result(),
    again: (settlementId) => firewall.resultFor(ctx, { settlementId }, asked),
    others,
  });
}

type Selling = { sale: firewall.Sale; asked: firewall.Asked } & Pick<Answers, "others">;

async function sellForCredits(ctx: Ctx, jws: string, { sale, asked, others }: Selling): Promise<Response> {
  const taken = await takeCredits(ctx, jws, sale.inCredits, (paymentId) => {
    const write = firewall.scanned(sale, asked, ctx.now());
    return (tx) => write(tx, { paymentId });
  }).catch(async (thrown: unknown) => {
    if (!(thrown instanceof AppError) || thrown.code !== "PAYMENT_ALREADY_USED") throw thrown;
    const { details } = thrown;
    // The payment that the proof was signed for.
    const paymentId = details?.paymentRecordId as PaymentId;
    throw settlementErrors.PAYMENT_ALREADY_USED({
      ...details,
      ...(await firewall.resultFor(ctx, { paymentId }, asked)),
    });
  });
  if (typeof taken === "string") return paymentRequired(sale.offer.requirement, { refusal: taken, others });
  const res = Response.json(asked.result());
  const receipt = creditResponse(taken.transactionId, taken.payer);
  for (const name of ["X-PAYMENT-RESPONSE", "PAYMENT-RESPONSE"]) res.headers.set(name, receipt);
  return res;
}
