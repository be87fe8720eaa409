import type { HDAccount } from "viem/accounts";
import { expect } from "vitest";
import { toAddress } from "@/lib/core/address";
import type { Endpoint } from "@/lib/core/endpoint";
import { ENDPOINTS } from "@/lib/openapi/endpoints";
import { isPaid } from "@/lib/openapi/failures";
import type { Claim } from "@/lib/settlements/service";
import { toWireAuthorization } from "@/lib/x402/authorization";
import { signInOwner } from "./actors";
import { named } from "./endpoints";
import { newKey, requestV2, type SellerKey } from "./facilitator";
import { type Answer, BASE_URL, call } from "./http";
import { type Json, linkedPair, type Parties } from "./mandates";
import { PAID_BODIES, pathOf } from "./requests";
import { freshAddress, paying } from "./system";

/** Every endpoint that sells something for a proof. */
export const PAID: readonly Endpoint[] = ENDPOINTS.filter(({ endpoint }) => isPaid(endpoint)).map(
  ({ endpoint }) => endpoint,
);

export type Sale = { method: string; path: string; json?: object; payTo: string; amount: bigint; required: Json };

/** Something that is sold at the endpoint, and its 402. `upstream`: the URL of a seller's API. */
export async function saleOf(e: Endpoint, pair: Parties, upstream: string): Promise<Sale> {
  const json = PAID_BODIES[e.path]?.(pair);
  const request = { method: e.method, path: await pathFor(e, pair, upstream), ...(json && { json }) };
  const response = await call(request.method, request.path, json && { json });
  expect([named(e), response.status]).toEqual([named(e), 402]);
  const required = JSON.parse(Buffer.from(response.headers.get("payment-required") ?? "", "base64").toString());
  const [{ payTo, amount }] = required.accepts;
  return { ...request, payTo, amount: BigInt(amount), required };
}

async function pathFor(e: Endpoint, pair: Parties, url: string): Promise<string> {
  const path = pathOf(e.path, pair);
  if (e.path.startsWith("/unifypaymentlink")) return `${path}?amount=10000&asset=usdc`;
  const [, place = ""] = e.path.split("/");
  if (!["paid", "pass", "paymentlink"].includes(place)) return path;
  const pass = { calls: 10, amount: "20000" };
  const upstream = { url, methods: ["GET", "POST", "PUT", "PATCH", "DELETE"], pass };
  const json = { amount: "10000", ...(place === "paymentlink" ? { resourceContent: "goods" } : { upstream }) };
  const createdResponse = (await call("POST", "/api/payment-links", { bearer: pair.agent.jwt, json })).body as Json;
  const { linkId, upstream: sold } = createdResponse.paymentLink;
  return place === "pass" ? sold.pass.url.replace(BASE_URL, "") : `/${place}/${linkId}`;
}

/** The verdict on a proof. `refused`: a different proof would be accepted. `used`: the proof was presented before, and does not pay. */
export type Verdict = "paid" | "valid" | "pending" | "refused" | "used";

/** Where a stranger can present a proof. */
export type PaymentPlace = {
  name: string;
  payTo: string;
  amount: bigint;
  present: (claim: Claim) => Promise<Verdict>;
};

/** The files that call the admission, and the places that they serve in addition to endpoints that declare a 402. */
export const ADMITTING: Record<string, readonly string[]> = {
  "lib/checkout/sell-offer.ts": [],
  "lib/facilitator/service.ts": ["POST /facilitator/verify", "POST /facilitator/settle"],
  "lib/wallets/service.ts": ["POST /api/wallet/deposits"],
};

export const PLACES: readonly string[] = [...PAID.map(named), ...Object.values(ADMITTING).flat()];

/** Nobody listens there. A failure names its settlement. */
const NOBODY = "http://localhost:9";

const codeIn = ({ body }: Answer) => (body as Json | null)?.code;

/**
 * The settlement whose purchase its buyer gets again for the same proof, from the same address and without a payment: another try of a
 * call, and a pass that nobody has used. Null for other answers.
 */
function boughtAgain(response: Answer): string | null {
  const body = response.body as Json | null;
  if (codeIn(response) === "UPSTREAM_FAILED") return body?.settlementId;
  return response.status === 200 ? (body?.pass?.settlementId ?? null) : null;
}

function verdictOf(response: Answer): Verdict {
  const { status, body } = response;
  if (status === 200 || status === 201) return (body as Json).status === "pending" ? "pending" : "paid";
  if (status === 202) return "pending";
  if (status === 409) return "used";
  // A payment that the chain refuses now has stillValidUntil.
  if (status === 402 || status === 400 || (status === 500 && codeIn(response) === "SETTLEMENT_FAILED"))
    return "refused";
  throw new Error(`an answer that no payer knows: ${status} ${response.text.slice(0, 200)}`);
}

function outcomeOf({ status, body, text }: Answer): Verdict {
  const { success, isValid, errorReason, invalidReason } = body as Json;
  if (status !== 200) throw new Error(`an answer that no seller knows: ${status} ${text.slice(0, 200)}`);
  if (success || isValid) return success ? "paid" : "valid";
  const reason = errorReason ?? invalidReason;
  if (reason === "settlement_pending") return "pending";
  return reason === "duplicate_settlement" ? "used" : "refused";
}

/** Every place that accepts payments, for one payer, who is also an owner that makes a deposit. `key`: the seller at the facilitator. */
export async function openPlaces(payer: HDAccount): Promise<{ places: Map<string, PaymentPlace>; key: SellerKey }> {
  const pair = await linkedPair();
  const session = await signInOwner(payer);
  const key = await newKey(session);
  const places = new Map<string, PaymentPlace>();
  for (const endpoint of PAID) {
    const name = named(endpoint);
    const { method, path, json, payTo, amount } = await saleOf(endpoint, pair, NOBODY);
    const answered = new Set<string>();
    const present = async (claim: Claim) => {
      const response = await call(method, path, { headers: paying(claim), ...(json && { json }) });
      const bought = boughtAgain(response);
      if (bought === null) return verdictOf(response);
      const verdict = answered.has(bought) ? "used" : "paid";
      answered.add(bought);
      return verdict;
    };
    places.set(name, { name, payTo, amount, present });
  }
  for (const name of ["POST /facilitator/verify", "POST /facilitator/settle"]) {
    const path = name.slice("POST ".length);
    const present = async (claim: Claim) =>
      outcomeOf(await call("POST", path, { bearer: key.secret, json: requestV2(claim) }));
    places.set(name, { name, payTo: freshAddress(), amount: 10_000n, present });
  }
  const { wallets } = (await call("GET", "/api/wallet", { session })).body as Json;
  const { address } = wallets.find(({ network }: Json) => network === "base");
  const name = "POST /api/wallet/deposits";
  const present = async ({ network, authorization, signature }: Claim) => {
    const json = { network, authorization: toWireAuthorization(authorization), signature };
    return verdictOf(await call("POST", "/api/wallet/deposits", { session, json }));
  };
  places.set(name, { name, payTo: toAddress(address), amount: 10_000n, present });
  return { places, key };
}
