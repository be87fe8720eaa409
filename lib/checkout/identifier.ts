import { createHash } from "node:crypto";
import type { Hex } from "viem";
import type { Ctx } from "@/lib/platform/context";
import type { Tx } from "@/lib/platform/db";
import type { Claimed } from "@/lib/settlements/admission";
import { settlementErrors } from "@/lib/settlements/errors";
import { isOpen } from "@/lib/settlements/rules";
import { alreadyUsed, type SaleOffer, type Settlement, waitForEnd } from "@/lib/settlements/service";
import { paymentIdOf } from "@/lib/x402/payment-identifier";
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

/** A proof with its identifier, and what its request buys. */
export type Identified = {
  proof: Proof;
  idHash: Hex | null;
  offer: SaleOffer;
  isSame: SamePurchase | undefined;
  isBuyer: ((id: Settlement["id"]) => Promise<boolean>) | undefined;
};

/** The settlement that an earlier request with this identifier claimed; null when the identifier is new or missing. */
const findSettlementId = (ctx: Ctx, { proof, idHash }: Identified): Promise<Settlement["id"] | null> | null =>
  idHash && store.findByIdentifier(ctx.db, { payer: proof.authorization.from, idHash });

/** For a proof that is new. Throws PAYMENT_IDENTIFIER_REUSED when its identifier belongs to another proof. */
export async function assertNewIdentifier(ctx: Ctx, identified: Identified): Promise<void> {
  const settlementId = await findSettlementId(ctx, identified);
  if (settlementId) throw settlementErrors.PAYMENT_IDENTIFIER_REUSED({ settlementId });
}

/**
 * For a proof that was already claimed: waits for the end of its settlement and returns it. Only the identifier, or `isBuyer`, shows that
 * the request is by the payer, because anyone can read a submitted proof on the chain. Throws PAYMENT_IDENTIFIER_REUSED when the
 * identifier belongs to another proof or purchase, and PAYMENT_ALREADY_USED when it is unknown or missing.
 */
export async function earlierPurchase(
  ctx: Ctx,
  identified: Identified,
  { type, settlement }: Claimed,
): Promise<Settlement> {
  const { offer, isSame } = identified;
  const settlementId = (await findSettlementId(ctx, identified)) ?? (await unidentified(identified, settlement));
  if (!settlementId) throw alreadyUsed(settlement);
  const isSamePurchase = isSame ?? (async () => settlement.subject === offer.subject);
  const isRepeated = type === "same" && settlement.id === settlementId && settlement.purpose === offer.purpose;
  if (!isRepeated || !(await isSamePurchase(settlement))) {
    if (identified.idHash === null) throw alreadyUsed(settlement);
    throw settlementErrors.PAYMENT_IDENTIFIER_REUSED({ settlementId });
  }
  return isOpen(settlement) ? waitForEnd(ctx, settlementId, ctx.config.settleWaitSeconds) : settlement;
}

/** The settlement of a proof without identifier whose sender may be its buyer. */
const unidentified = async ({ idHash, isBuyer }: Identified, { id }: Settlement): Promise<Settlement["id"] | null> =>
  idHash === null && isBuyer && (await isBuyer(id)) ? id : null;

/** Stores the identifier in the claim's transaction. Throws PAYMENT_IDENTIFIER_REUSED when another request stored it first. */
export const rememberIdentifier =
  (ctx: Ctx, { authorization }: Proof, idHash: Hex | null) =>
  async (tx: Tx, settlementId: Settlement["id"]): Promise<void> => {
    if (idHash === null) return;
    const row = { payer: authorization.from, idHash, settlementId, createdAt: ctx.now() };
    if (!(await store.addIdentifier(tx, row))) throw settlementErrors.PAYMENT_IDENTIFIER_REUSED();
  };
