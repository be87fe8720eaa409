import { z } from "zod";
import { decodeHeader } from "@/lib/x402/header";
import type { Answer } from "../actors/api";
import type { SellerKey } from "./cast";
import { type Game, orNull } from "./game";
import { count, type Proof, type SellerReply } from "./memory";

const verified = z.object({ isValid: z.boolean() });
const settled = z.object({
  success: z.boolean(),
  errorReason: z.string().optional(),
  transaction: z.string(),
  extra: z.object({ settlementId: z.string() }).optional(),
});
export type Outcome = z.output<typeof settled>;

/** The outcome in a response of /settle; null for any other response. */
export const outcomeIn = ({ answer }: SellerReply): Outcome | null =>
  (answer?.status === 200 && settled.safeParse(answer.body).data) || null;

/** Whether a response of /verify accepted the payment; null for any other response. */
export const validityIn = ({ answer }: SellerReply): boolean | null =>
  (answer?.status === 200 && verified.safeParse(answer.body).data?.isValid) ?? null;

/** Whether the seller knows the outcome. Pending payments, and those without a response, must be sent again. */
export const isFinal = (outcome: Outcome | null): boolean =>
  outcome !== null && outcome.errorReason !== "settlement_pending";

/** The newest /settle response to each key for this proof. */
export const lastSettles = ({ settles }: Proof): SellerReply[] => [
  ...new Map(settles.map((reply) => [reply.key.id, reply])).values(),
];

/** Sends a proof to the facilitator with a seller's API key (x402 v1, section 7). */
function request({ world }: Game, step: "verify" | "settle", proof: Proof, key: SellerKey): Promise<Answer | null> {
  const paymentRequirements = {
    scheme: "exact",
    network: proof.network,
    maxAmountRequired: proof.authorization.value.toString(),
    asset: world.on(proof.network).usdc,
    payTo: proof.payTo,
    resource: proof.url,
    description: proof.act,
  };
  return orNull(
    world.api.call(proof.act, "POST", `/facilitator/${step}`, {
      headers: { authorization: `Bearer ${key.secret}` },
      json: { x402Version: 1, paymentPayload: decodeHeader(proof.header), paymentRequirements },
    }),
  );
}

/** Verifies a proof and records the response. */
export async function verify(game: Game, proof: Proof, key: SellerKey): Promise<void> {
  const wasPaid = proof.settles.some((reply) => outcomeIn(reply)?.success);
  proof.verifies.push({ key, answer: await request(game, "verify", proof, key), wasPaid });
}

/** Settles a proof and records the response. */
export async function settle(game: Game, proof: Proof, key: SellerKey): Promise<void> {
  const reply = { key, answer: await request(game, "settle", proof, key) };
  // A claim, if there is one, is not later than this block.
  proof.claimedByBlock ??= await game.world.on(proof.network).head();
  proof.settles.push(reply);
  const outcome = outcomeIn(reply);
  if (outcome) count(game.memory.counts, `/settle said: ${outcome.success ? "paid" : outcome.errorReason}`);
}
