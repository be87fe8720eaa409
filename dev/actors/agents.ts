import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { type Answer, type Api, expectBody, parsed, Unexpected } from "./api";

export type Credentials = { name: string; agentId: string; token: string };
export type AgentActor = Credentials & {
  call: (method: string, path: string, json?: unknown) => Promise<Answer>;
  /** Requests a mandate; its owner has to open the returned address and sign. */
  createIntent: (intent: object) => Promise<Intent>;
  mandate: (mandateId: string) => Promise<Mandate>;
  /** Signs the payment that a 402 requires, under a mandate. */
  sign: (mandateId: string, requirement: Requirement) => Promise<Signed>;
  upl: (atomic: bigint) => string;
};
export type Intent = z.output<typeof intentAnswer>;
export type Mandate = z.output<typeof mandate>;
export type Requirement = z.output<typeof requirement>;
export type Signed = z.output<typeof signed>;

const registration = z.object({ agent_id: z.string(), token: z.string(), jwt: z.string() });
const login = z.object({ jwt: z.string() });
const intentAnswer = z.object({
  mandateId: z.string(),
  authorizationUrl: z.url(),
  agentStatus: z.enum(["ready", "needs_wallet_authorization"]),
});
export const mandate = z.object({
  mandateId: z.string(),
  status: z.string(),
  isEnabled: z.boolean(),
  remainingAmount: z.string(),
});
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
export const signed = z.object({ xPaymentB64: z.string(), paymentRecordId: z.string() });

export async function registerAgent(api: Api, name: string): Promise<AgentActor> {
  const answer = await api.call(name, "POST", "/register", {
    json: { agent_name: name, client_info: "Tessera's own demonstration" },
  });
  const { agent_id: agentId, token, jwt } = expectBody(answer, 200, registration, "/register");
  return agentWith(api, { name, agentId, token }, jwt);
}

/** An agent that registered before and kept its id and token. */
export const resumeAgent = (api: Api, credentials: Credentials): AgentActor => agentWith(api, credentials, null);

function agentWith(api: Api, credentials: Credentials, firstJwt: string | null): AgentActor {
  const { name, agentId, token } = credentials;
  let jwt = firstJwt;

  const refreshed = async () => {
    const answer = await api.call(name, "POST", "/refresh", { json: { agent_id: agentId, token } });
    return expectBody(answer, 200, login, "/refresh").jwt;
  };
  const call: AgentActor["call"] = async (method, path, json) => {
    if (!jwt || expiresSoon(jwt)) jwt = await refreshed();
    return api.call(name, method, path, { headers: { authorization: `Bearer ${jwt}` }, json });
  };

  return {
    ...credentials,
    call,
    createIntent: async (intent) =>
      expectBody(await call("POST", "/api/mandates/create-intent", { intent }), 200, intentAnswer, "create-intent"),
    mandate: async (id) => {
      const answer = await call("GET", `/api/mandates/agent/${id}`);
      return expectBody(answer, 200, z.object({ mandate }), `mandate ${id}`).mandate;
    },
    sign: async (mandateId, wanted) => {
      const answer = await call("POST", "/api/payment/x402V3Payment", { ...askFor(wanted), mandateId });
      return expectBody(answer, 200, signed, "x402V3Payment");
    },
    upl: (atomic) => `${api.baseUrl}/unifypaymentlink/agentid/${agentId}?amount=${atomic}&asset=usdc`,
  };
}

/** The body of a signing request for the requirement of a 402. */
export const askFor = ({ maxAmountRequired, asset, extra, maxTimeoutSeconds, ...wanted }: Requirement) => ({
  ...wanted,
  amount: maxAmountRequired,
  currency: "USDC",
  assetAddress: asset,
  host: new URL(wanted.resource).host,
  tokenName: extra.name,
  tokenVersion: extra.version,
  validityWindowSeconds: maxTimeoutSeconds,
});

const REFRESH_BEFORE_SECONDS = 60;

function expiresSoon(jwt: string): boolean {
  const claims = z
    .object({ exp: z.number() })
    .safeParse(parsed(Buffer.from(jwt.split(".")[1] ?? "", "base64url").toString()));
  return !claims.success || claims.data.exp - REFRESH_BEFORE_SECONDS < Date.now() / 1000;
}

/** Requests an x402 resource without a proof; returns its first requirement. */
export async function askPrice(api: Api, who: string, url: string): Promise<Requirement> {
  const answer = await api.call(who, "GET", url);
  return expectBody(answer, 402, priced, url).accepts[0];
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
const pendingAnswer = z.object({ settlementId: z.string() });
const settlementAnswer = z.object({ settlementStatus: z.enum(["pending", "settled", "failed"]) });

/** Gets the price, signs and pays. After a 202 it polls until the settlement ends. Throws Unexpected. */
export async function pay(
  api: Api,
  agent: AgentActor,
  mandateId: string,
  url: string,
): Promise<{ receiptUrl: string }> {
  const wanted = await askPrice(api, agent.name, url);
  const { xPaymentB64 } = await agent.sign(mandateId, wanted);
  const answer = await present(api, agent.name, wanted.resource, xPaymentB64);
  if (answer.status !== 202) return expectBody(answer, 200, paidAnswer, "the payment");
  const { settlementId } = expectBody(answer, 202, pendingAnswer, "the payment");
  for (;;) {
    const look = await api.call(agent.name, "GET", `/api/settlements/${settlementId}`);
    const { settlementStatus } = expectBody(look, 200, settlementAnswer, "the settlement");
    if (settlementStatus === "settled") return { receiptUrl: `${api.baseUrl}/receipt/${settlementId}` };
    if (settlementStatus === "failed") throw new Unexpected(look, "the settlement");
    await sleep(2_000);
  }
}

export const expectPaid = (answer: Answer): Paid => expectBody(answer, 200, paidAnswer, "the payment");
