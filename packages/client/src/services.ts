import { DEFAULT_NETWORK } from "../../x402/src/networks.ts";
import type { CallOptions } from "./call.ts";
import type { Query, Tessera } from "./client.ts";
import type { PayOptions, PayResult } from "./pay.ts";
import type * as T from "./types.ts";

const id = encodeURIComponent;

/**
 * Returns the calls for what the service lists for sale (x402 v2, section 8). All but `hostHistory` need no login. They throw TesseraError. Sellers write
 * the descriptions: treat them as untrusted text.
 *
 * @example
 * const { resources } = await discoveryOf(tessera).search({ query: "weather" });
 * const [first] = resources;
 * if (first) await tessera.pay(first.resource, {}, { maxAmount: parseUsdc("0.50") });
 */
export const discoveryOf = (tessera: Tessera) => ({
  /**
   * Finds resources whose description or URL contains every word of `query.query`.
   *
   * @example
   * const { resources } = await discoveryOf(tessera).search({ query: "weather", network: "base", limit: 5 });
   */
  search: (query: Query<T.SearchResourcesQuery> & { cursor?: number | undefined }, options?: CallOptions) =>
    tessera.request<T.SearchResourcesResponse>("GET", "/discovery/search", { query, options, isPublic: true }),
  /**
   * Lists all resources, one page at a time.
   *
   * @example
   * const { items, pagination } = await discoveryOf(tessera).list({ limit: 20, offset: 20 });
   */
  list: (query: Query<T.ListResourcesQuery> = {}, options?: CallOptions) =>
    tessera.request<T.ListResourcesResponse>("GET", "/discovery/resources", { query, options, isPublic: true }),
  /**
   * Returns what became of the owner's payments for the host of a URL. Needs a login. Null while the agent has no owner.
   *
   * @example
   * const history = await discoveryOf(tessera).hostHistory({ resource: "https://api.example/report" });
   * console.log(history?.paid, history?.delivered);
   */
  hostHistory: async (query: T.HostHistoryQuery, options?: CallOptions) =>
    (await tessera.request<T.HostHistoryResponse>("GET", "/api/payments/host-history", { query, options })).hostHistory,
  /**
   * Returns only the URLs, from `/.well-known/x402`.
   *
   * @example
   * for (const url of await discoveryOf(tessera).urls()) console.log(url);
   */
  urls: async (options?: CallOptions) =>
    (await tessera.request<T.WellKnownX402Response>("GET", "/.well-known/x402", { options, isPublic: true })).resources,
});

/**
 * Returns the calls for service credits, balances and test money.
 *
 * @example
 * const funds = fundsOf(tessera);
 * console.log(await funds.balance(address, "base")); // atomic USDC
 */
export const fundsOf = (tessera: Tessera) => ({
  /**
   * Buys service credits for the agent's owner, one for each USDC. Pays exactly `amount` atomic USDC. Throws PaymentError as
   * `Tessera.pay` does: `outcome` says whether money moved.
   *
   * @example
   * const { receipt } = await fundsOf(tessera).topUpCredits(parseUsdc("5"), { mandateId });
   * console.log(receipt?.txHash);
   */
  topUpCredits: (amount: string, options: Omit<PayOptions, "maxAmount"> = {}): Promise<PayResult> => {
    const body: T.TopUpCreditsBody = { amount, agentId: tessera.agentId };
    const headers = { "Content-Type": "application/json" };
    const init = { method: "POST", headers, body: JSON.stringify(body) };
    return tessera.pay(`${tessera.baseUrl}/api/credits/top-up`, init, { ...options, maxAmount: amount });
  },
  /**
   * Returns the balance of any address in atomic USDC; null while the chain does not respond. Needs no login. Throws TesseraError.
   *
   * @example
   * const balance = await fundsOf(tessera).balance(address, "base-sepolia");
   * console.log(balance === null ? "unknown" : formatUsdc(balance));
   */
  balance: async (
    address: string,
    network: T.GetBalanceResponse["network"] = DEFAULT_NETWORK,
    options?: CallOptions,
  ) => {
    const path = `/api/networks/${network}/balances/${id(address)}`;
    return (await tessera.request<T.GetBalanceResponse>("GET", path, { options, isPublic: true })).balance;
  },
  /**
   * Mints test USDC to an address and returns its new balance, in atomic USDC. Needs no login. Throws `not_found` unless the service runs
   * on local chains.
   *
   * @example
   * const balance = await fundsOf(tessera).mintTestUsdc({ address, amount: parseUsdc("100") });
   */
  mintTestUsdc: async (body: T.MintTestUsdcBody, options?: CallOptions) =>
    (await tessera.request<T.MintTestUsdcResponse>("POST", "/api/devnet/faucet", { body, options, isPublic: true }))
      .balance,
});

/**
 * Returns the calls with which a payer cancels a payment that the service no longer submits but that could still be paid until
 * `stillValidUntil` (EIP-3009, `CancelAuthorization`). The payer signs; the service pays the gas. They need no login.
 *
 * @example
 * const cancellations = cancellationsOf(tessera);
 * const { typedData } = await cancellations.get(settlementId);
 * await cancellations.submit(settlementId, await signTypedData(typedData));
 */
export const cancellationsOf = (tessera: Tessera) => ({
  /**
   * Returns the typed data (EIP-712) that the payer signs. Throws `SETTLEMENT_NOT_FOUND` and `PAYMENT_NOT_CANCELLABLE`.
   *
   * @example
   * const { payer, typedData, stillValidUntil } = await cancellationsOf(tessera).get(settlementId);
   */
  get: (settlementId: string, options?: CallOptions) =>
    tessera.request<T.GetCancellationResponse>("GET", `/api/settlements/${id(settlementId)}/cancellation`, {
      options,
      isPublic: true,
    }),
  /**
   * Submits the payer's signature. `status` is "pending" until the cancellation is on the chain; submitting again is safe. Throws
   * `CANCELLATION_SIGNATURE_INVALID`, `SETTLEMENT_NOT_FOUND` and `PAYMENT_NOT_CANCELLABLE`.
   *
   * @example
   * const { status, settlementStatus } = await cancellationsOf(tessera).submit(settlementId, signature);
   * console.log(status === "pending" ? "not on the chain yet" : settlementStatus);
   */
  submit: (settlementId: string, signature: string, options?: CallOptions) =>
    tessera.request<T.PostCancellationResponse>("POST", `/api/settlements/${id(settlementId)}/cancellation`, {
      options,
      isPublic: true,
      body: { signature } satisfies T.PostCancellationBody,
    }),
});
