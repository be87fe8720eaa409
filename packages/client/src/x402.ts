import { decodeHeader } from "../../x402/src/header.ts";
import { NETWORKS, networkNamed } from "../../x402/src/networks.ts";
import { readOffer } from "../../x402/src/offers.ts";
import { parseUrl } from "../../x402/src/url.ts";
import type { Tessera } from "./client.ts";
import { invalid, PaymentError, TesseraError } from "./errors.ts";
import type { Proof } from "./proof.ts";
import type { SignOptions } from "./sign.ts";
import { newKey, sleep } from "./transport.ts";

/** An offer that is about to be signed. `url` is the resource that the seller states; `amount` is atomic USDC. */
export type Purchase = { url: string; amount: string; network: string; payTo: string };

export type X402Options = Pick<SignOptions, "mandateId" | "onApproval"> & {
  /** Atomic USDC. A higher price is not signed. Stock clients also have their own limit, by default 1 USD: `setSpendControls`. */
  maxAmount: string;
  /**
   * The URL of the MCP server whose tools the client buys. They state a resource without a host (`mcp://…`, `x402://…`): the mandate's
   * hosts are then compared with this URL.
   */
  serverUrl?: string | undefined;
  /**
   * Returns the idempotency key of a purchase: the same key gives the same proof. Default: a new key, but while the answer to a purchase
   * has not arrived, the same purchase (URL, amount, network and payee) gives its proof again, so that a repeated call cannot pay twice.
   */
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
  /** Absent from older versions. */
  onPaymentResponse?(hook: (answer: PaymentAnswer) => Promise<undefined | { recovered: true }>): unknown;
};

/** What a stock client knows of a seller's answer to a proof. It calls the hook for x402 v2 only. */
type PaymentAnswer = {
  paymentPayload: { payload: Record<string, unknown> };
  settleResponse?: { success: boolean; errorReason?: string };
  /** The 402 that refuses the proof. */
  paymentRequired?: object;
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
  const purchases = client.onPaymentResponse ? new OpenPurchases(options.tessera) : null;
  client.onPaymentResponse?.(async (answer) => purchases?.noteAnswer(answer));
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
  const scheme = schemeOf(options, stated, purchases);
  for (const [name, { caip2 }] of Object.entries(NETWORKS)) {
    client.register(caip2, scheme);
    client.registerV1(name, scheme);
    client.registerV1(caip2, scheme);
  }
  return client;
}

function schemeOf(
  { tessera, maxAmount, serverUrl, idempotencyKey, ...signing }: X402Options & { tessera: Tessera },
  stated: WeakMap<Requirement, object>,
  purchases: OpenPurchases | null,
): TesseraScheme {
  if (!/^\d{1,78}$/.test(maxAmount)) throw invalid("maxAmount must be a string of atomic USDC units");
  /** By requirement: a stock client that retries a payment creates its payload again. */
  const known = new WeakMap<Requirement, Promise<Purchased>>();

  async function purchaseOf(version: Version, requirement: Requirement, wasRefused: boolean): Promise<Purchased> {
    const required = (stated.get(requirement) ?? {}) as { resource?: unknown };
    const offer = readOffer(version, requirement, required);
    if (!offer)
      throw createRefusal("no_payable_option", "The requirement is not `exact` in USDC on a supported network");
    const { amount, network, payTo } = offer;
    const source = version === 1 ? requirement : (required.resource as object | null | undefined);
    const resource =
      version === 1 ? (source as { resource?: unknown }).resource : (source as { url?: unknown } | null)?.url;
    const url = urlOf(resource, serverUrl);
    if (url === undefined)
      throw createRefusal(
        "no_resource",
        "The seller does not state the URL of the resource. For MCP tools, set serverUrl",
      );
    if (BigInt(amount) > BigInt(maxAmount))
      throw createRefusal(
        "max_amount_exceeded",
        `The seller requires ${amount} atomic USDC, more than maxAmount (${maxAmount})`,
      );
    const key = idempotencyKey?.({ url, amount, network, payTo });
    if (key !== undefined)
      return { proof: await tessera.sign(offer, url, { ...signing, idempotencyKey: key }), isPaid: () => false };
    const signOne = (idempotencyKey = newKey()) => tessera.sign(offer, url, { ...signing, idempotencyKey });
    // Of an answer in x402 v1 no stock client tells, and older ones of none.
    if (version === 1 || !purchases) return { proof: await signOne(), isPaid: () => false };
    return purchases.present(JSON.stringify([url, resource, amount, network, payTo]), signOne, wasRefused);
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
      const earlier = await known.get(requirement);
      const purchase =
        earlier && !earlier.isPaid()
          ? Promise.resolve(earlier)
          : purchaseOf(version, requirement, earlier !== undefined);
      known.set(requirement, purchase);
      purchase.catch(() => known.delete(requirement));
      const { proof } = await purchase;
      // In x402 v2 the stock client adds resource, accepted and extensions. In v1 it sends the result unchanged.
      const { payload, ...envelope } = decodeHeader(proof.value) as Created;
      return version === 1 ? { ...envelope, payload } : { x402Version: 2, payload };
    },
  };
}

