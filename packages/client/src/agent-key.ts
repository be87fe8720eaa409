import { decodeHeader } from "../../x402/src/header.ts";
import { fieldsIn, fieldsOf } from "../../x402/src/json.ts";
import { DEFAULT_NETWORK, NETWORKS, networkNamed } from "../../x402/src/networks.ts";
import { type Offer, readOffer } from "../../x402/src/offers.ts";
import { transferTypedData } from "../../x402/src/transfer.ts";
import { TesseraError } from "./errors.ts";
import type { Fetch, Json } from "./transport.ts";

type Hex = `0x${string}`;

type Transfer = { from: Hex; to: Hex; value: bigint; validAfter: bigint; validBefore: bigint; nonce: Hex };

/** EIP-712 typed data of a USDC transfer (EIP-3009). `value` is atomic USDC; `validAfter` and `validBefore` are Unix seconds. */
export type TransferTypedData = ReturnType<typeof transferTypedData<Hex, Transfer>>;

/** The agent's key. An account of viem (`privateKeyToAccount`) fits; so does a signer that keeps the key elsewhere. */
export type AgentKey = { address: string; signTypedData: (data: TransferTypedData) => Promise<Hex> };

const SIGNING = /\/api\/(?:payment\/x402V3Payment|v2\/payment\/x402-payment)$/;
const VALID_SECONDS = 300;
const KEPT_MAX = 1000;

/**
 * Returns a `fetch` for `Tessera` that adds the agent's own signature (EIP-3009) to payments from a vault whose mandate names `key`. It
 * signs only the payment that the request names, valid for 300 seconds; the key itself is never sent. The service cannot pay from such a
 * vault without this signature. `getTime` returns Unix milliseconds.
 *
 * A request throws TesseraError `agent_key_refused` if the service asks for another payment, names another key or names no vault. Nothing
 * is signed then: in `pay`, the outcome is `not_paid`.
 *
 * @example
 * const key = privateKeyToAccount(privateKey);
 * const tessera = new Tessera({ baseUrl, agentId, token, fetch: withAgentKey(key) });
 * await tessera.mandates.create({ ...intent, vault: { agentKey: key.address } });
 */
export function withAgentKey(key: AgentKey, fetch: Fetch = globalThis.fetch, getTime: () => number = Date.now): Fetch {
  const signed = new Map<string, string>();
  return async (input, init) => {
    if (typeof init?.body !== "string") return fetch(input, init);
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    if (!SIGNING.test(pathname)) return fetch(input, init);
    // The service accepts a retry under the same Idempotency-Key only with the same body, so the signature is reused.
    const idempotencyKey = new Headers(init.headers).get("idempotency-key");
    const name = `${idempotencyKey} ${init.body}`;
    const signedBody = idempotencyKey === null ? undefined : signed.get(name);
    const response = await fetch(input, signedBody === undefined ? init : { ...init, body: signedBody });
    if (signedBody !== undefined || response.status !== 422) return response;
    const refusal = fieldsIn(await response.clone().text());
    if (refusal.code !== "agent_authorization_required") return response;
    const body = fieldsIn(init.body);
    const agentAuthorization = await authorize(key, refusal, readPayments(body), Math.floor(getTime() / 1000));
    const complete = JSON.stringify({ ...body, agentAuthorization });
    if (idempotencyKey !== null) signed.set(name, complete);
    const [oldest] = signed.keys();
    if (signed.size > KEPT_MAX && oldest !== undefined) signed.delete(oldest);
    return fetch(input, { ...init, body: complete });
  };
}

/** A payment that a request allows the key to sign. `amount` is atomic USDC. */
export type Wanted = Pick<Offer, "network" | "amount" | "payTo"> & {
  /** Whether a challenge of the seller prescribes the nonce. */
  isChallenged?: boolean;
};

