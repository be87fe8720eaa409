import { signX402Receipt } from "@/lib/identity/service";
import type { Ctx } from "@/lib/platform/context";
import type { Settlement } from "@/lib/settlements/service";
import { receiptPayload, signedReceipt } from "@/lib/x402/offer-receipt";
import { type PaymentChallenge, paymentReceipt } from "@/lib/x402/payment-auth";

/** The `extensions` of a settled payment. Empty when signing fails: the money has moved, so the response must still succeed. */
export async function receiptExtension(
  ctx: Ctx,
  { id, endedAt, ...payment }: Settlement,
): Promise<{ extensions?: object }> {
  if (endedAt === null) return {};
  try {
    const jws = await signX402Receipt(ctx, receiptPayload({ ...payment, settledAt: endedAt }));
    return { extensions: signedReceipt(jws) };
  } catch (err) {
    ctx.log.error({ settlementId: id, err }, "receipt.signing_failed");
    return {};
  }
}

/** The header of a settled payment that answered a challenge. */
export function credentialReceipt(
  { endedAt, txHash, network }: Settlement,
  { id }: PaymentChallenge,
): Record<string, string> {
  if (endedAt === null || txHash === null) return {};
  return { "Payment-Receipt": paymentReceipt({ challengeId: id, network, txHash, settledAt: endedAt }) };
}
