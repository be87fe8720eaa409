import { encodeFunctionData, type Hex } from "viem";
import { confirmed } from "@/lib/confirmations/service";
import type { Address } from "@/lib/core/address";
import { newId, type RecoveryId } from "@/lib/core/ids";
import { type Chain, ChainUnavailable, type Fees } from "@/lib/platform/chain";
import type { Ctx, Owner, System } from "@/lib/platform/context";
import { recordOfOwner } from "@/lib/platform/events";
import { failpoint } from "@/lib/platform/failpoint";
import type { Subscriber } from "@/lib/platform/subscriber";
import { feesNow } from "@/lib/settlements/relayer/transactions";
import * as wallets from "@/lib/wallets/service";
import type { NetworkName } from "@/lib/x402/networks";
import { recoveryErrors } from "./errors";
import { type Holding, holdingOf, isUsdc, knownHoldings, run } from "./holdings";
import { costOf, gasFor, isAccepted, type Recovery, sendableOf, TOKEN_ABI } from "./rules";
import * as store from "./store";

export type { Holding } from "./holdings";
export type { Recovery } from "./rules";

export const subscriber: Subscriber = { unwound: store.reopen };

const SHOWN = 10;

/** What is at a spending wallet that no payment can use, and what was sent from it. */
export type Astray = {
  wallet: wallets.Wallet;
  /** `sendable`: without the gas to send it. */
  ether: { amount: bigint; sendable: bigint };
  tokens: Holding[];
  /** The token that the owner named; null if it does not answer like one. */
  named: Holding | null;
  recoveries: Recovery[];
};

/** Throws ChainUnavailable, usdc_not_recovered. */
export async function listAstray(ctx: Ctx<Owner>, network: NetworkName, token: Address | null): Promise<Astray> {
  const { ownerId, address: to } = ctx.actor;
  const chain = ctx.chains[network];
  if (token && isUsdc(chain, token)) throw recoveryErrors.usdc_not_recovered();
  const wallet = await wallets.spendingWallet(ctx, ownerId, network);
  const [amount, [toCode = "0x"], fees, tokens, named, recoveries] = await Promise.all([
    chain.nativeBalance(wallet.address),
    chain.codes([to]),
    feesNow(ctx, network),
    knownHoldings(chain, wallet.address),
    token && holdingOf(chain, wallet.address, token),
    store.listOf(ctx.db, ownerId, network, SHOWN),
  ]);
  const sendable = sendableOf(amount, costOf(gasFor(false, toCode), fees.maxFeePerGas));
  return { wallet, ether: { amount, sendable }, tokens, named, recoveries };
}

/** For a page: `unavailable` while the chain does not respond, `usdc` if the named token is not astray at all. */
export type Look = { type: "found"; astray: Astray } | { type: "unavailable" } | { type: "usdc" };

export async function lookFor(ctx: Ctx<Owner>, network: NetworkName, token: Address | null): Promise<Look> {
  try {
    return { type: "found", astray: await listAstray(ctx, network, token) };
  } catch (error) {
    if (error instanceof ChainUnavailable) return { type: "unavailable" };
    if (recoveryErrors.usdc_not_recovered.is(error)) return { type: "usdc" };
    throw error;
  }
}

/**
 * Sends all ETH, or all of a token, from a spending wallet to the owner's own address, with their signature. It may be under way on
 * return. Throws usdc_not_recovered, nothing_to_recover, gas_missing, token_refuses, recovery_under_way, signature_required.
 */
