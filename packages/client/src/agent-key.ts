import { decodeHeader } from "../../x402/src/header.ts";
import { fieldsOf } from "../../x402/src/json.ts";
import { DEFAULT_NETWORK, NETWORKS, networkNamed } from "../../x402/src/networks.ts";
import { type Offer, readOffer } from "../../x402/src/offers.ts";
import { transferTypedData } from "../../x402/src/transfer.ts";
import { TesseraError } from "./errors.ts";
import { type Fetch, type Json, parsed } from "./transport.ts";

type Hex = `0x${string}`;

type Transfer = { from: Hex; to: Hex; value: bigint; validAfter: bigint; validBefore: bigint; nonce: Hex };

/** A transfer of USDC that its payer has authorized (EIP-3009). */
export type TransferTypedData = ReturnType<typeof transferTypedData<Hex, Transfer>>;

/** The agent's key, wherever it is kept: an account of viem (`privateKeyToAccount`) is one. */
export type AgentKey = { address: string; signTypedData: (data: TransferTypedData) => Promise<Hex> };

const SIGNING = /\/api\/(?:payment\/x402V3Payment|v2\/payment\/x402-payment)$/;
const VALID_SECONDS = 300;
const KEPT_MAX = 1000;

/**
 * A fetch for `Tessera` (option `fetch`) that signs payments of vaults with the agent's key when the mandate names it. The key signs
 * exactly the payment that was requested, out of the vault that the service names, and never leaves this process. The service cannot
 * pay from such a vault without it.
 */
export function withAgentKey(key: AgentKey, fetch: Fetch = globalThis.fetch, getTime: () => number = Date.now): Fetch {
  const signed = new Map<string, string>();
  return async (input, init) => {
    if (typeof init?.body !== "string" || !SIGNING.test(pathOf(input))) return fetch(input, init);
    // A repetition under the same key is the same request only with the same signature.
    const idempotencyKey = new Headers(init.headers).get("idempotency-key");
    const name = `${idempotencyKey} ${init.body}`;
    const signedBody = idempotencyKey === null ? undefined : signed.get(name);
    const response = await fetch(input, signedBody === undefined ? init : { ...init, body: signedBody });
    if (signedBody !== undefined || response.status !== 422) return response;
    const refusal = parsed(await response.clone().text());
    if (refusal.code !== "agent_authorization_required") return response;
    const body = parsed(init.body);
    const agentAuthorization = await authorize(key, refusal, wantedBy(body), Math.floor(getTime() / 1000));
    const complete = JSON.stringify({ ...body, agentAuthorization });
    if (idempotencyKey !== null) signed.set(name, complete);
    const [oldest] = signed.keys();
    if (signed.size > KEPT_MAX && oldest !== undefined) signed.delete(oldest);
    return fetch(input, { ...init, body: complete });
  };
}

const pathOf = (input: Parameters<Fetch>[0]): string => new URL(input instanceof Request ? input.url : input).pathname;

export type Wanted = Pick<Offer, "network" | "amount" | "payTo">;

/** The payments that a request asks for: one, or any of an x402 v2 requirement's. */
function wantedBy(body: Json): Wanted[] {
  const { paymentRequest, paymentRequestB64, amount, payTo } = body;
  if (typeof paymentRequestB64 === "string") return paymentsIn(fieldsOf(decodeHeader(paymentRequestB64)));
  if (paymentRequest) return paymentsIn(paymentRequest as Json);
  const network = networkNamed(body.network ?? DEFAULT_NETWORK)?.name;
  return network ? [{ network, amount: String(amount), payTo: String(payTo) }] : [];
}

/** The payments that the body of a 402 asks for. */
export const paymentsIn = ({ accepts, x402Version }: Json): Wanted[] =>
  Array.isArray(accepts) ? accepts.flatMap((entry: Json) => readOffer(x402Version === 1 ? 1 : 2, entry) ?? []) : [];

/**
 * Signs the payment that a refusal `agent_authorization_required` asks for, if it is one of `requestedPayments`. The seller's requirement as
 * `requestedPayments`: `paymentsIn`. Throws TesseraError `agent_key_refused`.
 */
export async function authorize(key: AgentKey, refusal: Json, requestedPayments: readonly Wanted[], unixTime: number) {
  const { vault, agentKey, typedData } = refusal as {
    vault: Hex;
    agentKey: string;
    typedData?: Partial<TransferTypedData>;
  };
  const { to = "", value = "" } = typedData?.message ?? {};
  const chainId = typedData?.domain?.chainId;
  const payment = requestedPayments.find(
    ({ network, amount, payTo }) =>
      isSame(payTo, to) && amount === String(value) && NETWORKS[network].chainId === chainId,
  );
  if (!payment)
    throw createRefusal("The service asks the agent's key to sign another payment than the one that was requested");
  if (!isSame(agentKey, key.address)) throw createRefusal(`The mandate names another key, ${agentKey}`);
  // Of its own money, the key would sign a payment that no vault judges.
  if (!/^0x[\da-f]{40}$/i.test(vault) || isSame(vault, key.address)) throw createRefusal("The service names no vault");
  const message = {
    // In lower case: a signer may refuse the checksum of a seller's spelling.
    from: lower(vault),
    to: lower(payment.payTo),
    value: BigInt(payment.amount),
    validAfter: 0n,
    validBefore: BigInt(unixTime + VALID_SECONDS),
    nonce: randomNonce(),
  };
  const signature = await key.signTypedData(transferTypedData<Hex, Transfer>(NETWORKS[payment.network], message));
  const { validAfter, validBefore, nonce } = message;
  return { validAfter: `${validAfter}`, validBefore: `${validBefore}`, nonce, signature };
}

const lower = (address: string): Hex => `0x${address.slice(2).toLowerCase()}`;
const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

const randomNonce = (): Hex =>
  `0x${Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => byte.toString(16).padStart(2, "0")).join("")}`;

/** With the status of the service's refusal: the request was answered, and is not sent again. */
const createRefusal = (message: string) => new TesseraError({ code: "agent_key_refused", message, status: 422 });
