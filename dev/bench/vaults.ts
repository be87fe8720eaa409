import { createWalletClient, encodeFunctionData, type Hex, http, parseAbi, publicActions } from "viem";
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from "viem/accounts";
import { base } from "viem/chains";
import { type Address, toAddress } from "@/lib/core/address";
import { toUsdc } from "@/lib/core/money";
import { unixSeconds } from "@/lib/core/time";
import { multicall } from "@/lib/settlements/rules";
import { openAndFundCall, openAndPullCall, pullCall } from "@/lib/vaults/calls";
import { NEWEST_VERSION } from "@/lib/vaults/contracts";
import { type PayeeList, payeeList } from "@/lib/vaults/payees";
import { vaultSignature } from "@/lib/vaults/payments";
import { type Terms, vaultAddress } from "@/lib/vaults/terms";
import { fundingTypedData, permitTypedData, pullDigest } from "@/lib/vaults/typed-data";
import type { Authorization } from "@/lib/x402/authorization";
import { NETWORKS } from "@/lib/x402/networks";
import { signAuthorization, signDigest } from "@/lib/x402/signature";
import { TOKEN_ABI } from "@/lib/x402/token";
import { type Bench, mint as mintBy } from "./actors";
import { compared, type Figure, type Goal } from "./figures";
import { facilitatorAccount } from "./reference";

const FUNDS = toUsdc(1_000_000n);
const TRANCHE = 300_000n;
const PRICE = toUsdc(1_000n);
const PAYEES = 8;
const OPENING: Goal = { atMost: 260_000 };
const PAYMENT: Goal = { atMost: 108_000 };

/** Gas of opening and paying, each compared with a payment by an ordinary account. The payees already hold USDC. */
export async function vaultFigures({ stack, api, progress }: Bench): Promise<Figure[]> {
  progress("Opening vaults and paying from them");
  const mint = (to: Address, atomic: bigint) => mintBy(api, to, atomic);
  const [ownerKey, signerKey, agentKey] = [generatePrivateKey(), generatePrivateKey(), generatePrivateKey()];
  const owner = privateKeyToAccount(ownerKey);
  const payees = Array.from({ length: PAYEES }, () => toAddress(privateKeyToAddress(generatePrivateKey())));
  const [payee] = payees;
  const list = payeeList(payees);
  if (payee === undefined || typeof list === "string") throw new Error("no list of payees");
  const { send, permitNonce } = chainOf(stack.env.BASE_RPC_URL ?? "");
  await mint(toAddress(owner.address), 10n * FUNDS);
  await mint(payee, PRICE);

  const authorizationOf = (from: Address, to: Address): Authorization => ({
    from,
    to,
    value: PRICE,
    validAfter: 0n,
    validBefore: BigInt(unixSeconds(new Date()) + 3_600),
    nonce: generatePrivateKey(),
  });
  const ordinary = authorizationOf(toAddress(owner.address), payee);
  const data = submission(ordinary, signAuthorization("base", ordinary, ownerKey));
  const other = await send({ to: NETWORKS.base.usdc, data });

  const newTerms = (change: Partial<Terms>) =>
    termsOf({ owner: toAddress(owner.address), signer: toAddress(privateKeyToAddress(signerKey)), ...change });
  const open = async (change: Partial<Terms>) => {
    const terms = newTerms(change);
    const funding = { ...authorizationOf(terms.owner, vaultAddress(terms)), value: FUNDS, nonce: terms.mandate };
    const signature = await owner.signTypedData(fundingTypedData("base", funding));
    return { terms, gas: await send(openAndFundCall(terms, { ...funding, signature })) };
  };
  const payment = (terms: Terms, by?: PayeeList) => {
    const authorization = authorizationOf(vaultAddress(terms), payee);
    const sign = (key: Hex) => signAuthorization("base", authorization, key);
    const signature = vaultSignature(authorization, {
      signature: sign(signerKey),
      agentSignature: terms.agent && sign(agentKey),
      proof: by?.proofOf(payee) ?? null,
    });
    return { to: NETWORKS.base.usdc, data: submission(authorization, signature) };
  };
  const pay = (terms: Terms, by?: PayeeList) => send(payment(terms, by));
  /** The money stays with the owner, who permits the vault to draw it: three tranches, the last one together with a payment. */
  const draw = async () => {
    const terms = newTerms({});
    const spender = vaultAddress(terms);
    const deadline = BigInt(unixSeconds(new Date()) + 3_600);
    const permit = { owner: terms.owner, spender, value: FUNDS, nonce: await permitNonce(terms.owner), deadline };
    const signature = await owner.signTypedData(permitTypedData("base", permit));
    const pullTo = (tranches: bigint) => {
      const total = toUsdc(tranches * TRANCHE);
      return { total, signature: signDigest(pullDigest("base", spender, total), signerKey) };
    };
    return {
      opened: await send(openAndPullCall(terms, { allowance: FUNDS, deadline, signature }, pullTo(1n))),
      pulled: await send(pullCall(spender, pullTo(2n))),
      paid: await pay(terms),
      together: await send(multicall([{ call: pullCall(spender, pullTo(3n)) }, { call: payment(terms) }])),
    };
  };

  const agent = toAddress(privateKeyToAddress(agentKey));
  const [plain, withAgent, listed] = [await open({}), await open({ agent }), await open({ payees: list.root })];
  const { opened, pulled, paid, together } = await draw();
  const figure = (description: string, gas: number, goal?: Goal) =>
    compared(description, [gas, other], { unit: "gas", is: "payment by an ordinary account", ...(goal && { goal }) });
  return [
    figure("opening and funding a vault", plain.gas, OPENING),
    figure("opening a vault by a permit, with a first tranche", opened),
    figure("drawing one more tranche", pulled),
    figure("payment by a vault", await pay(plain.terms), PAYMENT),
    figure("payment by a vault, with the agent's key", await pay(withAgent.terms)),
    figure(`payment by a vault, with ${PAYEES} payees`, await pay(listed.terms, list)),
    compared("drawing a tranche and paying in one transaction", [together, pulled + paid], {
      unit: "gas",
      is: "in two transactions",
    }),
  ];
}

