import { encodeFunctionData, type Hex } from "viem";
import type { Address } from "@/lib/core/address";
import { addSeconds } from "@/lib/core/time";
import type { Chain, Receipt } from "@/lib/platform/chain";
import type { System } from "@/lib/platform/context";
import { assertLease, type Lease, LeaseLost } from "@/lib/platform/lease";
import type { Job } from "@/lib/platform/worker";
import { readBlocks } from "@/lib/settlements/observer/read-blocks";
import { feesNow, raisedFees } from "@/lib/settlements/relayer/transactions";
import * as wallets from "@/lib/wallets/service";
import { balanceAt } from "./holdings";
import { type Balances, type Change, costOf, outcomeOf, type Recovery, sendableOf, TOKEN_ABI } from "./rules";
import { etherCall } from "./service";
import * as store from "./store";

const AT_ONCE = 20;
const IDLE_MS = 3_000;
/** A version that is not mined by then is signed again, at a higher fee. */
const STUCK_SECONDS = 60;
/** Nodes keep the states of the newest blocks. After this time, no balances count as balances that show nothing. */
const STATE_SECONDS = 600;

/** Sends what is stored until a block shows its end. */
export const recoveryJob = (system: System): Job => ({
  name: "recoveries",
  round: async (lease) => {
    const open = await store.listOpen(system.db, AT_ONCE);
    for (const recovery of open) {
      await advance(system, lease, recovery).catch((err: unknown) => {
        if (err instanceof LeaseLost) throw err;
        // One must not delay the others.
        system.log.warn({ recoveryId: recovery.id, err }, "recovery.delayed");
      });
    }
    return open.length > 0 ? system.config.pollMilliseconds : IDLE_MS;
  },
});

async function advance(system: System, lease: Lease, recovery: Recovery): Promise<void> {
  const chain = system.chains[recovery.network];
  const attempts = await store.attemptsOf(system.db, recovery.id);
  for (const { hash, amount } of attempts) {
    const receipt = await chain.receipt(hash);
    if (receipt) return finish(system, lease, { ...recovery, amount }, receipt);
  }
  const [newest] = attempts;
  if (!newest) throw new Error(`${recovery.id} was never signed`);
  const lacksGas = !(await sendPayable(chain, attempts));
  if (lacksGas !== recovery.lacksGas) await store.changeOpen(system.db, recovery.id, { lacksGas });
  if (newest.createdAt < addSeconds(system.now(), -STUCK_SECONDS)) await signAgain(system, lease, recovery, newest);
}

/** Sends the version with the highest fee that the wallet can pay. False if it can pay none. */
async function sendPayable(chain: Chain, attempts: readonly store.Attempt[]): Promise<boolean> {
  for (const { raw } of attempts) if ((await chain.send(raw)) !== "unfunded") return true;
  return false;
}

/** Signs the same transfer with the same nonce at a higher fee; of ETH, less is sent then. */
async function signAgain(system: System, lease: Lease, recovery: Recovery, newest: store.Attempt): Promise<void> {
  const { id: recoveryId, walletId, network, token, toAddress, gas, nonce } = recovery;
  const wallet = await wallets.walletById(system.db, walletId);
  if (!wallet) throw new Error(`${walletId} vanished`);
  const today = await feesNow(system, network);
  const previousFees = { maxFeePerGas: newest.maxFeePerGas, maxPriorityFeePerGas: newest.maxPriorityFeePerGas };
  const fees = raisedFees(previousFees, today, system.config.feeCaps[network]);
  if (!fees) return;
  const { maxFeePerGas } = fees;
  const ether = await system.chains[network].nativeBalance(wallet.address);
  const amount = token === null ? sendableOf(ether, costOf(gas, maxFeePerGas)) : newest.amount;
  if (amount === 0n) return;
  const call = token === null ? etherCall(toAddress, amount) : tokenCall(token, toAddress, amount);
  const signed = await wallets.signOwn(system, wallet, { ...call, ...fees, gas, nonce });
  await system.db.transaction(async (tx) => {
    await assertLease(tx, lease);
    await store.addAttempt(tx, { ...signed, ...fees, recoveryId, amount, createdAt: system.now() });
  });
  await system.chains[network].send(signed.raw);
}

const tokenCall = (token: Address, to: Address, amount: bigint): { to: Address; data: Hex } => ({
  to: token,
  data: encodeFunctionData({ abi: TOKEN_ABI, functionName: "transfer", args: [to, amount] }),
});

/** Only in a block that the observer has read: it reopens what a replaced block had ended. */
async function finish(system: System, lease: Lease, recovery: Recovery, receipt: Receipt): Promise<void> {
  const { id, network, amount } = recovery;
  const { block } = receipt;
  const observedBlocks = await readBlocks(system, network, [block]);
  if (!observedBlocks.has(block)) return;
  const balances = receipt.isSuccess ? await balancesAround(system, recovery, block.number) : "ether";
  if (!balances) return;
  const end = outcomeOf(receipt.isSuccess, amount, balances);
  const about = { amount, lacksGas: false, txHash: receipt.hash, blockNumber: block.number, endedAt: system.now() };
  await system.db.transaction(async (tx) => {
    await assertLease(tx, lease);
    await observedBlocks.assertKept(tx);
    await store.changeOpen(tx, id, { ...end, ...about });
  });
}

/** Null while no node has the states of the block, and may have them later. */
async function balancesAround(system: System, recovery: Recovery, block: bigint): Promise<Balances | "ether" | null> {
  const { network, token, toAddress, walletId, createdAt } = recovery;
  if (token === null) return "ether";
  const wallet = await wallets.walletById(system.db, walletId);
  if (!wallet) throw new Error(`${walletId} vanished`);
  const isLate = createdAt < addSeconds(system.now(), -STATE_SECONDS);
  const changeOf = async (account: Address): Promise<Change | null> => {
    const [before, after] = [
      await balanceAt(system.chains[network], token, account, block - 1n),
      await balanceAt(system.chains[network], token, account, block),
    ];
    const isRead = before !== undefined && after !== undefined;
    return isRead || isLate ? { before: before ?? null, after: after ?? null } : null;
  };
  const [from, to] = [await changeOf(wallet.address), await changeOf(toAddress)];
  return from && to && { from, to };
}
