import { parseAbi } from "viem";
import type { HDAccount } from "viem/accounts";
import type { Claim } from "@/lib/settlements/service";
import { NETWORKS } from "@/lib/x402/networks";
import { TOKEN_ABI } from "@/lib/x402/token";
import type { World } from "./world";

const ABI = parseAbi([
  "function transfer(address to, uint256 value) returns (bool)",
  "function approve(address spender, uint256 value) returns (bool)",
  "function blacklist(address account)",
  "function cancelAuthorization(address authorizer, bytes32 nonce, bytes signature)",
]);

/** `isFirst`: mined immediately, before pending transactions with an ordinary fee. */
export type Place = { isFirst?: boolean };

// The ninth of anvil's accounts, which the service does not use.
const STRANGER = 8;

async function mined(world: World, hash: `0x${string}`, { isFirst = false }: Place): Promise<void> {
  if (isFirst) await world.mine();
  await world.client().waitForTransactionReceipt({ hash });
}

const gasPrice = ({ isFirst = false }: Place) => (isFirst ? { gasPrice: 10n ** 12n } : {});

const stranger = (world: World) => {
  const account = world.accounts[STRANGER];
  if (!account) throw new Error("no such account");
  return account.address;
};

/** Calls the token from an unlocked account of anvil, by default a stranger's. */
export async function changeToken(
  world: World,
  functionName: "transfer" | "approve" | "blacklist",
  args: readonly (string | bigint)[],
  from = stranger(world),
  place: Place = {},
): Promise<void> {
  const call = { account: from, chain: null, address: NETWORKS.base.usdc, abi: ABI, ...gasPrice(place) };
  // The caller supplies arguments that fit the function.
  const hash = await world.client().writeContract({ ...call, functionName, args: args as never });
  await mined(world, hash, place);
}

/** A third party submits the signed transfer. */
export async function submitDirectly(world: World, claim: Claim, place: Place = {}): Promise<void> {
  const a = claim.authorization;
  const hash = await world.client().writeContract({
    account: stranger(world),
    chain: null,
    address: NETWORKS.base.usdc,
    abi: TOKEN_ABI,
    functionName: "transferWithAuthorization",
    args: [a.from, a.to, a.value, a.validAfter, a.validBefore, a.nonce, claim.signature],
    ...gasPrice(place),
  });
  await mined(world, hash, place);
}

/** The payer cancels their authorization. */
export async function cancelDirectly(world: World, payer: HDAccount, claim: Claim, place: Place = {}): Promise<void> {
  const { nonce } = claim.authorization;
  const signature = await payer.signTypedData({
    domain: { name: "USD Coin", version: "2", chainId: 8453, verifyingContract: NETWORKS.base.usdc },
    types: {
      CancelAuthorization: [
        { name: "authorizer", type: "address" },
        { name: "nonce", type: "bytes32" },
      ],
    },
    primaryType: "CancelAuthorization",
    message: { authorizer: payer.address, nonce },
  });
  const call = { account: stranger(world), chain: null, address: NETWORKS.base.usdc, abi: ABI, ...gasPrice(place) };
  const args = [payer.address, nonce, signature] as const;
  await mined(world, await world.client().writeContract({ ...call, functionName: "cancelAuthorization", args }), place);
}
