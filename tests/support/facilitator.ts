import { expect } from "vitest";
import type { Claim } from "@/lib/settlements/service";
import { toWireAuthorization } from "@/lib/x402/authorization";
import { NETWORKS } from "@/lib/x402/networks";
import { type Answer, call } from "./http";
import type { Json } from "./mandates";
import { xPaymentOf } from "./system";

export type SellerKey = { keyId: string; secret: string };

export async function newKey(session: string, terms: object = {}): Promise<SellerKey> {
  const json = { name: "Shop", ...terms };
  const { status, body } = await call("POST", "/api/facilitator/keys", { session, json });
  expect({ status, body }).toMatchObject({ status: 201 });
  return { keyId: (body as Json).key.keyId, secret: (body as Json).secret };
}

export const RESOURCE = "https://shop.example/weather?city=Bern";

/** The body that a stock x402 v1 seller sends for this proof. */
export function requestV1(claim: Claim, change: object = {}): Json {
  const { network, authorization } = claim;
  const { usdc: asset, tokenName: name, tokenVersion: version } = NETWORKS[network];
  return {
    x402Version: 1,
    paymentPayload: xPaymentOf(claim),
    paymentRequirements: {
      scheme: "exact",
      network,
      maxAmountRequired: authorization.value.toString(),
      resource: RESOURCE,
      description: "Weather",
      mimeType: "application/json",
      payTo: authorization.to,
      maxTimeoutSeconds: 60,
      asset,
      extra: { name, version },
      ...change,
    },
  };
}

/** The body that a stock x402 v2 seller sends for this proof. */
export function requestV2(claim: Claim, change: object = {}): Json {
  const { network, authorization, signature } = claim;
  const { usdc: asset, tokenName: name, tokenVersion: version, caip2 } = NETWORKS[network];
  const requirements = {
    scheme: "exact",
    network: caip2,
    amount: authorization.value.toString(),
    asset,
    payTo: authorization.to,
    maxTimeoutSeconds: 60,
    extra: { name, version },
  };
  return {
    x402Version: 2,
    paymentPayload: {
      x402Version: 2,
      resource: { url: RESOURCE, description: "Weather", mimeType: "application/json" },
      accepted: requirements,
      payload: { signature, authorization: toWireAuthorization(authorization) },
    },
    paymentRequirements: { ...requirements, ...change },
  };
}

const post =
  (path: string) =>
  (key: SellerKey, json: object, headers: Record<string, string> = {}) =>
    call("POST", `/facilitator/${path}`, { bearer: key.secret, json, headers });

export const verify: (key: SellerKey, json: object) => Promise<Answer> = post("verify");
export const settle: (key: SellerKey, json: object) => Promise<Answer> = post("settle");
