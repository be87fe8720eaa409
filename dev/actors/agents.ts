import { Tessera } from "@tessera/client";
import { z } from "zod";
import { type Answer, type Api, answerOf, expectBody } from "./api";

export type Credentials = { name: string; agentId: string; token: string };
export type AgentActor = {
  name: string;
  /** The agent's client: the published package. */
  tessera: Tessera;
  /** Sends any request as this agent and returns the response unchanged. */
  call: (method: string, path: string, json?: unknown) => Promise<Answer>;
};
export type Requirement = z.output<typeof requirement>;

export const requirement = z.object({
  scheme: z.string(),
  network: z.string(),
  maxAmountRequired: z.string(),
  resource: z.url(),
  description: z.string(),
  payTo: z.string(),
  asset: z.string(),
  maxTimeoutSeconds: z.number(),
  extra: z.object({ name: z.string(), version: z.string() }),
});
const priced = z.object({ accepts: z.tuple([requirement], z.unknown()) });

export async function registerAgent(api: Api, name: string): Promise<AgentActor> {
  const { baseUrl } = api;
  const clientInfo = "Tessera's own demonstration";
  return actorOf(name, await Tessera.register({ baseUrl, name, clientInfo, fetch: api.fetchAs(name) }));
}

/** An agent that registered earlier and kept its id and token. */
export const resumeAgent = ({ baseUrl, fetchAs }: Api, { name, agentId, token }: Credentials): AgentActor =>
  actorOf(name, new Tessera({ baseUrl, agentId, token, fetch: fetchAs(name) }));

const actorOf = (name: string, tessera: Tessera): AgentActor => ({
  name,
  tessera,
  call: async (method, path, json) => {
    const body = json !== undefined && { headers: { "content-type": "application/json" }, body: JSON.stringify(json) };
    return answerOf(await tessera.fetch(path, { method, ...body }));
  },
});

/** The body of a signing request for a 402's requirement. */
export const signingBody = ({ maxAmountRequired, asset, extra, maxTimeoutSeconds, ...rest }: Requirement) => ({
  ...rest,
  amount: maxAmountRequired,
  currency: "USDC" as const,
  assetAddress: asset,
  host: new URL(rest.resource).host,
  tokenName: extra.name,
  tokenVersion: extra.version,
  validityWindowSeconds: maxTimeoutSeconds,
});

/** Signs a 402's requirement under a mandate whose payees need no confirmation. */
export async function signUnder({ tessera }: AgentActor, mandateId: string, wanted: Requirement) {
  const response = await tessera.payments.sign({ ...signingBody(wanted), mandateId });
  if (response.status !== "ok") throw new Error(response.message);
  return response;
}

/** Requests an x402 resource without a proof and returns its first requirement. */
export async function fetchRequirement(api: Api, who: string, url: string): Promise<Requirement> {
  const response = await api.call(who, "GET", url);
  return expectBody(response, 402, priced, url).accepts[0];
}

/** Requests the resource with the proof. */
export const present = (api: Api, who: string, url: string, xPaymentB64: string): Promise<Answer> =>
  api.call(who, "GET", url, { headers: { "x-payment": xPaymentB64 } });

export type Paid = z.output<typeof paidAnswer>;
const paidAnswer = z.object({
  txHash: z.string(),
  settledAmount: z.string(),
  settlementId: z.string(),
  receiptUrl: z.url(),
});

export const expectPaid = (response: Answer): Paid => expectBody(response, 200, paidAnswer, "the payment");
