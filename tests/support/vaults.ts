import type { Hex } from "viem";
import { type Address, toAddress } from "@/lib/core/address";
import { toUsdc } from "@/lib/core/money";
import { unixSeconds } from "@/lib/core/time";
import { openAndFundCall } from "@/lib/vaults/calls";
import { NEWEST_VERSION, REFUSALS, VAULT_ABI } from "@/lib/vaults/contracts";
import { type PayeeList, payeeList } from "@/lib/vaults/payees";
import { vaultSignature } from "@/lib/vaults/payments";
import { type Terms, vaultAddress } from "@/lib/vaults/terms";
import { fundingTypedData, permitTypedData, pullDigest } from "@/lib/vaults/typed-data";
import { type Authorization, authorizationDigest } from "@/lib/x402/authorization";
import { NETWORKS } from "@/lib/x402/networks";
import { signAuthorization } from "@/lib/x402/signature";
import { privateKeyOf } from "./accounts";
import { claimFrom, randomNonce } from "./system";
import type { World } from "./world";

/** Accounts of anvil's mnemonic. The stranger sends what anybody may send. */
export const [OWNER, SIGNER, AGENT, OTHER, STRANGER] = [0, 1, 2, 3, 8] as const;
export const FUNDS = 100_000_000n;

const NONCES = [
  {
    type: "function",
    name: "nonces",
    stateMutability: "view",
    inputs: [{ type: "address" }],
    outputs: [{ type: "uint256" }],
  },
] as const;

type Changes = { by?: number; agent?: number | undefined; proof?: readonly Hex[] };

/**
 * Vaults on the test's base chain, without the service: terms, funds, payments and transactions by accounts of the test.
 * `now` is for tests that move the chain's time.
 */
export function vaultsOf(world: World, now = () => unixSeconds(new Date())) {
  const account = (index: number) => {
    const account = world.accounts[index];
    if (!account) throw new Error("no such account");
    return account;
  };
  const addressOf = (index: number) => toAddress(account(index).address);
  const terms = (change: Partial<Terms> = {}): Terms => ({
    contractVersion: NEWEST_VERSION,
    token: NETWORKS.base.usdc,
    owner: addressOf(OWNER),
    signer: addressOf(SIGNER),
    agent: null,
    start: now() - 3_600,
    end: now() + 86_400,
    limit: toUsdc(FUNDS),
    perPayment: null,
    release: null,
    payees: null,
    mandate: randomNonce(),
    ...change,
  });

  /** Returns the gas it used. Throws if the call reverts. */
  async function send({ to, data }: { to: Address; data: Hex }, from = addressOf(STRANGER)): Promise<bigint> {
    const hash = await world.client().sendTransaction({ account: from, chain: null, to, data });
    await world.mine();
    const { status, gasUsed } = await world.client().waitForTransactionReceipt({ hash });
    if (status !== "success") throw new Error(`${hash} reverted`);
    return gasUsed;
  }

  const authorizationOf = (
    from: Address,
    to: Address,
    atomic: bigint,
    change: Partial<Authorization> = {},
  ): Authorization => ({
    from,
    to,
    value: toUsdc(atomic),
    validAfter: 0n,
    validBefore: BigInt(now() + 3_000),
    nonce: randomNonce(),
    ...change,
  });

  /** Opens the vault and funds it with one signature of the owner. */
  async function funded(terms: Terms, atomic = FUNDS): Promise<{ vault: Address; gas: bigint }> {
    const vault = vaultAddress(terms);
    const funding = authorizationOf(terms.owner, vault, atomic, { nonce: terms.mandate });
    const signature = await account(OWNER).signTypedData(fundingTypedData("base", funding));
    const gas = await send(openAndFundCall(terms, { ...funding, signature }));
    return { vault, gas };
  }

  /** A payment by the vault, signed by the service's key and no agent, or as `change` has it. */
  function payment(authorization: Authorization, { by = SIGNER, agent, proof }: Changes = {}): Hex {
    const sign = (index: number) => signAuthorization("base", authorization, privateKeyOf(account(index)));
    const agentSignature = agent === undefined ? null : sign(agent);
    return vaultSignature(authorization, { signature: sign(by), agentSignature, proof: proof ?? null });
  }

  /** The claim as the service makes it. */
  function claimOn(vault: Address, to: Address, atomic: bigint, change: Changes = {}) {
    const authorization = authorizationOf(vault, to, atomic);
    const signature = payment(authorization, change);
    return { ...claimFrom(account(OTHER), to, atomic), authorization, signature, signatureKind: "erc1271" as const };
  }

  async function judge(vault: Address, { authorization, signature }: { authorization: Authorization; signature: Hex }) {
    const args = [authorizationDigest("base", authorization), signature] as const;
    const call = { address: vault, abi: VAULT_ABI, functionName: "judge", args } as const;
    return REFUSALS[await world.client().readContract(call)];
  }

  /** The owner's permit for exactly the limit. */
  async function permitOf(terms: Terms) {
    const call = { address: NETWORKS.base.usdc, abi: NONCES, functionName: "nonces", args: [terms.owner] } as const;
    const nonce = await world.client().readContract(call);
    const deadline = BigInt(now() + 3_000);
    const permit = { owner: terms.owner, spender: vaultAddress(terms), value: terms.limit, nonce, deadline };
    const signature = await account(OWNER).signTypedData(permitTypedData("base", permit));
    return { allowance: terms.limit, deadline, signature };
  }

  const pullOf = async (terms: Terms, total: bigint) => ({
    total: toUsdc(total),
    signature: await account(SIGNER).sign({ hash: pullDigest("base", vaultAddress(terms), toUsdc(total)) }),
  });

  return { account, addressOf, now, terms, send, authorizationOf, funded, payment, claimOn, judge, permitOf, pullOf };
}

/** Throws for a list that is refused. */
export function listOf(...payees: Address[]): PayeeList {
  const list = payeeList(payees);
  if (typeof list === "string") throw new Error(list);
  return list;
}
