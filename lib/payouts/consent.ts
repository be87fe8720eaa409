import { createHash } from "node:crypto";
import type { Hex } from "viem";
import * as confirmations from "@/lib/confirmations/service";
import type { Address } from "@/lib/core/address";
import { canonicalJson } from "@/lib/core/json";
import { add, type Usdc, ZERO } from "@/lib/core/money";
import type { Ctx, Owner } from "@/lib/platform/context";
import * as wallets from "@/lib/wallets/service";
import { mapNetworks, NETWORK_NAMES, type NetworkName } from "@/lib/x402/networks";
import { listNamed } from "./address-book/store";
import type { SplitLeg } from "./rules";

/** The owner's signature for one call, or `signed_batch` for a row of a file whose signature was already used. */
export type Consent = { signature?: Hex | undefined } | "signed_batch";

export type PayoutTerms = { network: NetworkName; legs: readonly Pick<SplitLeg, "toAddress" | "amount">[] };

/**
 * Whether paying `orders` needs a signature of the owner's wallet, so that a session alone cannot empty the wallet. It does if a
 * recipient is neither in the address book nor the owner's own address, or if the total on one network, plus everything paid there
 * without a signature in the last 24 hours, exceeds the owner's limit. Payments to the owner's own address are withdrawals and do
 * not count.
 */
export async function needsSignature(ctx: Ctx<Owner>, orders: readonly PayoutTerms[]): Promise<boolean> {
  const externalLegs = toOthers(ctx, orders);
  const addresses = [...new Set(externalLegs.map(({ toAddress }) => toAddress))];
  if (addresses.length === 0) return false;
  const named = await listNamed(ctx.db, ctx.actor.ownerId, addresses);
  if (named.length < addresses.length) return true;
  const totals = totalsOf(externalLegs);
  for (const network of NETWORK_NAMES) {
    const amount = totals[network];
    if (amount === ZERO) continue;
    const { id: walletId } = await wallets.spendingWallet(ctx, ctx.actor.ownerId, network);
    if (await confirmations.exceedsLimit(ctx, { walletId, amount })) return true;
  }
  return false;
}

const toOthers = ({ actor }: Ctx<Owner>, orders: readonly PayoutTerms[]) =>
  orders
    .flatMap(({ network, legs }) => legs.map((leg) => ({ ...leg, network })))
    .filter(({ toAddress }) => toAddress !== actor.address);

type Act<T> = (use: confirmations.Use, isSigned: boolean) => Promise<T>;

/**
 * Runs `act` for one payout from `wallet`, and checks the signature if the payout needs one. `act` must call `use` before it writes
 * the approval. Throws signature_required.
 */
export async function consented<T>(
  ctx: Ctx<Owner>,
  consent: Consent,
  { action, wallet, ...order }: PayoutTerms & { wallet: wallets.Wallet; action: () => confirmations.Action },
  act: Act<T>,
): Promise<T> {
  if (consent === "signed_batch") return act(confirmations.unsigned, true);
  const confirmed = () => confirmations.confirmed(ctx, action(), consent.signature, (use) => act(use, true));
  if (await needsSignature(ctx, [order])) return confirmed();
  const amount = totalsOf(toOthers(ctx, [order]))[order.network];
  if (amount === ZERO) return act(confirmations.unsigned, false);
  return confirmations.withinLimit(ctx, { walletId: wallet.id, amount }, (use) => act(use, false), confirmed);
}

export type PreviewedRow = PayoutTerms & { payoutId: string | undefined; contents: string };

/** The action that is signed for a file: the numbers of payouts and recipients, the totals, and a hash of all rows. */
export function batchAction(rows: readonly PreviewedRow[]): confirmations.Action {
  const legs = rows.flatMap(({ network, legs }) => legs.map((leg) => ({ ...leg, network })));
  const contents = rows.map(({ payoutId, contents }) => [payoutId ?? null, contents]);
  return {
    type: "PayoutBatch",
    payouts: rows.length,
    recipients: new Set(legs.map(({ toAddress }) => toAddress)).size,
    totals: totalsOf(legs),
    batchHash: `0x${createHash("sha256").update(canonicalJson(contents)).digest("hex")}`,
  };
}

export type PayoutOrder = PayoutTerms & { id: string; fingerprint: string };

/** The action that is signed for payouts approved together. */
export const togetherAction = (orders: readonly PayoutOrder[]): confirmations.Action => ({
  type: "PayoutApprovals",
  payouts: orders.length,
  recipients: recipientsOf(orders.flatMap(({ legs }) => legs)),
  totals: totalsOf(orders.flatMap(({ network, legs }) => legs.map(({ amount }) => ({ amount, network })))),
  contents: canonicalJson(orders.map(({ id, fingerprint, network }) => [id, fingerprint, network])),
});

const totalsOf = (legs: readonly { network: NetworkName; amount: Usdc }[]): Record<NetworkName, Usdc> =>
  mapNetworks((name) =>
    legs.filter(({ network }) => network === name).reduce((sum, leg) => add(sum, leg.amount), ZERO),
  );

export const recipientsOf = (legs: readonly { toAddress: Address; amount: Usdc }[]): confirmations.Recipient[] =>
  legs.map(({ toAddress: to, amount }) => ({ to, amount }));
