import { generatePrivateKey, type LocalAccount, privateKeyToAccount } from "viem/accounts";
import { createSiweMessage } from "viem/siwe";
import { type Address, toAddress } from "@/lib/core/address";
import { BASE_URL, call, fetchPath } from "./http";

export type TestOwner = { account: LocalAccount; address: Address; privateKey: `0x${string}`; session: string };
export type TestAgent = { agentId: string; token: string; jwt: string };
export type SiweFields = Partial<Parameters<typeof createSiweMessage>[0]>;

/** A signed-in person with a new wallet. */
export async function newOwner(): Promise<TestOwner> {
  const privateKey = generatePrivateKey();
  const account = privateKeyToAccount(privateKey);
  return { account, address: toAddress(account.address), privateKey, session: await signInOwner(account) };
}

/** Signs in as a browser does: nonce, message, signature, next-auth's callback. Returns the session cookie's value. */
export async function signInOwner(account: LocalAccount): Promise<string> {
  const message = await siweMessage(account.address);
  const session = sessionIn(await postSignIn(message, await account.signMessage({ message })));
  if (!session) throw new Error(`${account.address} was not let in`);
  return session;
}

/** A newly registered agent without an owner. */
export async function newAgent(name = "Test agent"): Promise<TestAgent> {
  const { status, body } = await call("POST", "/register", { json: { agent_name: name, client_info: "tests" } });
  if (status !== 200) throw new Error(`/register answered ${status}`);
  const { agent_id: agentId, token, jwt } = body as { agent_id: string; token: string; jwt: string };
  return { agentId, token, jwt };
}

/** The message that the sign-in page gives the wallet to sign. */
export async function siweMessage(address: string, fields: SiweFields = {}): Promise<string> {
  return createSiweMessage({
    domain: new URL(BASE_URL).host,
    uri: BASE_URL,
    address: toAddress(address),
    chainId: 8453,
    version: "1",
    nonce: fields.nonce ?? (await nonce()),
    issuedAt: new Date(),
    ...fields,
  });
}

export async function nonce(): Promise<string> {
  const { body } = await call("GET", "/api/siwe/nonce");
  return (body as { nonce: string }).nonce;
}

/** Posts a signed message as `signIn("siwe", …)` of next-auth/react does. */
export async function postSignIn(
  message: string,
  signature: string,
  fields: Record<string, string> = {},
  via: Via = {},
): Promise<Response> {
  const csrf = await callAuth("GET", "csrf", via);
  const { csrfToken }: { csrfToken: string } = await csrf.json();
  const form = new URLSearchParams({ message, signature, csrfToken, callbackUrl: BASE_URL, json: "true", ...fields });
  return callAuth("POST", "callback/siwe", { ...via, cookie: cookieHeader(csrf), body: form.toString() });
}

/** `address`: the client's address, if the server trusts one proxy. `port`: the replica that receives the request. */
export type Via = { address?: string; port?: number };

export const sessionIn = (res: Response): string | null =>
  /^(?:__Secure-)?next-auth\.session-token=([\w.-]+)/m.exec(res.headers.getSetCookie().join("\n"))?.[1] ?? null;

const cookieHeader = (res: Response): string =>
  res.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");

/** Calls a next-auth endpoint. */
export async function callAuth(
  method: "GET" | "POST",
  path: string,
  { cookie = "", body, address, port }: { cookie?: string; body?: string } & Via = {},
): Promise<Response> {
  const headers = new Headers({ cookie });
  if (address !== undefined) headers.set("x-forwarded-for", address);
  if (body !== undefined) headers.set("content-type", "application/x-www-form-urlencoded");
  return fetchPath(method, `/api/auth/${path}`, {
    headers,
    ...(body !== undefined && { body }),
    ...(port !== undefined && { port }),
  });
}
