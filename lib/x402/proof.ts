import { fieldsOf } from "@tessera/x402/json";
import { unixSeconds } from "@/lib/core/time";
import { type Authorization, readAuthorization } from "./authorization";
import { decodeHeader } from "./header";
import { NETWORKS, type NetworkName, networkNamed } from "./networks";
import type { Requirement } from "./requirement";
import { paymentV1, paymentV2 } from "./schema";

/**
 * Maximum remaining validity of a received proof, in seconds. Everything that the proof pays for stays reserved until the
 * proof can no longer be used. Payment requirements never allow more.
 */
export const VALIDITY_SECONDS_MAX = 3_600n;

/** A signed payment as received from a client. */
export type Proof = {
  scheme: string;
  /** As the client wrote it; may be an unknown network. */
  network: string;
  /** The asset that the client accepted (not in x402 v1). */
  asset: string | undefined;
  authorization: Authorization;
  signature: `0x${string}`;
  /** The URL that the client names (v2 only), not signed. */
  resource?: string | undefined;
  /** The extensions that the client repeats or adds (v2 only), not validated. */
  extensions?: unknown;
};

export type X402Proof = Proof & { version: 1 | 2 };

export type ProofMismatch =
  | "PAYMENT_NETWORK_MISMATCH"
  | "PAYMENT_ASSET_MISMATCH"
  | "PAYMENT_RECIPIENT_MISMATCH"
  | "PAYMENT_INSUFFICIENT"
  | "PAYMENT_RESOURCE_MISMATCH"
  | "PAYMENT_EXPIRED"
  | "PAYMENT_VALIDITY_TOO_LONG"
  | "PAYMENT_NOT_YET_VALID";

/** Decodes `X-PAYMENT` or `PAYMENT-SIGNATURE` (either header may carry either version). Null when malformed. */
export const decodeProof = (header: string): X402Proof | null => readProof(decodeHeader(header));

/** Reads the parsed JSON of a payment payload of either version. Null when malformed. */
export function readProof(json: unknown): X402Proof | null {
  const v1 = paymentV1.safeParse(json);
  if (v1.success) {
    const { scheme, network, payload } = v1.data;
    return { version: 1, scheme, network, asset: undefined, ...fromPayload(payload) };
  }
  const v2 = paymentV2.safeParse(json);
  if (v2.success) {
    const { accepted, payload, extensions } = v2.data;
    const { url } = fieldsOf(v2.data.resource);
    return {
      version: 2,
      scheme: accepted.scheme,
      network: accepted.network,
      asset: accepted.asset,
      resource: typeof url === "string" ? url : undefined,
      extensions,
      ...fromPayload(payload),
    };
  }
  return null;
}

/**
 * Why `proof` does not pay `requirement` at `now`, or null. Does not check the signature. The signature covers neither the
 * URL nor the price, so the server has to compare them here.
 */
export function mismatch(proof: Proof, requirement: Requirement, now: Date): ProofMismatch | null {
  const { authorization: a } = proof;
  if (networkNamed(proof.network)?.name !== requirement.network) return "PAYMENT_NETWORK_MISMATCH";
  const asset = NETWORKS[requirement.network].usdc;
  if (proof.asset !== undefined && proof.asset.toLowerCase() !== asset.toLowerCase()) return "PAYMENT_ASSET_MISMATCH";
  if (a.to !== requirement.payTo) return "PAYMENT_RECIPIENT_MISMATCH";
  if (a.value !== requirement.amount) return "PAYMENT_INSUFFICIENT";
  if (requirement.isResourceBound && proof.resource !== undefined && proof.resource !== requirement.resource)
    return "PAYMENT_RESOURCE_MISMATCH";
  const seconds = BigInt(unixSeconds(now));
  if (a.validBefore <= seconds) return "PAYMENT_EXPIRED";
  if (a.validAfter >= seconds) return "PAYMENT_NOT_YET_VALID";
  if (a.validBefore - seconds > VALIDITY_SECONDS_MAX) return "PAYMENT_VALIDITY_TOO_LONG";
  return null;
}

/** `X-PAYMENT-RESPONSE` (v1) or `PAYMENT-RESPONSE` (v2) of a settled payment; `transaction` is the transaction hash. */
export const settleResponse = (
  version: 1 | 2,
  settled: { transaction: string; network: NetworkName; payer: string },
) => ({
  success: true as const,
  transaction: settled.transaction,
  network: version === 1 ? settled.network : NETWORKS[settled.network].caip2,
  payer: settled.payer,
});

const fromPayload = (payload: ReturnType<typeof paymentV1.parse>["payload"]) => ({
  authorization: readAuthorization(payload.authorization),
  signature: payload.signature,
});
