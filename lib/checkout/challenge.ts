import { randomUUID } from "node:crypto";
import { isSameSecret } from "@/lib/core/same-secret";
import { fromUnixSeconds, unixSeconds } from "@/lib/core/time";
import type { System } from "@/lib/platform/context";
import { keysFor } from "@/lib/platform/secrets";
import {
  boundText,
  CHALLENGE_SECONDS,
  challengeHeader,
  challengeOf,
  isAnswer,
  type PaymentChallenge,
} from "@/lib/x402/payment-auth";
import type { Requirement } from "@/lib/x402/requirement";
import type { PresentedPayment } from "./presented";

/**
 * Creates the challenge of one 402. Nothing is stored, because the id authenticates the other parameters.
 * Why: docs/decisions.md, 128.
 */
export async function newChallenge(system: System, requirement: Requirement): Promise<string> {
  const challenge = challengeOf(requirement, {
    realm: new URL(system.config.baseUrl).host,
    expires: fromUnixSeconds(unixSeconds(system.now()) + CHALLENGE_SECONDS),
    // Unlike randomBytes, this asks the system once for many.
    random: Buffer.from(randomUUID().replaceAll("-", ""), "hex").toString("base64url"),
  });
  return challengeHeader({ id: await idOf(system, challenge, requirement), ...challenge });
}

/**
 * Refuses a credential of the scheme `Payment` that answers no challenge issued by this service for this resource. Null for a
 * valid answer and for x402. Does not compare the price.
 */
export async function credentialRefusal(
  system: System,
  { challenge, proof }: PresentedPayment,
  requirement: Requirement,
): Promise<"PAYMENT_CREDENTIAL_INVALID" | null> {
  if (challenge === null) return null;
  const isIssued = isSameSecret(challenge.id, await idOf(system, challenge, requirement));
  return isIssued && isAnswer(challenge, proof.authorization) ? null : "PAYMENT_CREDENTIAL_INVALID";
}

const idOf = async (
  system: System,
  challenge: Omit<PaymentChallenge, "id">,
  { resource }: Requirement,
): Promise<string> => (await keysFor(system, "challenge of a 402"))(boundText(challenge, resource));
