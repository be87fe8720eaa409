import { decodeFunctionResult, encodeFunctionData, type Hex, size, zeroAddress } from "viem";
import { type Address, toAddress } from "@/lib/core/address";
import { type Call, type CallResult, type Chain, ChainUnavailable } from "@/lib/platform/chain";
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

/** What came of one way to send a transfer. `over`: what does not fit the gas budgets of this way. */
export type SendingOutcome<Over> =
  | { type: "accepted"; sending: Sending }
  | { type: "over_budget"; over: Over }
  | { type: "refused"; reason: string };

/** The outcome of a simulation. Throws ChainUnavailable. */
export async function simulated(chain: Chain, from: Address, sending: Sending): Promise<SendingOutcome<never>> {
  const result = await simulateTransfer(chain, from, sending);
  return result.ok ? { type: "accepted", sending } : { type: "refused", reason: result.reason };
}

/** Refusals that the payer's code explains, or its absence. Any other shows that the signature was accepted. */
const isOfCode = (reason: string): boolean => {
  const refusal = meaningOf(reason);
  return refusal.next === "fail" && (refusal.code === "INVALID_SIGNATURE" || refusal.code === "REVERTED");
};

/**
 * Tries whether a transfer can be sent, and the other way, without or with the deployment that the payer came with, if the first way may
 * fail for that: the node that simulates can be behind the one that was asked for the payer's code, a block with the deployment can be
 * replaced, and each way has gas budgets of its own. The outcome is that of the first way unless the other one is accepted, or its refusal says more.
 */
export async function trySending<Over>(
  first: Sending,
  trySendingAs: (sending: Sending) => Promise<SendingOutcome<Over>>,
): Promise<SendingOutcome<Over>> {
  const outcome = await trySendingAs(first);
  const { kind, transfer, deployment } = first;
  const hasOtherWay = deployment !== null && (kind === "code" || kind === "undeployed");
  if (!hasOtherWay || outcome.type === "accepted") return outcome;
  if (outcome.type === "refused" && !isOfCode(outcome.reason)) return outcome;
  const other = sendingOf(kind === "undeployed" ? "code" : "undeployed", transfer, deployment);
  const otherOutcome = await trySendingAs(other).catch((error: unknown) => {
    // The node did not run the call: that says nothing against the first way's outcome.
    if (error instanceof ChainUnavailable && error.isOfCall) return outcome;
    throw error;
  });
  const saysMore = otherOutcome.type === "refused" && !isOfCode(otherOutcome.reason);
  return otherOutcome.type === "accepted" || saysMore ? otherOutcome : outcome;
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
