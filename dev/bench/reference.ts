import { type Account, createWalletClient, type Hex, http, publicActions } from "viem";
import { generatePrivateKey, mnemonicToAccount, privateKeyToAddress } from "viem/accounts";
import { base } from "viem/chains";
import { type Address, toAddress } from "@/lib/core/address";
import { unixSeconds } from "@/lib/core/time";
import { toWireAuthorization } from "@/lib/x402/authorization";
import { type Requirement, requirementV1 } from "@/lib/x402/requirement";
import { signAuthorization } from "@/lib/x402/signature";
import { inLanes } from "./load";
import { loadStock } from "./stock";

export type ReferenceRun = { attempted: number; settled: number; seconds: number; hashes: Hex[]; failures: string[] };

/** The facilitator of the npm package x402 on a local chain: verify, then settle, as its own server does. */
export async function openReference(rpcUrl: string, requirement: Requirement) {
  const { settle, verify } = await loadStock();
  const payerKey = generatePrivateKey();
  const requirements = requirementV1(requirement);
  const signer = createWalletClient({
    account: facilitatorAccount(),
    chain: base,
    transport: http(rpcUrl, { retryCount: 0 }),
    pollingInterval: 50,
  }).extend(publicActions);

  const payment = () => {
    const now = unixSeconds(new Date());
    const authorization = {
      from: toAddress(privateKeyToAddress(payerKey)),
      to: requirement.payTo,
      value: requirement.amount,
      validAfter: BigInt(now - 600),
      validBefore: BigInt(now + 600),
      nonce: generatePrivateKey(),
    };
    const signature = signAuthorization("base", authorization, payerKey);
    const payload = { signature, authorization: toWireAuthorization(authorization) };
    return { x402Version: 1, scheme: "exact", network: "base", payload } as const;
  };

  const payOnce = async (): Promise<Hex | string> => {
    const proof = payment();
    const verdict = await verify(signer, proof, requirements);
    if (!verdict.isValid) return verdict.invalidReason ?? "invalid";
    const result = await settle(signer, proof, requirements);
    return result.success ? result.transaction : (result.errorReason ?? "failed");
  };

  const same = payment();
  return {
    payer: toAddress(privateKeyToAddress(payerKey)) satisfies Address,
    /** The body that a seller sends to a facilitator for one proof, which is never settled. */
    request: () => ({ x402Version: 1, paymentPayload: same, paymentRequirements: requirements }),
    /** Verifies that proof. Throws if it is invalid. */
    verify: async (): Promise<void> => {
      const { isValid, invalidReason } = await verify(signer, same, requirements);
      if (!isValid) throw new Error(`the reference refused a proof: ${invalidReason}`);
    },
    run: async (attempted: number, lanes: number): Promise<ReferenceRun> => {
      const began = performance.now();
      const payments = Array.from({ length: attempted });
      const ends = await inLanes(payments, lanes, () => payOnce().catch((error: unknown) => firstLine(error)));
      const hashes = ends.filter((end): end is Hex => /^0x[0-9a-f]{64}$/.test(end));
      const failures = ends.filter((end) => !hashes.includes(end as Hex));
      return { attempted, settled: hashes.length, seconds: (performance.now() - began) / 1000, hashes, failures };
    },
  };
}

const firstLine = (error: unknown) => String(error instanceof Error ? error.message : error).split("\n")[0] ?? "";

/** The ninth of anvil's accounts, funded and otherwise unused. */
export const facilitatorAccount = (): Account =>
  mnemonicToAccount("test test test test test test test test test test test junk", { addressIndex: 8 });
