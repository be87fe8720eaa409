import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { z } from "zod";
import { toUsdc } from "@/lib/core/money";
import { type AgentActor, fetchRequirement, type Requirement, registerAgent } from "../actors/agents";
import { type Api, expectBody, openApi } from "../actors/api";
import { type OwnerActor, signInOwner } from "../actors/owners";
import type { Stack } from "../local/stack";
import { type Client, openClient } from "./load";

export const PRICE = toUsdc(1_000n);
/** Concurrent HTTP connections: enough for batching to have an effect. */
export const CONNECTIONS = 64;
const FUNDS = 10_000_000_000n;

export type Bench = {
  stack: Stack;
  /** A server on which Next handles the API: its `/healthz` is a bare route handler. */
  next: Client;
  /** Number of rounds; the median counts. */
  rounds: number;
  /** Seconds per round. */
  seconds: number;
  api: Api;
  client: Client;
  owner: OwnerActor;
  buyer: AgentActor;
  vendor: AgentActor;
  jwt: string;
  progress: (line: string) => void;
};

export type Setting = Pick<Bench, "rounds" | "seconds" | "progress">;

/** Two agents and two owners. The buyer's owner has money in the spending wallet. */
export async function openBench(stack: Stack, bare: Stack, setting: Setting): Promise<Bench & { close: () => void }> {
  setting.progress("Creating two agents and two owners, and funding them");
  const api = openApi(stack.baseUrl);
  const [buyer, vendor] = [await registerAgent(api, "Buyer"), await registerAgent(api, "Vendor")];
  const owner = await signInOwner(api, "Owner", privateKeyToAccount(generatePrivateKey()));
  const seller = await signInOwner(api, "Seller", privateKeyToAccount(generatePrivateKey()));
  await seller.claim((await vendor.tessera.mandates.create(intent())).authorizationUrl);
  await owner.claim((await buyer.tessera.mandates.create(intent())).authorizationUrl);
  await mint(api, owner.account.address, FUNDS);
  await owner.deposit(FUNDS);
  const jwt = await jwtOf(api, buyer);
  const [client, next] = [openClient(stack.baseUrl, CONNECTIONS), openClient(bare.baseUrl, CONNECTIONS)];
  const close = () => [client, next].forEach((each) => void each.close());
  return { ...setting, stack, next, api, client, owner, buyer, vendor, jwt, close };
}

const intent = () => ({ naturalLanguage: "Bench", limitAmount: (2n ** 90n).toString(), validForSeconds: 86_400 });

export async function mint(api: Api, address: string, atomic: bigint): Promise<void> {
  const response = await api.call("Faucet", "POST", "/api/devnet/faucet", {
    json: { address, amount: atomic.toString() },
  });
  expectBody(response, 200, z.object({}), "faucet");
}

/** Another agent, whose owner limits everything that is spent, and the agent by itself, far above what a benchmark signs. */
export async function limitedBuyer({ api, client }: Bench): Promise<Pick<Bench, "client" | "buyer" | "owner" | "jwt">> {
  const buyer = await registerAgent(api, "Limited buyer");
  const owner = await signInOwner(api, "Owner with limits", privateKeyToAccount(generatePrivateKey()));
  await owner.claim((await buyer.tessera.mandates.create(intent())).authorizationUrl);
  const most = (2n ** 90n).toString();
  for (const agentId of [null, buyer.tessera.agentId]) {
    const cap = { agentId, maxAmountPer24Hours: most, maxAmountPer30Days: most };
    const response = await owner.confirm("/api/wallet/spending-caps", cap);
    expectBody(response, 200, z.object({}), "the limit");
  }
  return { client, buyer, owner, jwt: await jwtOf(api, buyer) };
}

async function jwtOf(api: Api, { tessera: { agentId: agent_id, token } }: AgentActor): Promise<string> {
  const renewed = await api.call("Buyer", "POST", "/refresh", { json: { agent_id, token } });
  return expectBody(renewed, 200, z.object({ jwt: z.string() }), "/refresh").jwt;
}

export async function signedMandate({ buyer, owner }: Pick<Bench, "buyer" | "owner">): Promise<string> {
  const mandateId = await owner.claim((await buyer.tessera.mandates.create(intent())).authorizationUrl);
  await owner.signMandate(mandateId);
  return mandateId;
}

/** The requirement of the vendor's UPL for PRICE. */
export const priceOf = ({ api, vendor }: Bench): Promise<Requirement> =>
  fetchRequirement(api, "Buyer", vendor.tessera.receiveUrl(`${PRICE}`));

const signed = z.object({ xPaymentB64: z.string() });

/** Signs under a mandate with a minimal client, because the client shares the machine with the measured service. */
export async function signV3(
  { client, jwt }: Pick<Bench, "client" | "jwt">,
  mandateId: string,
  wanted: Requirement,
): Promise<string> {
  const { status, text } = await client.send({
    method: "POST",
    path: "/api/payment/x402V3Payment",
    headers: { authorization: `Bearer ${jwt}` },
    json: {
      mandateId,
      amount: wanted.maxAmountRequired,
      payTo: wanted.payTo,
      resource: wanted.resource,
      network: wanted.network,
      assetAddress: wanted.asset,
      validityWindowSeconds: 3_600,
    },
  });
  if (status !== 200) throw new Error(`x402V3Payment answered ${status}: ${text}`);
  return signed.parse(JSON.parse(text)).xPaymentB64;
}