/** The URL that the mandate's hosts are compared with; undefined if neither is one. */
function urlOf(resource: unknown, serverUrl: string | undefined): string | undefined {
  const url = typeof resource === "string" && parseUrl(resource);
  return url ? (/^https?:$/.test(url.protocol) ? resource : serverUrl) : undefined;
}

/** A proof of a purchase, and whether the seller has confirmed its payment. */
type Purchased = { proof: Proof; isPaid: () => boolean };

type OpenPurchase = {
  proof: Promise<Proof>;
  /** Presentations, and how many of them were answered. */
  presented: number;
  answered: number;
  isPaid: boolean;
  /** Resolves at the next answer. */
  next: { answer: Promise<void>; arrive: () => void };
};

/**
 * Purchases of which no answer has arrived. A stock client whose connection broke asks its seller again, gets another 402 and wants
 * another proof: it gets the same one.
 */
class OpenPurchases {
  readonly #byName = new Map<string, OpenPurchase>();
  /** Keys of signatures of which no answer has arrived: the service may have signed. */
  readonly #unanswered = new Map<string, string>();
  readonly #bySignature = new Map<unknown, { name: string; purchase: OpenPurchase }>();

  constructor(readonly tessera: Pick<Tessera, "payments">) {}

  /**
   * The proof of the open purchase of this name, or a new one. `wasRefused`: the call's first proof paid for another call. A stock client
   * repeats a call only once, so this one waits until it can have a proof of its own. Throws PaymentError `payment_paid` for a purchase
   * that was paid and has expired.
   */
  async present(name: string, sign: (key: string) => Promise<Proof>, wasRefused: boolean): Promise<Purchased> {
    let open = this.#byName.get(name);
    for (let isWaiting = wasRefused; isWaiting && open; open = this.#byName.get(name))
      isWaiting = await isAnswered(open);
    if (open) await this.#endIfOver(name, open);
    // Looked up again: meanwhile it may have been paid, or replaced. Nothing is awaited between this and #begin, or two calls would sign.
    const purchase = this.#byName.get(name) ?? this.#begin(name, sign);
    purchase.presented += 1;
    const proof = await purchase.proof;
    this.#bySignature.set(signatureOf(decodeHeader(proof.value)), { name, purchase });
    const [oldest] = this.#bySignature.keys();
    if (this.#bySignature.size > PROOFS_MAX) this.#bySignature.delete(oldest);
    return { proof, isPaid: () => purchase.isPaid };
  }

  #begin(name: string, sign: (key: string) => Promise<Proof>): OpenPurchase {
    const key = this.#unanswered.get(name) ?? newKey();
    this.#unanswered.delete(name);
    const purchase: OpenPurchase = { proof: sign(key), presented: 0, answered: 0, isPaid: false, next: nextAnswer() };
    this.#byName.set(name, purchase);
    purchase.proof.catch((error: unknown) => {
      this.#forget(name, purchase);
      if (TesseraError.is(error) && (error.status === 0 || error.status >= 500)) this.#unanswered.set(name, key);
      const [oldest = ""] = this.#unanswered.keys();
      if (this.#unanswered.size > PROOFS_MAX) this.#unanswered.delete(oldest);
    });
    return purchase;
  }

  /** Forgets a purchase whose proof can no longer be paid. Throws `payment_paid` if it was paid. */
  async #endIfOver(name: string, purchase: OpenPurchase): Promise<void> {
    // A proof that cannot be signed ends its purchase by itself.
    const proof = await purchase.proof.catch(() => undefined);
    if (!proof || Date.now() < Date.parse(proof.validUntil)) return;
    const { status, txHash } = await this.tessera.payments.get(proof.paymentRecordId);
    if (status === "signed" || status === "submitted") return;
    this.#forget(name, purchase);
    if (status !== "settled") return;
    const message = "An earlier call paid for this, and its answer was lost. Call again to pay for another one";
    throw new PaymentError({ code: "payment_paid", message, status: 0, outcome: "paid", proof, details: { txHash } });
  }

  /**
   * Ends a purchase by the seller's answer. A proof that two calls at the same time presented pays for one of them; the other one
   * is refused, and gets a proof of its own.
   */
  async noteAnswer({ paymentPayload, settleResponse, paymentRequired }: PaymentAnswer) {
    const found = this.#bySignature.get(signatureOf(paymentPayload));
    if (!found) return undefined;
    const { name, purchase } = found;
    const isPending = settleResponse?.success === false && /pending|unknown/.test(settleResponse.errorReason ?? "");
    if (isPending || (!settleResponse && !paymentRequired)) return undefined;
    purchase.answered += 1;
    purchase.isPaid ||= settleResponse?.success === true;
    purchase.next.arrive();
    purchase.next = nextAnswer();
    if (purchase.isPaid) this.#forget(name, purchase);
    if (settleResponse?.success === true) return undefined;
    await this.#awaitOthers(purchase);
    if (purchase.isPaid) return { recovered: true as const };
    // A lost answer may have been a delivery: the proof stays until it has expired.
    if (purchase.answered === purchase.presented) this.#forget(name, purchase);
    return undefined;
  }

  /** Waits until a call with the same proof is paid for, or all have been answered, or one takes too long. */
  async #awaitOthers(purchase: OpenPurchase): Promise<void> {
    const limit = new AbortController();
    const isLate = sleep(OTHERS_SECONDS, limit.signal).then(
      () => true,
      () => true,
    );
    while (!purchase.isPaid && purchase.answered < purchase.presented)
      if (await Promise.race([purchase.next.answer, isLate])) break;
    limit.abort();
  }

  #forget(name: string, purchase: OpenPurchase): void {
    if (this.#byName.get(name) === purchase) this.#byName.delete(name);
  }
}

const PROOFS_MAX = 1_000;
/** How long a refused call waits for an answer to another call. */
const OTHERS_SECONDS = 5;

/** Waits for the next answer to a purchase; false if it takes too long. */
async function isAnswered({ next }: OpenPurchase): Promise<boolean> {
  const limit = new AbortController();
  const late = sleep(OTHERS_SECONDS, limit.signal).then(
    () => false,
    () => false,
  );
  const isInTime = await Promise.race([next.answer.then(() => true), late]);
  limit.abort();
  return isInTime;
}

function nextAnswer(): OpenPurchase["next"] {
  let arrive = () => {};
  const answer = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  return { answer, arrive };
}

const signatureOf = (payload: unknown): unknown =>
  (payload as { payload?: { signature?: unknown } }).payload?.signature;

const createRefusal = (code: string, message: string) =>
  new PaymentError({ code, message, status: 402, outcome: "not_paid" });
