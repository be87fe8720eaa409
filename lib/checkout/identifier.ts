import { createHash } from "node:crypto";
import type { Hex } from "viem";
import type { Ctx } from "@/lib/platform/context";
import type { Tx } from "@/lib/platform/db";
import { settlementErrors } from "@/lib/settlements/errors";
import { isOpen } from "@/lib/settlements/rules";
import { get, isSignedByPayer, type Offer, type Settlement, waitForEnd } from "@/lib/settlements/service";
import { networkNamed } from "@/lib/x402/networks";
import { paymentIdOf } from "@/lib/x402/payment-id";
import type { Proof } from "@/lib/x402/proof";
import * as store from "./store";

/** Whether a settlement paid for what the request buys now. */
export type SamePurchase = (settlement: Settlement) => Promise<boolean>;

/** The payment identifier of a proof, hashed; null if it has none. Throws PAYMENT_IDENTIFIER_INVALID. */
export function identifierOf({ extensions }: Proof): Hex | null {
  const identifier = paymentIdOf(extensions);
  if (identifier === "invalid") throw settlementErrors.PAYMENT_IDENTIFIER_INVALID();
  return identifier && `0x${createHash("sha256").update(identifier.id).digest("hex")}`;
}

/**
 * The settlement that an earlier request with this identifier claimed, after waiting for its end like the first request; null
 * when the identifier is new. The id is a secret of the payer, unlike the proof, which anybody can read on the chain once
 * it was submitted. Throws PAYMENT_IDENTIFIER_REUSED when the identifier belongs to another proof or another purchase.
 */
export async function findEarlier(
  ctx: Ctx,
  proof: Proof,
  idHash: Hex | null,
  { offer, isSame }: { offer: Offer; isSame: SamePurchase | undefined },
): Promise<Settlement | null> {
  const network = networkNamed(proof.network)?.name;
  const settlementId = idHash && (await store.findByIdentifier(ctx.db, { payer: proof.authorization.from, idHash }));
  if (!settlementId || !network || !(await isSignedByPayer(ctx, { ...proof, network }))) return null;
  const earlier = await get(ctx, settlementId);
  const isSameProof = earlier.network === network && earlier.nonce === proof.authorization.nonce;
  const isSamePurchase = isSame ?? (async () => earlier.subject === offer.subject);
  if (!isSameProof || earlier.purpose !== offer.purpose || !(await isSamePurchase(earlier))) {
    throw settlementErrors.PAYMENT_IDENTIFIER_REUSED({ settlementId });
  }
  return isOpen(earlier) ? waitForEnd(ctx, settlementId, ctx.config.settleWaitSeconds) : earlier;
}

/** Stores the identifier in the claim's transaction. Throws PAYMENT_IDENTIFIER_REUSED when another request was faster. */
export const rememberIdentifier =
  (ctx: Ctx, { authorization }: Proof, idHash: Hex | null) =>
  async (tx: Tx, settlementId: Settlement["id"]): Promise<void> => {
    if (idHash === null) return;
    const row = { payer: authorization.from, idHash, settlementId, createdAt: ctx.now() };
    if (!(await store.addIdentifier(tx, row))) throw settlementErrors.PAYMENT_IDENTIFIER_REUSED();
  };
