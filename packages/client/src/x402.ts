import { decodeHeader } from "../../x402/src/header.ts";
import { NETWORKS, networkNamed } from "../../x402/src/networks.ts";
import { readOffer } from "../../x402/src/offers.ts";
import type { Tessera } from "./client.ts";
import { invalid, PaymentError } from "./errors.ts";
import type { Proof } from "./proof.ts";
import type { SignOptions } from "./sign.ts";

/** An offer that is about to be signed. `url` is the resource that the seller states; `amount` is atomic USDC. */
export type Purchase = { url: string; amount: string; network: string; payTo: string };

export type X402Options = Pick<SignOptions, "mandateId" | "onApproval"> & {
  /** Atomic USDC. A higher price is not signed. Stock clients also have their own limit, by default 1 USD: `setSpendControls`. */
  maxAmount: string;
  /** Returns the idempotency key of a purchase: the same key gives the same proof. Default: a new key for each 402. */
  idempotencyKey?: ((purchase: Purchase) => string | undefined) | undefined;
};

type Version = 1 | 2;
const versionOf = (x402Version: number): Version => (x402Version === 1 ? 1 : 2);

type Requirement = object;
type Created = { x402Version: number; payload: Record<string, unknown> };

/** The implemented members of `SchemeNetworkClient` of @x402/core. */
export type TesseraScheme = {
  readonly scheme: "exact";
  findDefaultAsset(asset: string, network: string): { asset: string; decimals: number; symbol: string } | undefined;
  createPaymentPayload(x402Version: number, requirement: Requirement): Promise<Created>;
};

type Policy = <R extends { scheme: string; network: string }>(x402Version: number, requirements: R[]) => R[];

/** The members of `x402Client` of @x402/core that `registerTessera` calls. */
export type StockClient = {
  register(network: `${string}:${string}`, scheme: TesseraScheme): unknown;
  registerV1(network: string, scheme: TesseraScheme): unknown;
  onBeforePaymentCreation(
    hook: (context: { paymentRequired: object; selectedRequirements: object }) => Promise<void>,
  ): unknown;
  registerPolicy(policy: Policy): unknown;
};

/**
 * Lets a stock client (`x402Client` of @x402/fetch or @x402/axios 2.x) pay from the agent's wallet: scheme `exact` in USDC on
 * Base and Base Sepolia, for x402 v2 and v1. Stock clients do not pass on the requested URL, so the mandate's hosts are compared with the
 * resource that the seller states; `Tessera.pay` compares the requested URL itself.
 *
 * Throws `invalid_argument` for a malformed `maxAmount`. A payment that cannot be signed fails with PaymentError and outcome `not_paid`:
 * `no_payable_option`, `no_resource`, `max_amount_exceeded`, `no_mandate` and the service's codes.
 *
 * @example
 * const client = registerTessera(new x402Client(), { tessera, mandateId, maxAmount: parseUsdc("2") });
 * client.setSpendControls({ maxAmountPerPayment: "$2" });
 * const response = await wrapFetchWithPayment(fetch, client)(url);
 */
export function registerTessera<C extends StockClient>(client: C, options: X402Options & { tessera: Tessera }): C {
  const stated = new WeakMap<Requirement, object>();
  // In x402 v2 a requirement has no resource. Only this hook gets the whole 402.
  client.onBeforePaymentCreation(async ({ paymentRequired, selectedRequirements }) => {
    stated.set(selectedRequirements, paymentRequired);
  });
  // The stock client takes the first `exact` offer on a network, even if it is in another token or EIP-712 domain.
  client.registerPolicy((x402Version, requirements) => {
    const payable = requirements.filter(
      ({ scheme, network, ...fields }) =>
        scheme !== "exact" ||
        !networkNamed(network) ||
        readOffer(versionOf(x402Version), { scheme, network, ...fields }),
    );
    return payable.length > 0 ? payable : requirements;
  });
  const scheme = schemeOf(options, stated);
  for (const [name, { caip2 }] of Object.entries(NETWORKS)) {
    client.register(caip2, scheme);
    client.registerV1(name, scheme);
    client.registerV1(caip2, scheme);
  }
  return client;
}

function schemeOf(
  { tessera, maxAmount, idempotencyKey, ...signing }: X402Options & { tessera: Tessera },
  stated: WeakMap<Requirement, object>,
): TesseraScheme {
  if (!/^\d{1,78}$/.test(maxAmount)) throw invalid("maxAmount must be a string of atomic USDC units");
  /** Proofs by requirement: a stock client that retries a payment creates its payload again. */
  const proofs = new WeakMap<Requirement, Promise<Proof>>();

  async function proofFor(version: Version, requirement: Requirement): Promise<Proof> {
    const required = (stated.get(requirement) ?? {}) as { resource?: unknown };
    const offer = readOffer(version, requirement, required);
    if (!offer)
      throw createRefusal("no_payable_option", "The requirement is not `exact` in USDC on a supported network");
    const { amount, network, payTo } = offer;
    const source = version === 1 ? requirement : (required.resource as object | null | undefined);
    const url = version === 1 ? (source as { resource?: unknown }).resource : (source as { url?: unknown } | null)?.url;
    if (typeof url !== "string" || !URL.canParse(url))
      throw createRefusal("no_resource", "The seller does not state the URL of the resource");
    if (BigInt(amount) > BigInt(maxAmount))
      throw createRefusal(
        "max_amount_exceeded",
        `The seller requires ${amount} atomic USDC, more than maxAmount (${maxAmount})`,
      );
    const key = idempotencyKey?.({ url, amount, network, payTo });
    return tessera.sign(offer, url, { ...signing, ...(key !== undefined && { idempotencyKey: key }) });
  }

  return {
    scheme: "exact",
    findDefaultAsset: (asset, network) => {
      const usdc = networkNamed(network)?.usdc;
      if (!usdc || usdc.toLowerCase() !== asset.toLowerCase()) return undefined;
      return { asset: usdc, decimals: 6, symbol: "USDC" };
    },
    createPaymentPayload: async (x402Version, requirement) => {
      const version = versionOf(x402Version);
      const signing = proofs.get(requirement) ?? proofFor(version, requirement);
      proofs.set(requirement, signing);
      signing.catch(() => proofs.delete(requirement));
      // In x402 v2 the stock client adds resource, accepted and extensions. In v1 it sends the result unchanged.
      const { payload, ...envelope } = decodeHeader((await signing).value) as Created;
      return version === 1 ? { ...envelope, payload } : { x402Version: 2, payload };
    },
  };
}

const createRefusal = (code: string, message: string) =>
  new PaymentError({ code, message, status: 402, outcome: "not_paid" });
