import { setTimeout as sleep } from "node:timers/promises";
import type { LocalAccount } from "viem/accounts";
import { createSiweMessage } from "viem/siwe";
import { z } from "zod";

/**
 * Agents and owners as programs outside of the service: all they know is its address and its documented HTTP API.
 */

export type Exchange = { who: string; method: string; url: string; sent: unknown; answer: Answer };
export type Answer = { status: number; headers: Headers; text: string; body: unknown };
export type CallOptions = { headers?: Record<string, string>; json?: unknown; form?: Record<string, string> };
export type Api = {
  baseUrl: string;
  /** `path` may be a whole URL. Only a connection that fails throws. */
  call: (who: string, method: string, path: string, options?: CallOptions) => Promise<Answer>;
};

/** The API at `baseUrl`; `heard` is told of every exchange. */
export function openApi(baseUrl: string, heard: (exchange: Exchange) => void = () => {}): Api {
  return {
    baseUrl,
    call: async (who, method, path, { headers = {}, json, form } = {}) => {
      const url = new URL(path, baseUrl).href;
      const type = json !== undefined ? "application/json" : form && "application/x-www-form-urlencoded";
      const body = json !== undefined ? JSON.stringify(json) : form && new URLSearchParams(form).toString();
      const res = await fetch(url, {
        method,
        headers: { ...headers, ...(type && { "content-type": type }) },
        redirect: "manual",
        signal: AbortSignal.timeout(70_000),
        ...(body !== undefined && { body }),
      });
      const text = await res.text();
      const answer = { status: res.status, headers: res.headers, text, body: parsed(text) };
      heard({ who, method, url, sent: json ?? form, answer });
      return answer;
    },
  };
}

/** An answer that the one who asked cannot go on from. */
export class Unexpected extends Error {
  override readonly name = "Unexpected";

  constructor(
    readonly answer: Answer,
    what: string,
  ) {
    super(`${what} answered ${answer.status}: ${answer.text.slice(0, 400)}`);
  }
}

/** The code by which an answer names its failure. */
export const codeOf = ({ body }: Answer): string | undefined =>
  z.object({ code: z.string() }).safeParse(body).data?.code;

/** The body of an answer that must have this status and at least these members. Throws Unexpected. */
export function expectBody<S extends z.ZodType>(answer: Answer, status: number, shape: S, what: string): z.output<S> {
  const body = shape.safeParse(answer.body);
  if (answer.status !== status || !body.success) throw new Unexpected(answer, what);
  return body.data;
}

// Agents

