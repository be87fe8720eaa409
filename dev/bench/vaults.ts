import { createWalletClient, encodeFunctionData, type Hex, http, publicActions } from "viem";
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from "viem/accounts";
import { base } from "viem/chains";
import { type Address, toAddress } from "@/lib/core/address";
import { toUsdc } from "@/lib/core/money";
import { unixSeconds } from "@/lib/core/time";
import { openAndFundCall } from "@/lib/vaults/calls";
import { type PayeeList, payeeList } from "@/lib/vaults/payees";
import { vaultSignature } from "@/lib/vaults/payments";
import { type Terms, vaultAddress } from "@/lib/vaults/terms";
import { fundingTypedData } from "@/lib/vaults/typed-data";
import type { Authorization } from "@/lib/x402/authorization";
import { NETWORKS } from "@/lib/x402/networks";
import { signAuthorization } from "@/lib/x402/signature";
import { TOKEN_ABI } from "@/lib/x402/token";
import { type Bench, mint as mintBy } from "./actors";
import { compared, type Figure } from "./figures";
import { facilitatorAccount } from "./reference";

const FUNDS = toUsdc(1_000_000n);
const PRICE = toUsdc(1_000n);
const PAYEES = 8;

/** Gas of opening and paying, each compared with a payment by an ordinary account. Payees had money before. */
export async function vaultFigures({ stack, api, progress }: Bench): Promise<Figure[]> {
  progress("Opening vaults and paying from them");
  const mint = (to: Address, atomic: bigint) => mintBy(api, to, atomic);
  const [ownerKey, signerKey, agentKey] = [generatePrivateKey(), generatePrivateKey(), generatePrivateKey()];
  const owner = privateKeyToAccount(ownerKey);
  const payees = Array.from({ length: PAYEES }, () => toAddress(privateKeyToAddress(generatePrivateKey())));
  const [payee] = payees;
  const list = payeeList(payees);
  if (payee === undefined || typeof list === "string") throw new Error("no list of payees");
  const send = senderOf(stack.env.BASE_RPC_URL ?? "");
  await mint(toAddress(owner.address), 10n * FUNDS);
  await mint(payee, PRICE);

  const authorizationOf = (from: Address, to: Address): Authorization => ({
    ...{ from, to, value: PRICE, validAfter: 0n, validBefore: BigInt(unixSeconds(new Date()) + 3_600) },
    nonce: generatePrivateKey(),
  });
  const ordinary = authorizationOf(toAddress(owner.address), payee);
  const other = await send(NETWORKS.base.usdc, submission(ordinary, signAuthorization("base", ordinary, ownerKey)));

  const open = async (change: Partial<Terms>) => {
    const terms = termsOf({
      owner: toAddress(owner.address),
      signer: toAddress(privateKeyToAddress(signerKey)),
      ...change,
    });
    const funding = { ...authorizationOf(terms.owner, vaultAddress(terms)), value: FUNDS, nonce: terms.mandate };
    const signature = await owner.signTypedData(fundingTypedData("base", funding));
    const { to, data } = openAndFundCall(terms, { ...funding, signature });
    return { terms, gas: await send(to, data) };
  };
  const pay = async (terms: Terms, by?: PayeeList) => {
    const authorization = authorizationOf(vaultAddress(terms), payee);
    const sign = (key: Hex) => signAuthorization("base", authorization, key);
    const signature = vaultSignature(authorization, {
      signature: sign(signerKey),
      agentSignature: terms.agent && sign(agentKey),
      proof: by?.proofOf(payee) ?? null,
    });
    return send(NETWORKS.base.usdc, submission(authorization, signature));
  };

  const agent = toAddress(privateKeyToAddress(agentKey));
  const [plain, withAgent, listed] = [await open({}), await open({ agent }), await open({ payees: list.root })];
  const figure = (what: string, gas: number) =>
    compared(what, [gas, other], { unit: "gas", is: "payment by an ordinary account" });
  return [
    figure("opening and funding a vault", plain.gas),
    figure("payment by a vault", await pay(plain.terms)),
    figure("payment by a vault, with the agent's key", await pay(withAgent.terms)),
    figure(`payment by a vault, with ${PAYEES} payees`, await pay(listed.terms, list)),
  ];
}

const termsOf = (given: Pick<Terms, "owner" | "signer"> & Partial<Terms>): Terms => ({
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

/** Sends a transaction as a foreign facilitator does. Returns the gas it used. */
function senderOf(rpcUrl: string) {
  const transport = http(rpcUrl, { retryCount: 0 });
  const client = createWalletClient({ account: facilitatorAccount(), chain: base, transport, pollingInterval: 50 });
  const sender = client.extend(publicActions);
  return async (to: Address, data: Hex): Promise<number> => {
    const hash = await sender.sendTransaction({ to, data });
    const { status, gasUsed } = await sender.waitForTransactionReceipt({ hash });
    if (status !== "success") throw new Error(`${hash} reverted`);
    return Number(gasUsed);
  };
}
