import type { LocalAccount } from "viem/accounts";
import { createSiweMessage } from "viem/siwe";
import { z } from "zod";
import { type Answer, type Api, type CallOptions, expectBody, Unexpected } from "./api";

export type OwnerActor = {
  account: LocalAccount;
  call: (method: string, path: string, json?: unknown) => Promise<Answer>;
  /** Opens an authorizationUrl, which links the agent to this owner. Returns the mandate's id. */
  claim: (authorizationUrl: string) => Promise<string>;
  /** Signs a claimed mandate without changing it. */
  signMandate: (mandateId: string) => Promise<Mandate>;
  /** Signs a claimed mandate with a vault: a single signature covers the mandate and its funding. Returns the file that the owner keeps. */
  signWithVault: (mandateId: string) => Promise<{ mandate: Mandate; vaultFile: unknown }>;
  /** Revokes a vault's mandate with a signature that the chain verifies; the money returns to the owner. */
  revokeVault: (mandateId: string) => Promise<Mandate>;
  /** Posts to `path`. If the service requires a wallet confirmation, signs and posts again. */
  confirm: (path: string, json?: object) => Promise<Answer>;
  /** Moves USDC from the owner's account to their spending wallet without gas. */
  deposit: (atomic: bigint) => Promise<Answer>;
};

type Mandate = z.output<typeof mandate>;
const mandate = z.object({ mandateId: z.string(), status: z.string(), isEnabled: z.boolean() });
const nonceAnswer = z.object({ nonce: z.string() });
const csrfAnswer = z.object({ csrfToken: z.string() });
const vaultDraft = z.object({ vault: z.object({ address: z.string(), terms: z.unknown() }) });
const typedData = z.object({
  domain: z.record(z.string(), z.unknown()),
  types: z.record(z.string(), z.array(z.object({ name: z.string(), type: z.string() }))),
  primaryType: z.string(),
  message: z.record(z.string(), z.unknown()),
});

/** Signs in with an Ethereum account through the next-auth endpoints that the sign-in page uses. */
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
    const response = await api.call(who, method, path, { ...options, headers: { origin, ...(cookie && { cookie }) } });
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (name !== undefined && value !== undefined) cookies.set(name, value);
    }
    return response;
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
    const response = await call("GET", path);
    const data = expectBody(response, 200, typedData, path);
    // The EIP-712 types are only known at run time; viem checks the data against them.
    const signature = await account.signTypedData(data as Parameters<LocalAccount["signTypedData"]>[0]);
    return { answer: response, data, signature };
  };

  return {
    account,
    call,
    claim: async (authorizationUrl) => {
      const url = new URL(authorizationUrl);
      const mandateId = url.pathname.split("/").at(-1) ?? "";
      const json = { token: url.searchParams.get("token") };
      const response = await call("POST", `/api/mandates/${mandateId}/claim`, json);
      return expectBody(response, 200, z.object({ mandate }), "claim").mandate.mandateId;
    },
    signMandate: async (mandateId) => {
      const { signature } = await signTyped(`/api/mandates/${mandateId}/typed-data`);
      const response = await call("POST", `/api/mandates/${mandateId}/signature`, { signature });
      return expectBody(response, 200, z.object({ mandate }), "signature").mandate;
    },
    signWithVault: async (mandateId) => {
      const path = `/api/mandates/${mandateId}/typed-data?mode=vault&funding=now`;
      const { answer, data, signature } = await signTyped(path);
      const { value: amount, validBefore } = data.message;
      const json = { mode: "vault", funding: "now", signature, amount, validBefore };
      const signed = await call("POST", `/api/mandates/${mandateId}/signature`, json);
      return {
        mandate: expectBody(signed, 200, z.object({ mandate }), "signature").mandate,
        vaultFile: expectBody(answer, 200, vaultDraft, path).vault,
      };
    },
    revokeVault: async (mandateId) => {
      const { signature: vaultSignature } = await signTyped(`/api/mandates/${mandateId}/revocation`);
      const response = await call("POST", `/api/mandates/${mandateId}/revoke`, { vaultSignature });
      return expectBody(response, 200, z.object({ mandate }), "revoke").mandate;
    },
    confirm: async (path, json = {}) => {
      const response = await call("POST", path, json);
      if (response.status !== 403) return response;
      const { typedData: data } = expectBody(response, 403, z.object({ typedData }), path);
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
