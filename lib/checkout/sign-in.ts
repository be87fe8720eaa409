import { randomBytes } from "node:crypto";
import type { Address } from "@/lib/core/address";
import { AppError } from "@/lib/core/errors";
import { isSameSecret } from "@/lib/core/same-secret";
import { addSeconds } from "@/lib/core/time";
import { callerOf } from "@/lib/http/caller";
import { limit } from "@/lib/http/limit";
import { isSignedByAccount } from "@/lib/platform/account-signature";
import type { Ctx, System } from "@/lib/platform/context";
import { keysFor } from "@/lib/platform/secrets";
import { isOpen } from "@/lib/settlements/rules";
import { type SaleOffer, type Settlement, waitForEnd } from "@/lib/settlements/service";
import type { Requirement } from "@/lib/x402/requirement";
import {
  challengeOf,
  readSignIn,
  SIGN_IN_SECONDS,
  SIGN_IN_WITH_X,
  type SignIn,
  signInDeclaration,
  signInDigest,
  withoutDeployment,
} from "@/lib/x402/sign-in";
import { limitAddress } from "./door";
import type { SignInRefusal } from "./replies";
import * as store from "./store";

/** The payment that a wallet can read again at a resource: settled, or still able to settle; null if it has none. */
export type BoughtBy = (payer: Address) => Promise<Settlement | null>;

/** The extension of one 402, with a challenge that can be used once. Why: docs/decisions.md, 386. */
export async function signInExtension(system: System, requirement: Requirement) {
  const random = randomBytes(RANDOM_BYTES).toString("hex");
  const issuedAt = system.now();
  const nonce = random + (await macs(system, requirement))(random, issuedAt);
  return signInDeclaration(requirement, challengeOf(requirement, { nonce, issuedAt }));
}

/**
 * The purchase that the `SIGN-IN-WITH-X` header gives access to, or why it gives none; null without the header. Waits for a
 * payment in progress, because a 402 would make its payer pay twice. Throws rate_limited and ChainUnavailable.
 */
export async function signedIn(
  ctx: Ctx,
  req: Request,
  requirement: Requirement,
  boughtBy: BoughtBy,
): Promise<Settlement | SignInRefusal | null> {
  const header = req.headers.get(SIGN_IN_WITH_X)?.trim();
  if (!header) return null;
  await limitAddress(ctx, req);
  const signIn = readSignIn(header, requirement);
  if (!signIn) return "SIGN_IN_INVALID";
  const { issuedAt, nonce } = signIn;
  // Issued by this service, for this resource and at the stated time.
  const random = nonce.slice(0, RANDOM_BYTES * 2);
  const mac = (await macs(ctx, requirement))(random, issuedAt);
  if (!isSameSecret(nonce, random + mac)) return "SIGN_IN_INVALID";
  const expiresAt = addSeconds(issuedAt, SIGN_IN_SECONDS);
  const now = ctx.now();
  if (now < issuedAt || now >= expiresAt) return "SIGN_IN_EXPIRED";
  // Before the signature check, so that only addresses of buyers can cause calls to the chain.
  const purchase = await boughtBy(signIn.address);
  if (!purchase || !(await isSigned(ctx, req, requirement, signIn))) return "SIGN_IN_NOT_BOUGHT";
  if (!(await store.addSignIn(ctx.db, { nonce, expiresAt }, now))) return "SIGN_IN_USED";
  return isOpen(purchase) ? waitForEnd(ctx, purchase.id, ctx.config.settleWaitSeconds) : purchase;
}

/** The error of a closed offer, with a challenge for the wallets that bought before it closed. */
export async function closedToOthers(system: System, closed: AppError, { requirement }: SaleOffer): Promise<AppError> {
  const { code, kind, message, details, cause } = closed;
  const extensions = await signInExtension(system, requirement);
  return new AppError(code, kind, message, { ...details, extensions }, { cause });
}

/** Half of the nonce is random, the other half is a MAC: a challenge needs no row until it is used. */
const RANDOM_BYTES = 8;
const MAC_BYTES = 8;

async function macs(system: System, { network, resource }: Requirement) {
  const keyFor = await keysFor(system, "sign-in challenge");
  return (random: string, issuedAt: Date): string =>
    Buffer.from(keyFor(`${network} ${issuedAt.toISOString()} ${random} ${resource}`), "base64url")
      .subarray(0, MAC_BYTES)
      .toString("hex");
}

async function isSigned(ctx: Ctx, req: Request, requirement: Requirement, signIn: SignIn): Promise<boolean> {
  const signature = withoutDeployment(signIn.signature);
  if (signature === null) return false;
  const digest = signInDigest(requirement, signIn);
  const signed = { network: requirement.network, account: signIn.address, digest, signature };
  return isSignedByAccount(ctx, signed, async () => {
    await limit(ctx, "contract_sign_in_per_address", callerOf(req));
  });
}
