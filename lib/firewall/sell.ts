import { AppError } from "@/lib/core/errors";
import type { PaymentId } from "@/lib/core/ids";
import type { ScanKind } from "@/lib/core/scans";
import { jsonOf, readText } from "@/lib/http/body";
import { limitAddress } from "@/lib/http/door";
import { type Answers, assertUnusedProof, paid, paymentHeader, paymentRequired } from "@/lib/http/paid";
import { decode } from "@/lib/http/route";
import { assertUnusedCredits, takeCredits } from "@/lib/payments/credits";
import { settlementErrors } from "@/lib/settlements/errors";
import type { Ctx } from "@/lib/wiring";
import { creditJws, creditResponse } from "@/lib/x402/credit-proof";
import { creditRequirementV1 } from "@/lib/x402/credits";
import * as firewall from "./service";

const ASK_AGAIN =
  "Once the settlement is settled, send the same proof with the same body again, and the verdict is in result";

/**
 * Sells a scan. Without a payment every request is told the price, whatever its body; with one the body is read first, so
 * that nobody pays for a request that cannot be answered, and the verdict is given once the payment has settled. A proof
 * that is presented again is refused as ever, but with the same body it is told what it paid for, in `result`.
 */
export async function sell(ctx: Ctx, req: Request, { firewallId, kind }: { firewallId: string; kind: ScanKind }) {
  firewall.assertFirewall(ctx, firewallId);
  const header = paymentHeader(req);
  const sale = await firewall.saleOf(ctx, kind, req.headers.get("x-agent-id")).catch(async (thrown: unknown) => {
    if (header) await assertUnused(ctx, req, kind, header);
    throw thrown;
  });
  const others = sale.hasCredits ? [creditRequirementV1(sale.inCredits)] : [];
  if (!header) return paymentRequired(sale.offer.requirement, { others });
  const asked = await read(req, kind);
  const jws = creditJws(header);
  if (jws !== null) {
    await limitAddress(ctx, req);
    return sellForCredits(ctx, jws, { sale, asked, others });
  }
  return paid(ctx, req, sale.offer, {
    accepted: () => {
      const write = firewall.scanned(sale, asked, ctx.now());
      return (tx, settlementId) => write(tx, { settlementId });
    },
    settled: () => asked.result(),
    pending: () => ({ instructions: ASK_AGAIN }),
    again: (settlementId) => firewall.resultFor(ctx, { settlementId }, asked),
    others,
  });
}

async function read(req: Request, kind: ScanKind): Promise<firewall.Asked> {
  const { bodyBytesMax, parse } = firewall.PRODUCTS[kind];
  const text = await readText(req, bodyBytesMax);
  return firewall.asked(kind, text, (schema) => decode(schema, jsonOf(text, parse)));
}

/** Whoever paid for a scan that is no longer offered is told so, and what it came to. */
async function assertUnused(ctx: Ctx, req: Request, kind: ScanKind, header: string): Promise<void> {
  const asked = await read(req, kind).catch((refused: unknown) => {
    // A body that cannot be read is not what was paid for.
    if (AppError.is(refused)) return null;
    throw refused;
  });
  const jws = creditJws(header);
  if (jws === null)
    return assertUnusedProof(ctx, req, async (settlementId) =>
      asked ? firewall.resultFor(ctx, { settlementId }, asked) : {},
    );
  await assertUnusedCredits(ctx, jws).catch((thrown) => throwWithResult(ctx, asked, thrown));
}

type Selling = { sale: firewall.Sale; asked: firewall.Asked } & Pick<Answers, "others">;

async function sellForCredits(ctx: Ctx, jws: string, { sale, asked, others }: Selling): Promise<Response> {
  const taken = await takeCredits(ctx, jws, sale.inCredits, (paymentId) => {
    const write = firewall.scanned(sale, asked, ctx.now());
    return (tx) => write(tx, { paymentId });
  }).catch((thrown) => throwWithResult(ctx, asked, thrown));
  if (typeof taken === "string") return paymentRequired(sale.offer.requirement, { refusal: taken, others });
  const res = Response.json(asked.result());
  const receipt = creditResponse(taken.transactionId, taken.payer);
  for (const name of ["X-PAYMENT-RESPONSE", "PAYMENT-RESPONSE"]) res.headers.set(name, receipt);
  return res;
}

/** Throws what was thrown; of a proof that was used before, with the verdict it paid for. */
async function throwWithResult(ctx: Ctx, asked: firewall.Asked | null, thrown: unknown): Promise<never> {
  if (!AppError.is(thrown) || thrown.code !== "PAYMENT_ALREADY_USED" || !asked) throw thrown;
  const { details } = thrown;
  // The payment that the proof was signed for.
  const paymentId = details?.paymentRecordId as PaymentId;
  const found = await firewall.resultFor(ctx, { paymentId }, asked);
  throw settlementErrors.PAYMENT_ALREADY_USED({ ...details, ...found });
}
