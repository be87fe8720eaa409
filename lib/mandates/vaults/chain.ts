import { decodeFunctionResult, encodeFunctionData, type Hex, parseAbi } from "viem";
import { type Address, ZERO_ADDRESS } from "@/lib/core/address";
import { toUsdc, type Usdc, ZERO } from "@/lib/core/money";
import { type CallResult, type Chain, ChainUnavailable } from "@/lib/platform/chain";
import { VAULT_ABI } from "@/lib/vaults/contracts";
import { TOKEN_ABI } from "@/lib/x402/token";
import type { VaultReading } from "./rules";
import type { SignedVault } from "./terms";

const ABI = parseAbi([
  "function nonces(address owner) view returns (uint256)",
  "function balanceOf(address account) view returns (uint256)",
  "function allowance(address owner, address spender) view returns (uint256)",
]);
const VIEW_GAS = 100_000n;

/** The current token state of a vault's owner. `inVault`: the vault's own balance. */
export type OwnersFunds = { permitNonce: bigint; balance: Usdc; allowance: Usdc; inVault: Usdc };

/** Throws ChainUnavailable. */
export async function readOwner(chain: Chain, owner: Address, vault: Address): Promise<OwnersFunds> {
  const callToken = async (data: Hex) => {
    const result = await chain.simulateAlone(owner, { to: chain.network.usdc, data }, VIEW_GAS);
    if (!result.ok) throw new ChainUnavailable(`the token did not answer: ${result.reason}`);
    return decodeFunctionResult({ abi: ABI, functionName: "balanceOf", data: result.data });
  };
  const [permitNonce, balance, allowance, inVault] = await Promise.all([
    callToken(encodeFunctionData({ abi: ABI, functionName: "nonces", args: [owner] })),
    callToken(encodeFunctionData({ abi: ABI, functionName: "balanceOf", args: [owner] })),
    callToken(encodeFunctionData({ abi: ABI, functionName: "allowance", args: [owner, vault] })),
    callToken(encodeFunctionData({ abi: ABI, functionName: "balanceOf", args: [vault] })),
  ]);
  return { permitNonce, balance: toUsdc(balance), allowance: toUsdc(allowance), inVault: toUsdc(inVault) };
}

const STATE_CALLS = 7;

/** The state of vaults at a block, in their order. Null if no node has that state. Throws ChainUnavailable. */
export async function readStates(
  chain: Chain,
  vaults: readonly SignedVault[],
  block: bigint,
): Promise<VaultReading[] | null> {
  const token = chain.network.usdc;
  const results = await chain.readAt(
    vaults.flatMap(({ address: to, terms, pocket }) => [
      { to, data: encodeFunctionData({ abi: VAULT_ABI, functionName: "funded" }) },
      { to, data: encodeFunctionData({ abi: VAULT_ABI, functionName: "spent" }) },
      { to, data: encodeFunctionData({ abi: VAULT_ABI, functionName: "isRevoked" }) },
      { to: token, data: encodeFunctionData({ abi: ABI, functionName: "balanceOf", args: [to] }) },
      { to: token, data: encodeFunctionData({ abi: ABI, functionName: "allowance", args: [terms.owner, to] }) },
      {
        to: token,
        data: encodeFunctionData({
          abi: TOKEN_ABI,
          functionName: "authorizationState",
          args: [terms.owner, terms.mandate],
        }),
      },
      { to: token, data: encodeFunctionData({ abi: ABI, functionName: "balanceOf", args: [pocket ?? ZERO_ADDRESS] }) },
    ]),
    block,
  );
  return (
    results &&
    vaults.map(({ pocket }, index) =>
      readingOf(results.slice(index * STATE_CALLS, (index + 1) * STATE_CALLS), pocket !== null),
    )
  );
}

function readingOf(results: readonly CallResult[], hasPocket: boolean): VaultReading {
  const [funded = 0n, spent = 0n, isRevoked = 0n, balance = 0n, allowance = 0n, isFundingUsed = 0n, inPocket = 0n] =
    results.map(wordOf);
  const [first] = results;
  return {
    // A call of an address without code succeeds and returns nothing.
    isDeployed: first?.ok === true && first.data !== "0x",
    isRevoked: isRevoked !== 0n,
    funded: toUsdc(funded),
    balance: toUsdc(balance),
    spent: toUsdc(spent),
    allowance: toUsdc(allowance),
    isFundingUsed: isFundingUsed !== 0n,
    pocketBalance: hasPocket ? toUsdc(inPocket) : ZERO,
  };
}

/** The balances of accounts at a block, in their order. Null if no node has that state. Throws ChainUnavailable. */
export async function readBalances(chain: Chain, accounts: readonly Address[], block: bigint): Promise<Usdc[] | null> {
  const results = await chain.readAt(
    accounts.map((account) => ({
      to: chain.network.usdc,
      data: encodeFunctionData({ abi: ABI, functionName: "balanceOf", args: [account] }),
    })),
    block,
  );
  return results === null ? null : results.map((result) => toUsdc(wordOf(result)));
}

/** Each of the calls returns one word. */
function wordOf(result: CallResult): bigint {
  if (!result.ok)
    throw new ChainUnavailable(`a vault or its token did not answer: ${result.reason}`, { isOfCall: true });
  return result.data === "0x" ? 0n : BigInt(result.data);
}