export type Credentials = { name: string; agentId: string; token: string };
export type AgentActor = Credentials & {
  call: (method: string, path: string, json?: unknown) => Promise<Answer>;
  /** Asks for a mandate; a person has to open the address and sign. */
  createIntent: (intent: object) => Promise<Intent>;
  mandate: (mandateId: string) => Promise<Mandate>;
  /** Signs what a 402 asks for, out of a mandate. */
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
const mandate = z.object({
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

/** An agent that registered before: all it kept is its id and its token. */
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

/** The body that asks our wallet for what a 402 wants. */
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

/** Asks an x402 resource for its price. */
export async function askPrice(api: Api, who: string, url: string): Promise<Requirement> {
  const answer = await api.call(who, "GET", url);
  return expectBody(answer, 402, priced, url).accepts[0];
}

/** Asks the same resource again, with the proof. */
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

/** The whole dance: price, signature, payment. Throws Unexpected; after a 202 it waits for the end before it says anything. */
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

// Owners

export type OwnerActor = {
  account: LocalAccount;
  call: (method: string, path: string, json?: unknown) => Promise<Answer>;
  /** Opens the address an agent was given: the mandate's agent becomes this owner's. */
  claim: (authorizationUrl: string) => Promise<string>;
  /** Signs a claimed mandate as it stands. */
  signMandate: (mandateId: string) => Promise<Mandate>;
  /** Posts to `path`, and signs what it does where the service asks for the wallet's signature. */
  confirm: (path: string, json?: object) => Promise<Answer>;
  /** Moves USDC from the owner's own account to their spending wallet, without gas. */
  deposit: (atomic: bigint) => Promise<Answer>;
};

const nonceAnswer = z.object({ nonce: z.string() });
const csrfAnswer = z.object({ csrfToken: z.string() });
const typedData = z.object({
  domain: z.record(z.string(), z.unknown()),
  types: z.record(z.string(), z.array(z.object({ name: z.string(), type: z.string() }))),
  primaryType: z.string(),
  message: z.record(z.string(), z.unknown()),
});

/** Signs in with an Ethereum account as the sign-in page does: nonce, message, signature, next-auth's own endpoints. */
export async function signInOwner(
  api: Api,
  who: string,
  account: LocalAccount,
  issuedAt = new Date(),
): Promise<OwnerActor> {
  const cookies = new Map<string, string>();
  const origin = new URL(api.baseUrl).origin;
  const request = async (method: string, path: string, options: CallOptions = {}) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await api.call(who, method, path, { ...options, headers: { origin, ...(cookie && { cookie }) } });
    for (const line of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (name !== undefined && value !== undefined) cookies.set(name, value);
    }
    return answer;
  };

  const { nonce } = expectBody(await request("GET", "/api/siwe/nonce"), 200, nonceAnswer, "/api/siwe/nonce");
  const message = createSiweMessage({
    domain: new URL(api.baseUrl).host,
    uri: origin,
    address: account.address,
    chainId: 8453,
    version: "1",
    statement: "Sign in to Tessera.",
    nonce,
    issuedAt,
  });
  const { csrfToken } = expectBody(await request("GET", "/api/auth/csrf"), 200, csrfAnswer, "/api/auth/csrf");
  const signature = await account.signMessage({ message });
  const form = { message, signature, csrfToken, callbackUrl: origin, json: "true" };
  const entered = await request("POST", "/api/auth/callback/siwe", { form });
  if (![...cookies.keys()].some((name) => name.endsWith("next-auth.session-token"))) {
    throw new Unexpected(entered, "sign-in");
  }

  const call: OwnerActor["call"] = (method, path, json) => request(method, path, { json });
  const signTyped = async (path: string) => {
    const data = expectBody(await call("GET", path), 200, typedData, path);
    // EIP-712 types known at run time only: viem checks them against the data.
    return { data, signature: await account.signTypedData(data as Parameters<LocalAccount["signTypedData"]>[0]) };
  };

  return {
    account,
    call,
    claim: async (authorizationUrl) => {
      const url = new URL(authorizationUrl);
      const mandateId = url.pathname.split("/").at(-1) ?? "";
      const json = { token: url.searchParams.get("token") };
      const answer = await call("POST", `/api/mandates/${mandateId}/claim`, json);
      return expectBody(answer, 200, z.object({ mandate }), "claim").mandate.mandateId;
    },
    signMandate: async (mandateId) => {
      const { signature } = await signTyped(`/api/mandates/${mandateId}/typed-data`);
      const answer = await call("POST", `/api/mandates/${mandateId}/signature`, { signature });
      return expectBody(answer, 200, z.object({ mandate }), "signature").mandate;
    },
    confirm: async (path, json = {}) => {
      const answer = await call("POST", path, json);
      if (answer.status !== 403) return answer;
      const { typedData: data } = expectBody(answer, 403, z.object({ typedData }), path);
      const signature = await account.signTypedData(data as Parameters<LocalAccount["signTypedData"]>[0]);
      return call("POST", path, { ...json, signature });
    },
    deposit: async (atomic) => {
      const { data, signature } = await signTyped(`/api/wallet/deposits/typed-data?network=base&amount=${atomic}`);
      const json = { network: "base", authorization: data.message, signature };
      return call("POST", "/api/wallet/deposits", json);
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
