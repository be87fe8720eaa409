import type { PayoutId } from "@/lib/core/ids";
import { subtract, type Usdc } from "@/lib/core/money";
import type { System } from "@/lib/platform/context";
import type { Tx } from "@/lib/platform/db";
import type { Transfer } from "@/lib/platform/subscriber";
import { assertOwnerPays, assertPayable } from "@/lib/screening/service";
import { claimTogether, pastTransfers, sumUnended } from "@/lib/settlements/service";
import * as wallets from "@/lib/wallets/service";
import type { Authorization } from "@/lib/x402/authorization";
import { payoutErrors } from "../errors";
import type { Payout, SplitLeg } from "../rules";
import type * as store from "../store";

export type SettlementIds = Parameters<typeof store.assignSettlements>[2];
/** The claimed transfers, in the order of the legs. `isPast`: the chain has paid them already. */
export type ClaimedLegs = {
  settlementIds: SettlementIds;
  authorizations: readonly Authorization[];
  claimedAt: Date;
  isPast: boolean;
};

type LegsToClaim = {
  amount: Usdc;
  legs: readonly SplitLeg[];
  id: PayoutId;
  payoutId?: string | undefined;
  agentId: Payout["agentId"];
};

/**
 * Signs and claims every leg from `wallet`; `onClaimed` runs in the transaction of the claim. After a restore from a backup
 * the chain can show transfers of this payoutId that the database does not know: they are then recorded as paid. Throws
 * insufficient_balance, payout_conflict if something else was paid under this payoutId, SETTLEMENT_UNKNOWN, and
 * PAYMENT_ALREADY_USED if the same payout was claimed at the same moment, and payee_denied.
 * Why: docs/decisions.md, 77.
 */
export async function claimLegs(
  system: System,
  wallet: wallets.Wallet,
  { id, payoutId = id, agentId, amount, legs }: LegsToClaim,
  onClaimed: (tx: Tx, claimed: ClaimedLegs) => Promise<void>,
): Promise<void> {
  const purpose = { purpose: "payout", subject: id, resource: "", description: "Payout" } as const;
  const signed = legs.map(({ toAddress: to, amount }, index) => {
    const nonce = nonceOf(system, wallet, { payoutId, agentId }, index);
    return wallets.signedClaim(system, wallet, { ...purpose, agentId: agentId ?? undefined, to, amount, nonce });
  });
  const past = await findPastTransfers(system, wallet, { payoutId, agentId, legs });
  const payees = legs.map((leg) => leg.toAddress);
  // Denied payees were let through if the chain showed these transfers then: their block may have been replaced.
  if (past === null) await assertPayable(system, { payees, site: null, wallet });
  const [first, ...otherClaims] = signed.map((claim, index) => ({ ...claim, past: past?.[index] }));
  if (!first) throw new Error("a payout without legs");
  // Also read and checked before the balance: a transfer that settles after the balance is read is still part of that balance, but
  // no longer part of the sum read in the transaction.
  const reservedBefore = await sumUnended(system.db, wallet, purpose);
  const balance = await wallets.readBalance(system, wallet);
  const assertHeld = (reserved: Usdc) => {
    if (past === null && subtract(balance, reserved) < amount) {
      throw payoutErrors.insufficient_balance({ balance: balance.toString(), reserved: reserved.toString() });
    }
  };
  assertHeld(reservedBefore);
  await claimTogether(system, [first, ...otherClaims], async (tx, settlementIds) => {
    const authorizations = signed.map(({ authorization }) => authorization);
    await onClaimed(tx, { settlementIds, authorizations, claimedAt: system.now(), isPast: past !== null });
    const locked = await wallets.lockWallet(tx, wallet.id);
    // The owner may have changed their lists since the recipients were checked. What was paid before them was paid.
    if (past === null) await assertOwnerPays(system, { payees, site: null, wallet: locked }, tx);
    assertHeld(await sumUnended(tx, wallet, purpose));
  });
}

/** What a payout is known by, on the chain as well. */
export type PayoutName = { payoutId: string; agentId: Payout["agentId"] };

const nonceOf = (system: System, wallet: wallets.Wallet, { payoutId, agentId }: PayoutName, index: number) =>
  wallets.nonceNamed(system, wallet, ["payout", agentId ?? "owner", payoutId, index]);

/** The transfers that have already paid all legs; null if none was paid. Throws payout_conflict for anything else. */
export async function findPastTransfers(
  system: System,
  wallet: wallets.Wallet,
  { legs, ...name }: PayoutName & { legs: readonly Pick<SplitLeg, "toAddress" | "amount">[] },
): Promise<Transfer[] | null> {
  const keys = legs.map((_, index) => ({ payer: wallet.address, nonce: nonceOf(system, wallet, name, index) }));
  const transfers = await pastTransfers(system, wallet.network, keys);
  if (transfers.every((transfer) => transfer === null)) return null;
  return transfers.map((transfer, index) => {
    const { toAddress: to, amount } = legs[index] ?? {};
    const isPaid = transfer !== null && transfer !== "none" && transfer.to === to && transfer.value === amount;
    if (!isPaid) throw payoutErrors.payout_conflict({ message: PAID_OTHERWISE });
    return transfer;
  });
}

const PAID_OTHERWISE =
  "The chain shows that this payoutId was used before, for something that this service has no record of. Use another payoutId";
