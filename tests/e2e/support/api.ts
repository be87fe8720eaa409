import { generatePrivateKey, type LocalAccount, privateKeyToAccount } from "viem/accounts";
import { createSiweMessage } from "viem/siwe";

/** Requests to the running server, as agents and other people's browsers send them. */

export const BASE_URL = process.env.E2E_BASE_URL ?? "http://localhost:3000";

export type Agent = { agentId: string; jwt: string; token: string; name: string };
export type Person = { key: `0x${string}`; account: LocalAccount; cookie: string };
export type Proposal = { mandateId: string; authorizationUrl: string };
type Json = Record<string, unknown>;
type Call = { json?: unknown; jwt?: string; cookie?: string; headers?: Record<string, string> };

/** Throws if the response does not have the expected `status`, by default 200. */
export async function call<T = Json>(method: string, path: string, options: Call = {}, status = 200): Promise<T> {
  const { json, jwt, cookie, headers } = options;
  const response = await fetch(new URL(path, BASE_URL), {
    method,
    headers: {
      Origin: new URL(BASE_URL).origin,
      ...(json !== undefined && { "Content-Type": "application/json" }),
      ...(jwt && { Authorization: `Bearer ${jwt}` }),
      ...(cookie && { Cookie: cookie }),
      ...headers,
    },
    ...(json !== undefined && { body: JSON.stringify(json) }),
  });
  const text = await response.text();
  if (response.status !== status) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
  return JSON.parse(text) as T;
}

export async function newAgent(name = "Research agent"): Promise<Agent> {
  const json = { agent_name: name, client_info: "e2e" };
  type Registered = { agent_id: string; jwt: string; token: string };
  const { agent_id: agentId, jwt, token } = await call<Registered>("POST", "/register", { json });
  return { agentId, jwt, token, name };
}

export const INTENT = {
  naturalLanguage: "Spend up to 25 USDC on market data for the weekly report.",
  limitAmount: "25000000",
  validForSeconds: 13 * 86_400,
  hostAllowlist: [new URL(BASE_URL).host, "data.example.com"],
};

export const propose = (agent: Agent, intent: Json = {}): Promise<Proposal> =>
  call("POST", "/api/mandates/create-intent", { jwt: agent.jwt, json: { intent: { ...INTENT, ...intent } } });

