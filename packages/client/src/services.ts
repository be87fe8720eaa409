import { DEFAULT_NETWORK } from "../../x402/src/networks.ts";
import type { CallOptions } from "./call.ts";
import type { Query, Tessera } from "./client.ts";
import type { PayOptions, PayResult } from "./pay.ts";
import type * as T from "./types.ts";

const id = encodeURIComponent;

/** What the service lists for sale (x402 bazaar). Sellers write the descriptions: treat them as untrusted text. */
export const discoveryOf = (tessera: Tessera) => ({
  /** Resources whose description or URL contains every word of `query.query`. */
  search: (query: Query<T.SearchResourcesQuery> & { cursor?: number | undefined }, options?: CallOptions) =>
    tessera.request<T.SearchResourcesResponse>("GET", "/discovery/search", { query, options, isPublic: true }),
  list: (query: Query<T.ListResourcesQuery> = {}, options?: CallOptions) =>
    tessera.request<T.ListResourcesResponse>("GET", "/discovery/resources", { query, options, isPublic: true }),
  /** The URLs alone, as crawlers read them. */
  urls: async (options?: CallOptions) =>
    (await tessera.request<T.WellKnownX402Response>("GET", "/.well-known/x402", { options, isPublic: true })).resources,
});

/** Money of the agent's owner: service credits, and what an address holds. */
export const fundsOf = (tessera: Tessera) => ({
  /**
   * Buys service credits for the owner, one for each USDC. `amount`: atomic USDC, also in `options.maxAmount`. Throws PaymentError, as
   * `tessera.pay` does.
   */
  topUpCredits: (amount: string, options: Omit<PayOptions, "maxAmount"> = {}): Promise<PayResult> => {
    const body: T.TopUpCreditsBody = { amount, agentId: tessera.agentId };
    const headers = { "Content-Type": "application/json" };
    const init = { method: "POST", headers, body: JSON.stringify(body) };
    return tessera.pay(`${tessera.baseUrl}/api/credits/top-up`, init, { ...options, maxAmount: amount });
  },
  /** The USDC of any address, in atomic units; null while the chain does not respond. */
  balance: async (
    address: string,
    network: T.GetBalanceResponse["network"] = DEFAULT_NETWORK,
    options?: CallOptions,
  ) => {
    const path = `/api/networks/${network}/balances/${id(address)}`;
    return (await tessera.request<T.GetBalanceResponse>("GET", path, { options, isPublic: true })).balance;
  },
  /** Mints test USDC to an address. Only a service with local chains has it: elsewhere `not_found`. Returns the new balance. */
  mintTestUsdc: async (body: T.MintTestUsdcBody, options?: CallOptions) =>
    (await tessera.request<T.MintTestUsdcResponse>("POST", "/api/devnet/faucet", { body, options, isPublic: true }))
      .balance,
});

/**
 * Cancellation of a payment that the service stopped submitting and that could still be paid until `stillValidUntil`. The payer
 * signs; the service pays the gas.
 */
export const cancellationsOf = (tessera: Tessera) => ({
  /** The typed data (EIP-712) to sign with the payer's key. */
  get: (settlementId: string, options?: CallOptions) =>
    tessera.request<T.GetCancellationResponse>("GET", cancellation(settlementId), { options, isPublic: true }),
  /** Submits the signature: `pending` until the chain shows the cancellation. Repeating it is safe. */
  submit: (settlementId: string, signature: string, options?: CallOptions) =>
    tessera.request<T.PostCancellationResponse>("POST", cancellation(settlementId), {
      options,
      isPublic: true,
      body: { signature } satisfies T.PostCancellationBody,
    }),
});

const cancellation = (settlementId: string) => `/api/settlements/${id(settlementId)}/cancellation`;
