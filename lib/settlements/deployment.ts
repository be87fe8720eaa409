import { decodeFunctionResult, encodeFunctionData, type Hex, size, zeroAddress } from "viem";
import { type Address, toAddress } from "@/lib/core/address";
import type { Call, CallResult, Chain } from "@/lib/platform/chain";
import type { Config } from "@/lib/platform/config";
import { revertReason } from "@/lib/platform/rpc-answers";
import type { Deployment } from "@/lib/x402/signature";
import { ERC1271_ABI, ERC1271_ANSWER, MULTICALL_ABI } from "@/lib/x402/token";
import { aloneGas } from "./relayer/settler";
import { meaningOf, multicall, type PayerKind, stipendOf } from "./rules";
import type { Settlement } from "./store";

// Payers whose account is not deployed yet (ERC-6492): the transaction that moves their money deploys it first.

/** Calldata of a deployment, in bytes. That of common smart wallets has less than 1,000. */
const CALLDATA_MAX = 2_048;

/** Why a signature of an undeployed account is refused. */
export const DEPLOYMENT_REFUSALS = {
  NOT_DEPLOYED:
    "The payer is not deployed, and the deployment in its signature (ERC-6492) is not readable, or does not create an account that accepts the signature. Deploy the account, then sign again",
  FACTORY_NOT_LISTED:
    "The payer is not deployed, and this service does not call the factory in its signature (ERC-6492). Deploy the account, then sign again",
  DEPLOYMENT_TOO_LARGE: `The payer is not deployed, and the deployment in its signature (ERC-6492) has more than ${CALLDATA_MAX} bytes. Deploy the account, then sign again`,
};

export type DeploymentRefusal = keyof typeof DEPLOYMENT_REFUSALS;

export const isDeploymentRefusal = (code: string | undefined): code is DeploymentRefusal =>
  code !== undefined && code in DEPLOYMENT_REFUSALS;

/** Why the service does not run a deployment; null when it may. */
export function refusalOf(
  { walletFactories }: Pick<Config, "walletFactories">,
  { factory, factoryCalldata }: Deployment,
): DeploymentRefusal | null {
  if (!walletFactories.includes(factory)) return "FACTORY_NOT_LISTED";
  return size(factoryCalldata) > CALLDATA_MAX ? "DEPLOYMENT_TOO_LARGE" : null;
}

/**
 * The deployment that the service may run. A payer that has code is admitted whatever its signature names: the code can be gone when it
 * is sent, after a reorganisation or at a node that lags.
 */
export const allowedDeployment = (config: Pick<Config, "walletFactories">, deployment: Deployment | null) =>
  deployment && refusalOf(config, deployment) === null ? deployment : null;

export const deploymentOf = (
  config: Pick<Config, "walletFactories">,
  { factory, factoryCalldata }: Pick<Settlement, "factory" | "factoryCalldata">,
) => allowedDeployment(config, factory !== null && factoryCalldata !== null ? { factory, factoryCalldata } : null);

/**
 * Deploys, then makes `call`. The deployment may fail, because anyone can have made it before. If `call` fails, the account stays
 * deployed, so that its owner can cancel.
 */
export const afterDeployment = ({ factory, factoryCalldata }: Deployment, call: Call): Call =>
  multicall([{ call: { to: factory, data: factoryCalldata } }, { call }], { allowFailure: true });

/**
 * How a transfer is sent. `call` is the token's `transfer`, or what `afterDeployment` makes of it for an undeployed payer. `deployment`: the
 * allowed one that the payer came with.
 */
export type Sending = { kind: PayerKind; transfer: Call; call: Call; stipend: bigint; deployment: Deployment | null };

export function sendingOf(kind: PayerKind, transfer: Call, deployment: Deployment | null): Sending {
  const call = kind === "undeployed" && deployment ? afterDeployment(deployment, transfer) : transfer;
  return { kind, transfer, call, stipend: stipendOf(kind), deployment };
}

/**
 * The other way to send a transfer that was refused for `reason`: without the deployment that the payer came with, or with it. The node
 * that simulates can be behind the one that was asked for the payer's code, and a block with the deployment can be replaced. Null when
 * neither explains the refusal.
 */
export function otherSending({ kind, transfer, deployment }: Sending, reason: string): Sending | null {
  if (!deployment || meaningOf(reason).next !== "fail") return null;
  return sendingOf(kind === "undeployed" ? "code" : "undeployed", transfer, deployment);
}

/**
 * Simulates a transfer alone, as its own transaction. A deployment can run any code of its wallet, also code that uses or cancels the
 * authorization: the token then refuses the transfer as spent, and nothing has spent it.
 */
export async function simulateTransfer(
  chain: Chain,
  from: Address,
  { transfer, ...sending }: Omit<Sending, "deployment">,
): Promise<CallResult> {
  const isSpent = (result: CallResult) => !result.ok && meaningOf(result.reason).next === "look_up";
  const result = await simulateAlone(chain, from, sending);
  if (sending.kind !== "undeployed" || !isSpent(result)) return result;
  const bare = await chain.simulateAlone(from, transfer, aloneGas(transfer, sending.stipend));
  return isSpent(bare) ? result : { ok: false, reason: "the deployment spends the authorization" };
}

/** Simulates a call alone, as its own transaction. That of an undeployed payer is one of `afterDeployment`. */
async function simulateAlone(
  chain: Chain,
  from: Address,
  { call, stipend, kind }: Pick<Sending, "call" | "stipend" | "kind">,
): Promise<CallResult> {
  const result = await chain.simulateAlone(from, call, aloneGas(call, stipend));
  return kind === "undeployed" && result.ok ? resultOfCall(result.data) : result;
}

/** The result of `call` in `afterDeployment`. */
function resultOfCall(data: Hex): CallResult {
  // Multicall3 is not deployed.
  if (data === "0x") return { ok: false, reason: "" };
  const [, made] = decodeFunctionResult({ abi: MULTICALL_ABI, functionName: "aggregate3", data });
  if (!made) throw new Error("Multicall3 returned no result of the call");
  return made.success ? { ok: true, data: made.returnData } : { ok: false, reason: revertReason(made.returnData) };
}

type Undeployed = { account: Address; digest: Hex; signature: Hex; deployment: Deployment };

/** Whether the code that the deployment puts at `account` accepts the signature (EIP-1271). Runs both in one call. */
export async function acceptsOnceDeployed(chain: Chain, { account, digest, signature, deployment }: Undeployed) {
  const data = encodeFunctionData({ abi: ERC1271_ABI, functionName: "isValidSignature", args: [digest, signature] });
  const call = afterDeployment(deployment, { to: account, data });
  // Not from the account itself: a sender's nonce is raised, and CREATE2 refuses an address with a nonce.
  const item = { call, stipend: stipendOf("undeployed"), kind: "undeployed" as const };
  const result = await simulateAlone(chain, toAddress(zeroAddress), item);
  return result.ok && result.data === ERC1271_ANSWER;
}