export async function recover(
  ctx: Ctx<Owner>,
  { network, token, signature }: { network: NetworkName; token: Address | null; signature?: Hex | undefined },
): Promise<Recovery> {
  const { ownerId, address: to } = ctx.actor;
  if (token && isUsdc(ctx.chains[network], token)) throw recoveryErrors.usdc_not_recovered();
  const wallet = await wallets.spendingWallet(ctx, ownerId, network);
  if (await store.isUnderWay(ctx.db, wallet.id)) throw recoveryErrors.recovery_under_way();
  const order = { network, token, from: wallet.address, to };
  const draft = await draftOf(ctx, order, await feesNow(ctx, network));
  const id = await confirmed(ctx, { type: "Recovery", ...order }, signature, async (use) => {
    // Nodes lag: the nonce after the last one of ours counts, too.
    const mined = await ctx.chains[network].transactionCount(wallet.address);
    const nonce = Math.max(mined, await store.nextNonce(ctx.db, wallet.id));
    const signed = await wallets.signOwn(ctx, wallet, { ...draft.call, ...draft.fees, gas: draft.gas, nonce });
    const createdAt = ctx.now();
    const { amount, gas, symbol, decimals } = draft;
    const recoveryId = newId("recovery");
    await ctx.db.transaction(async (tx) => {
      await store.lockWallet(tx, wallet.id);
      if (await store.isUnderWay(tx, wallet.id)) throw recoveryErrors.recovery_under_way();
      await use(tx);
      const about = { id: recoveryId, ownerId, walletId: wallet.id, network, token, symbol, decimals, createdAt };
      await store.add(tx, { ...about, toAddress: to, amount, nonce, gas, state: "sent" });
      await store.addAttempt(tx, { ...signed, ...draft.fees, recoveryId, amount, createdAt });
      const meta = { recoveryId, network, token, symbol, to };
      await recordOfOwner(tx, createdAt, ownerId, "owner.recovery_sent", meta);
    });
    await failpoint("recovery.stored");
    // If it does not arrive, the job sends the same bytes again.
    await sendQuietly(ctx, network, signed.raw);
    return recoveryId;
  });
  return getStored(ctx, id);
}

async function getStored({ db }: System, id: RecoveryId): Promise<Recovery> {
  const recovery = await store.find(db, id);
  if (!recovery) throw new Error(`${id} vanished`);
  return recovery;
}

async function sendQuietly({ chains, log }: System, network: NetworkName, raw: Hex): Promise<void> {
  await chains[network].send(raw).catch((err: unknown) => log.warn({ network, err }, "recovery.not_sent"));
}

type Order = Pick<Recovery, "network" | "token"> & { from: Address; to: Address };
type Draft = Pick<Recovery, "amount" | "gas" | "symbol" | "decimals"> & {
  call: { to: Address; data: Hex; value?: bigint };
  fees: Fees;
};

/** The transaction that moves everything. Throws nothing_to_recover, gas_missing, token_refuses. */
async function draftOf({ chains }: System, order: Order, fees: Fees): Promise<Draft> {
  const chain = chains[order.network];
  const [ether, [toCode = "0x"]] = await Promise.all([chain.nativeBalance(order.from), chain.codes([order.to])]);
  const gas = gasFor(order.token !== null, toCode);
  const cost = costOf(gas, fees.maxFeePerGas);
  if (order.token === null) {
    const amount = sendableOf(ether, cost);
    if (amount === 0n) throw recoveryErrors.nothing_to_recover();
    const call = etherCall(order.to, amount);
    if (toCode !== "0x" && !(await run(chain, order.from, call, gas)).ok) throw recoveryErrors.address_refuses();
    return { amount, gas, symbol: null, decimals: null, call, fees };
  }
  return { ...(await tokenDraft(chain, { ...order, token: order.token }, gas, { ether, cost })), fees };
}

export const etherCall = (to: Address, value: bigint) => ({ to, data: "0x" as const, value });

async function tokenDraft(
  chain: Chain,
  { token, from, to }: Order & { token: Address },
  gas: bigint,
  { ether, cost }: { ether: bigint; cost: bigint },
): Promise<Omit<Draft, "fees">> {
  const holding = await holdingOf(chain, from, token);
  if (!holding || holding.amount === 0n) throw recoveryErrors.nothing_to_recover();
  if (ether < cost) throw recoveryErrors.gas_missing({ weiMissing: (cost - ether).toString() });
  const { amount, symbol, decimals } = holding;
  const data = encodeFunctionData({ abi: TOKEN_ABI, functionName: "transfer", args: [to, amount] });
  const call = { to: token, data };
  if (!isAccepted(await run(chain, from, call, gas))) throw recoveryErrors.token_refuses();
  return { amount, gas, symbol, decimals, call };
}
