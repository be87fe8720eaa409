import { encodeFunctionData } from "viem";
import type { Address } from "@/lib/core/address";
import { type Call, type CallResult, type Chain, ChainUnavailable } from "@/lib/platform/chain";
import { NETWORKS } from "@/lib/x402/networks";
import { balanceIn, decimalsIn, symbolIn, TOKEN_ABI } from "./rules";
import { knownTokensOn } from "./tokens";

/** A token at a wallet. `symbol` and `decimals` are the token's own words, unless `isKnown`. */
export type Holding = {
  token: Address;
  symbol: string | null;
  decimals: number | null;
  amount: bigint;
  isKnown: boolean;
};

/** A token that needs more to say its balance is not asked further. */
const ASKED_GAS = 200_000n;

const balanceCall = (token: Address, account: Address): Call => ({
  to: token,
  data: encodeFunctionData({ abi: TOKEN_ABI, functionName: "balanceOf", args: [account] }),
});

/** The known tokens that are at `account`. */
export async function knownHoldings(chain: Chain, account: Address): Promise<Holding[]> {
  const tokens = knownTokensOn(chain.network.chainId);
  const gas = ASKED_GAS * BigInt(tokens.length + 1);
  const results = await chain.simulate(
    account,
    tokens.map(({ token }) => balanceCall(token, account)),
    gas,
  );
  return tokens.flatMap((token, index) => {
    const result = results[index];
    const amount = result ? balanceIn(result) : null;
    return amount === null || amount === 0n ? [] : [{ ...token, amount, isKnown: true }];
  });
}

/** A token that the owner names; null if there is none, or it does not say a balance. */
export async function holdingOf(chain: Chain, account: Address, token: Address): Promise<Holding | null> {
  const known = knownTokensOn(chain.network.chainId).find((entry) => entry.token === token);
  const [amount, symbol, decimals] = await Promise.all([
    balanceOf(chain, token, account),
    asked(chain, account, { to: token, data: encodeFunctionData({ abi: TOKEN_ABI, functionName: "symbol" }) }),
    asked(chain, account, { to: token, data: encodeFunctionData({ abi: TOKEN_ABI, functionName: "decimals" }) }),
  ]);
  if (amount === null) return null;
  if (known) return { ...known, amount, isKnown: true };
  return { token, symbol: symbolIn(symbol), decimals: decimalsIn(decimals), amount, isKnown: false };
}

export const balanceOf = async (chain: Chain, token: Address, account: Address): Promise<bigint | null> =>
  balanceIn(await asked(chain, account, balanceCall(token, account)));

/** The balance in a block; undefined while no node has that state. */
export async function balanceAt(
  chain: Chain,
  token: Address,
  account: Address,
  block: bigint,
): Promise<bigint | null | undefined> {
  // Each alone: a token that burns all gas would take that of the other calls.
  const results = await chain.readAt([balanceCall(token, account)], block);
  const [result] = results ?? [];
  return result && balanceIn(result);
}

const asked = (chain: Chain, from: Address, call: Call): Promise<CallResult> => run(chain, from, call, ASKED_GAS);

/** A node may give up a call that another contract makes expensive: that is an answer of the contract. */
export async function run(
  chain: Chain,
  from: Address,
  call: Parameters<Chain["simulateAlone"]>[1],
  gas: bigint,
): Promise<CallResult> {
  try {
    return await chain.simulateAlone(from, call, gas);
  } catch (error) {
    if (error instanceof ChainUnavailable && error.isOfCall) return { ok: false, reason: error.message };
    throw error;
  }
}

export const isUsdc = ({ network }: Chain, token: Address): boolean => token === NETWORKS[network.name].usdc;
