import type { Ctx } from "@/lib/platform/context";
import { assertOver } from "@/lib/settlements/admission";
import { assertUnused, isSignedByPayer } from "@/lib/settlements/service";
import { networkNamed } from "@/lib/x402/networks";
import { mismatch, type Proof } from "@/lib/x402/proof";
import type { Requirement } from "@/lib/x402/requirement";
import { parseSignature } from "@/lib/x402/signature";
import { answersChallenge } from "./challenge";
import type { Presented } from "./presented";
import type { Refusal } from "./replies";

/** The payer of a used proof must learn that, rather than that the sale has closed. */
export async function assertUnusedByPayer(ctx: Ctx, proof: Proof): Promise<void> {
  const network = networkNamed(proof.network)?.name;
  const isPayers = network !== undefined && (await isSignedByPayer(ctx, { ...proof, network }));
  if (isPayers) await assertUnused(ctx, { network, ...proof.authorization });
}

/** Why a proof does not pay the price, or null. Throws PAYMENT_ALREADY_USED for a used proof that does not. */
export async function refusalOf(
  ctx: Ctx,
  { proof, challenge }: Presented,
  requirement: Requirement,
): Promise<Refusal | null> {
  const answers = challenge === null || (await answersChallenge(ctx, { proof, challenge }, requirement));
  const why = mismatch(proof, requirement, ctx.now()) ?? (answers ? null : "PAYMENT_CREDENTIAL_INVALID");
  const network = networkNamed(proof.network)?.name;
  if (!network) return why;
  if (!(await isSignedByPayer(ctx, { ...proof, network }))) {
    return why ?? (parseSignature(proof.signature).kind === "erc6492" ? "NOT_DEPLOYED" : "PAYMENT_SIGNATURE_INVALID");
  }
  // A used proof that has expired or no longer matches the price: a 402 would make its payer sign, and pay, twice.
  if (why) await assertUnused(ctx, { network, ...proof.authorization });
  if (why === "PAYMENT_EXPIRED") await assertOver(ctx, { network, authorization: proof.authorization });
  return why;
}