/** A signed-in person with a new wallet, without a browser. */
export async function newPerson(key = generatePrivateKey()): Promise<Person> {
  const account = privateKeyToAccount(key);
  const { nonce } = await call<{ nonce: string }>("GET", "/api/siwe/nonce");
  const message = createSiweMessage({
    domain: new URL(BASE_URL).host,
    uri: new URL(BASE_URL).origin,
    address: account.address,
    chainId: 8453,
    version: "1",
    nonce,
    issuedAt: new Date(),
  });
  const csrf = await fetch(new URL("/api/auth/csrf", BASE_URL));
  const { csrfToken } = (await csrf.json()) as { csrfToken: string };
  const signature = await account.signMessage({ message });
  const response = await fetch(new URL("/api/auth/callback/siwe", BASE_URL), {
    method: "POST",
    redirect: "manual",
    headers: { Cookie: cookiesOf(csrf), "Content-Type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ message, signature, csrfToken, callbackUrl: BASE_URL, json: "true" }),
  });
  const cookie = cookiesOf(response)
    .split("; ")
    .find((part) => part.includes("next-auth.session-token="));
  if (!cookie) throw new Error(`sign-in answered ${response.status}`);
  return { key, account, cookie };
}

const cookiesOf = (response: Response): string =>
  response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");

const tokenOf = ({ authorizationUrl }: Proposal) => new URL(authorizationUrl).searchParams.get("token");

export const claim = (person: Person, proposal: Proposal) =>
  call("POST", `/api/mandates/${proposal.mandateId}/claim`, {
    cookie: person.cookie,
    json: { token: tokenOf(proposal) },
  });

/** Does for `person` what the signing page does. */
export async function sign(person: Person, proposal: Proposal): Promise<void> {
  await claim(person, proposal);
  const path = `/api/mandates/${proposal.mandateId}`;
  const { cookie, account } = person;
  // Checked by the server, which reads the same data.
  const typedData = await call<Parameters<LocalAccount["signTypedData"]>[0]>("GET", `${path}/typed-data`, { cookie });
  const signature = await account.signTypedData(typedData);
  await call("POST", `${path}/signature`, { cookie, json: { signature } });
}

/** Posts an owner's action, and signs it with their wallet if the service requires it. */
export async function confirmed<T = Json>(
  { cookie, account }: Person,
  path: string,
  json: Json,
  status = 200,
): Promise<T> {
  const first = await fetch(new URL(path, BASE_URL), {
    method: "POST",
    headers: { Origin: new URL(BASE_URL).origin, "Content-Type": "application/json", Cookie: cookie },
    body: JSON.stringify(json),
  });
  const response = (await first.json()) as Json;
  if (response.code !== "signature_required") {
    if (first.status !== status) throw new Error(`POST ${path} answered ${first.status}: ${JSON.stringify(response)}`);
    return response as T;
  }
  const signature = await account.signTypedData(response.typedData as Parameters<LocalAccount["signTypedData"]>[0]);
  return call<T>("POST", path, { cookie, json: { ...json, signature } }, status);
}

/** An agent that can be paid, because it is linked to a new owner. */
export async function newPayee(): Promise<Agent> {
  const agent = await newAgent("Data seller");
  await claim(await newPerson(), await propose(agent));
  return agent;
}

export type Link = { linkId: string; url: string };

/** A payment link of `seller`, by default over 1.25 USDC. */
export async function makeLink(seller: Agent, link: Json = {}): Promise<Link> {
  const json = { amount: "1250000", description: "AI market report, November", ...link };
  const created = await call<{ paymentLink: Link }>("POST", "/api/payment-links", { jwt: seller.jwt, json });
  return created.paymentLink;
}

/** What a link was paid, newest first. */
export async function paymentsOf(seller: Agent, { linkId }: Link): Promise<{ payerAddress: string; amount: string }[]> {
  const path = `/api/payment-links/${linkId}/payments`;
  return (await call<{ payments: { payerAddress: string; amount: string }[] }>("GET", path, { jwt: seller.jwt }))
    .payments;
}

/** `person` pays at a link as an agent would, with a proof that runs out in so many seconds; throws unless `status` is the answer. */
export const payAs = (
  person: Pick<Person, "account">,
  { linkId }: Link,
  seconds = 60,
  status = 200,
): Promise<Settled> => payPath<Settled>(person, `/paymentlink/${linkId}`, seconds, status);

/** `payAs` for any path that has a price. */
export async function payPath<T = Json>(
  { account }: Pick<Person, "account">,
  path: string,
  seconds = 60,
  status = 200,
): Promise<T> {
  type Offer = {
    payTo: `0x${string}`;
    maxAmountRequired: string;
    asset: `0x${string}`;
    extra: { name: string; version: string };
  };
  const { accepts } = await call<{ accepts: [Offer] }>("GET", path, {}, 402);
  const [offer] = accepts;
  const now = Math.floor(Date.now() / 1000);
  const message = {
    from: account.address,
    to: offer.payTo,
    value: BigInt(offer.maxAmountRequired),
    validAfter: BigInt(now - 600),
    validBefore: BigInt(now + seconds),
    nonce: `0x${crypto.randomUUID().replaceAll("-", "").repeat(2)}` as const,
  };
  const signature = await account.signTypedData({
    domain: { ...offer.extra, chainId: 8453, verifyingContract: offer.asset },
    types: {
      TransferWithAuthorization: [
        { name: "from", type: "address" },
        { name: "to", type: "address" },
        { name: "value", type: "uint256" },
        { name: "validAfter", type: "uint256" },
        { name: "validBefore", type: "uint256" },
        { name: "nonce", type: "bytes32" },
      ],
    },
    primaryType: "TransferWithAuthorization",
    message,
  });
  const written = Object.fromEntries(Object.entries(message).map(([name, value]) => [name, String(value)]));
  const proof = { x402Version: 1, scheme: "exact", network: "base", payload: { signature, authorization: written } };
  return call("GET", path, { headers: { "X-Payment": btoa(JSON.stringify(proof)) } }, status);
}

export async function fund(person: Person, amount = "100000000"): Promise<void> {
  const { wallets } = await call<{ wallets: { network: string; address: string }[] }>("GET", "/api/wallet", {
    cookie: person.cookie,
  });
  const address = wallets.find((wallet) => wallet.network === "base")?.address;
  await call("POST", "/api/devnet/faucet", { json: { address, amount } });
}

type Settled = { success: boolean; txHash: string; settlementId: string; receiptUrl: string; contentUrl: string };

/** Pays `payee` at its UPL under a mandate. */
export const payUpl = (agent: Agent, mandateId: string, payee: Agent, amount: string): Promise<Settled> =>
  payAt(agent, mandateId, `/unifypaymentlink/agentid/${payee.agentId}?amount=${amount}&asset=usdc`, amount);

/** Pays a payment link under a mandate. */
export const payLinkByMandate = (
  agent: Agent,
  mandateId: string,
  { linkId }: Link,
  amount = "1250000",
): Promise<Settled> => payAt(agent, mandateId, `/paymentlink/${linkId}`, amount);

/** Has a text scanned, paid with service credits of the agent's owner. */
export async function payScan(agent: Agent, mandateId: string): Promise<Json> {
  const path = "/api/transaction-firewall/sentinel/api/prompt-scan";
  const [json, headers] = [{ text: "What is the weather in Bern?" }, { "X-Agent-ID": agent.agentId }];
  const { accepts } = await call<{ accepts: Record<string, string>[] }>("POST", path, { json, headers }, 402);
  const offer = accepts.find(({ network }) => network === "service-credits");
  if (!offer) throw new Error("the 402 does not offer credits");
  const { network, payTo, resource, maxAmountRequired: amount } = offer;
  const { xPaymentB64 } = await call<{ xPaymentB64: string }>("POST", "/api/payment/x402V3Payment", {
    jwt: agent.jwt,
    json: { mandateId, network, payTo, resource, amount },
  });
  return call("POST", path, { json, headers: { ...headers, "X-Payment": xPaymentB64 } });
}

/** 402, proof, settlement. */
async function payAt(agent: Agent, mandateId: string, url: string, amount: string): Promise<Settled> {
  const required = await call<{ accepts: { payTo: string; resource: string; description: string }[] }>(
    "GET",
    url,
    {},
    402,
  );
  const [offer] = required.accepts;
  if (!offer) throw new Error("the 402 offers nothing");
  const { payTo, resource, description } = offer;
  const { xPaymentB64 } = await call<{ xPaymentB64: string }>("POST", "/api/payment/x402V3Payment", {
    jwt: agent.jwt,
    json: { mandateId, amount, payTo, resource, description },
  });
  return call("GET", url, { headers: { "X-Payment": xPaymentB64 } });
}

/** A new account with just enough money pays a link of 1.25 USDC, as a program does. */
export async function payLink(link: Link, amount = "1250000"): Promise<Settled & { payer: string }> {
  const account = privateKeyToAccount(generatePrivateKey());
  await call("POST", "/api/devnet/faucet", { json: { address: account.address, amount } });
  return { ...(await payAs({ account }, link)), payer: account.address };
}