/** Returns the payments that a request names: one, or every payable offer of an x402 v2 requirement. */
function readPayments(body: Json): Wanted[] {
  const { paymentRequest, paymentRequestB64, amount, payTo } = body;
  if (typeof paymentRequestB64 === "string") return paymentsIn(fieldsOf(decodeHeader(paymentRequestB64)));
  if (paymentRequest) return paymentsIn(paymentRequest as Json);
  const network = networkNamed(body.network ?? DEFAULT_NETWORK)?.name;
  return network
    ? [{ network, amount: String(amount), payTo: String(payTo), isChallenged: Boolean(body.challenge) }]
    : [];
}

/**
 * Returns the payments that the body of a 402 offers (x402 v1 or v2); an empty list if none can be paid.
 *
 * @example
 * const payments = paymentsIn(await response.json());
 * const agentAuthorization = await authorize(key, refusal, payments, Math.floor(Date.now() / 1000));
 */
export const paymentsIn = ({ accepts, x402Version }: Json): Wanted[] =>
  Array.isArray(accepts) ? accepts.flatMap((entry: Json) => readOffer(x402Version === 1 ? 1 : 2, entry) ?? []) : [];

/**
 * Signs the payment of a refusal `agent_authorization_required` (EIP-3009), if it is one of `requestedPayments`. `paymentsIn` reads these
 * from a seller's 402. `unixTime` is in seconds; the signature is valid for 300 seconds after it. Throws TesseraError `agent_key_refused`
 * for another payment, another key, or a `vault` that is missing or is the key's own address; nothing is signed then.
 *
 * @example
 * const payments = [{ network: "base" as const, amount: "500000", payTo }];
 * const agentAuthorization = await authorize(key, error.details, payments, Math.floor(Date.now() / 1000));
 * await tessera.payments.signV2({ mandateId, paymentRequestB64, agentAuthorization });
 */
export async function authorize(key: AgentKey, refusal: Json, requestedPayments: readonly Wanted[], unixTime: number) {
  const { vault, agentKey, typedData } = refusal as {
    vault: Hex;
    agentKey: string;
    typedData?: Partial<TransferTypedData>;
  };
  const { to = "", value = "", nonce: prescribedNonce = "", validBefore: prescribedEnd } = typedData?.message ?? {};
  const chainId = typedData?.domain?.chainId;
  const payment = requestedPayments.find(
    ({ network, amount, payTo }) =>
      isSame(payTo, to) && amount === String(value) && NETWORKS[network].chainId === chainId,
  );
  if (!payment)
    throw createRefusal("The service asks the agent's key to sign another payment than the one that was requested");
  if (!isSame(agentKey, key.address)) throw createRefusal(`The mandate names another key, ${agentKey}`);
  // With the key's own address as the payer, no vault would enforce the mandate's limits.
  if (!/^0x[\da-f]{40}$/i.test(vault) || isSame(vault, key.address)) throw createRefusal("The service names no vault");
  const random = crypto.getRandomValues(new Uint8Array(32));
  const end = unixTime + VALID_SECONDS;
  // A nonce that is not the challenge's pays nobody. Without a challenge, the key trusts only its own.
  const isPrescribed = payment.isChallenged && /^0x[\da-f]{64}$/.test(prescribedNonce);
  const message: Transfer = {
    // In lower case: signers may refuse a mixed-case address whose checksum (EIP-55) is wrong.
    from: `0x${vault.slice(2).toLowerCase()}`,
    to: `0x${payment.payTo.slice(2).toLowerCase()}`,
    value: BigInt(payment.amount),
    validAfter: 0n,
    validBefore: BigInt(isPrescribed ? Math.min(end, Number(prescribedEnd)) : end),
    nonce: isPrescribed
      ? (prescribedNonce as Hex)
      : `0x${Array.from(random, (byte) => byte.toString(16).padStart(2, "0")).join("")}`,
  };
  const signature = await key.signTypedData(transferTypedData<Hex, Transfer>(NETWORKS[payment.network], message));
  const { validAfter, validBefore, nonce } = message;
  return { validAfter: `${validAfter}`, validBefore: `${validBefore}`, nonce, signature };
}

const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** Status 422, that of the service's refusal: a TesseraError with status 0 would be retried. */
const createRefusal = (message: string) => new TesseraError({ code: "agent_key_refused", message, status: 422 });