const termsOf = (given: Pick<Terms, "owner" | "signer"> & Partial<Terms>): Terms => ({
  contractVersion: NEWEST_VERSION,
  token: NETWORKS.base.usdc,
  agent: null,
  start: unixSeconds(new Date()) - 3_600,
  end: unixSeconds(new Date()) + 86_400,
  limit: FUNDS,
  perPayment: PRICE,
  release: { amount: FUNDS, seconds: 86_400 },
  payees: null,
  mandate: generatePrivateKey(),
  ...given,
});

const submission = (a: Authorization, signature: Hex): Hex =>
  encodeFunctionData({
    abi: TOKEN_ABI,
    functionName: "transferWithAuthorization",
    args: [a.from, a.to, a.value, a.validAfter, a.validBefore, a.nonce, signature],
  });

function chainOf(rpcUrl: string) {
  const transport = http(rpcUrl, { retryCount: 0 });
  const client = createWalletClient({ account: facilitatorAccount(), chain: base, transport, pollingInterval: 50 });
  const sender = client.extend(publicActions);
  return {
    /** Sends a transaction as an external facilitator would. Returns its gas. */
    send: async (call: { to: Address; data: Hex }): Promise<number> => {
      const hash = await sender.sendTransaction(call);
      const { status, gasUsed } = await sender.waitForTransactionReceipt({ hash });
      if (status !== "success") throw new Error(`${hash} reverted`);
      return Number(gasUsed);
    },
    permitNonce: (owner: Address): Promise<bigint> =>
      sender.readContract({ address: NETWORKS.base.usdc, abi: NONCES, functionName: "nonces", args: [owner] }),
  };
}

const NONCES = parseAbi(["function nonces(address owner) view returns (uint256)"]);
