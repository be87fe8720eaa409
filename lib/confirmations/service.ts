import { type Hex, hashTypedData, toHex } from "viem";
import type { AppError } from "@/lib/core/errors";
import { type ConfirmationId, newId, type WalletId } from "@/lib/core/ids";
import { add, type Usdc, ZERO } from "@/lib/core/money";
import { addSeconds } from "@/lib/core/time";
import { limit } from "@/lib/http/limit";
import { isSignatureOf } from "@/lib/owners/service";
import type { Ctx, Owner } from "@/lib/platform/context";
import type { Queryable, Tx } from "@/lib/platform/db";
import { record } from "@/lib/platform/events";
import { withDomainType } from "@/lib/x402/domain-type";
import type { Action } from "./actions";
import { confirmationErrors } from "./errors";
import {
  APPROVAL_LIMIT_DEFAULT,
  actionHashOf,
  CONFIRMATION_SECONDS,
  explainReason,
  isOpen,
  REUSE_SECONDS,
  reasonOf,
  type SignatureReason,
  typedDataOf,
} from "./rules";
import * as store from "./store";

export type { Action, Recipient } from "./actions";

/** Uses the signature up. Call it in the transaction that carries out the signed action. */
export type Use = (tx: Tx) => Promise<void>;

/** How long an expired challenge is kept, in seconds, so that its signature is refused with the right reason. */
const KEPT_SECONDS = 86_400;

/** For actions that need no signature. */
export const unsigned: Use = async () => {};

/**
 * Runs `act` if `signature` is the owner's over an open challenge for exactly `action`. Throws rate_limited, and
 * signature_required with the challenge to sign and the reason why `signature` was not accepted.
 */
export async function confirmed<T>(
  ctx: Ctx<Owner>,
  action: Action,
  signature: Hex | undefined,
  act: (use: Use) => Promise<T>,
): Promise<T> {
  await limit(ctx, "confirmation_per_owner", ctx.actor.ownerId);
  if (signature === undefined) throw await challenge(ctx, action, "none");
  const verification = await findSignedChallenge(ctx, action, signature);
  if (verification.type === "refused") throw await challenge(ctx, action, verification.reason);
  // Created per call and compared by identity: an error of another call is never mistaken for it.
  const reuseError = confirmationErrors.signature_required();
  try {
    return await act(async (tx) => {
      if (!(await store.use(tx, verification.id, signature, ctx.now()))) throw reuseError;
    });
  } catch (error) {
    throw error === reuseError ? await challenge(ctx, action, "used") : error;
  }
}

/**
 * The challenge that `signature` signs. A contract account is called again for each request, just before its signature is
 * used: an earlier acceptance does not count.
 */
async function findSignedChallenge(
  ctx: Ctx<Owner>,
  action: Action,
  signature: Hex,
): Promise<{ type: "signed"; id: ConfirmationId } | { type: "refused"; reason: SignatureReason }> {
  const now = ctx.now();
  const { ownerId, address } = ctx.actor;
  const since = addSeconds(now, -CONFIRMATION_SECONDS - KEPT_SECONDS);
  const recent = await store.listRecent(ctx.db, ownerId, actionHashOf(action), since);
  for (const { id, digest, ...row } of recent) {
    if (isOpen(row, now) && (await isSignatureOf(ctx, address, digest, signature))) return { type: "signed", id };
  }
  return { type: "refused", reason: reasonOf(recent, now) };
}

/** signature_required with a challenge to sign: the action's open one if it is recent enough, otherwise a new one. */
async function challenge(ctx: Ctx<Owner>, action: Action, reason: SignatureReason): Promise<AppError> {
  const now = ctx.now();
  const { ownerId, address } = ctx.actor;
  const actionHash = actionHashOf(action);
  return ctx.db.transaction(async (tx) => {
    // Concurrent calls get the same challenge: among many, `listRecent` might miss the signed one.
    await store.lockAction(tx, ownerId, actionHash);
    const [newest] = await store.listRecent(tx, ownerId, actionHash, addSeconds(now, -CONFIRMATION_SECONDS));
    if (newest && isOpen(newest, addSeconds(now, REUSE_SECONDS))) return signatureRequired(newest, reason);
    const typedData = typedDataOf(action, address, toHex(crypto.getRandomValues(new Uint8Array(32))), now);
    const row = {
      id: newId("confirmation"),
      ownerId,
      actionHash,
      typedData,
      digest: hashTypedData(typedData),
      createdAt: now,
      expiresAt: addSeconds(now, CONFIRMATION_SECONDS),
    };
    await store.add(tx, row, addSeconds(now, -KEPT_SECONDS));
    return signatureRequired(row, reason);
  });
}

const signatureRequired = (
  { typedData, expiresAt }: Pick<store.ConfirmationRow, "typedData" | "expiresAt">,
  reason: SignatureReason,
) =>
  confirmationErrors.signature_required({
    typedData: withDomainType(typedData),
    reason,
    message: explainReason(reason),
    expiresAt: expiresAt.toISOString(),
  });

export const isSignatureRequired = confirmationErrors.signature_required.is;

/** The largest sum of payouts and single payments in one day that is paid from a wallet without the owner's signature. */
export const approvalLimit = async ({ db, actor }: Ctx<Owner>): Promise<Usdc> =>
  (await store.findLimit(db, actor.ownerId)) ?? APPROVAL_LIMIT_DEFAULT;

type Spending = { walletId: WalletId; amount: Usdc };
const DAY_SECONDS = 86_400;

/** Whether `spending` and all unsigned payments from its wallet in the last 24 hours exceed the owner's limit. */
export const exceedsLimit = async (ctx: Ctx<Owner>, spending: Spending): Promise<boolean> =>
  isAbove(ctx, ctx.db, await approvalLimit(ctx), spending);

/**
 * `exceedsLimit` for the transaction that pays, before it writes the payment. Locks the limit until `tx` ends, so that concurrent
 * payments are counted one after the other.
 */
export const exceedsLockedLimit = async (ctx: Ctx<Owner>, tx: Tx, spending: Spending): Promise<boolean> =>
  isAbove(ctx, tx, await store.lockLimit(tx, ctx.actor.ownerId, APPROVAL_LIMIT_DEFAULT, ctx.now()), spending);

async function isAbove(ctx: Ctx<Owner>, db: Queryable, limit: Usdc, { walletId, amount }: Spending): Promise<boolean> {
  const time = ctx.now();
  let total = amount;
  for (const { paidUnsigned } of ctx.subscribers) {
    total = add(total, (await paidUnsigned?.(db, walletId, addSeconds(time, -DAY_SECONDS), time)) ?? ZERO);
  }
  return total > limit;
}

/**
 * Runs `act`, which pays `spending` without a signature, or `otherwise` if that exceeds the owner's limit. `act` calls `use` in its
 * transaction, before it writes the payment.
 */
export async function withinLimit<T>(
  ctx: Ctx<Owner>,
  spending: Spending,
  act: (use: Use) => Promise<T>,
  otherwise: () => Promise<T>,
): Promise<T> {
  // Compared by identity, as in `confirmed`.
  const limitError = confirmationErrors.signature_required();
  try {
    return await act(async (tx) => {
      if (await exceedsLockedLimit(ctx, tx, spending)) throw limitError;
    });
  } catch (error) {
    if (error !== limitError) throw error;
    return otherwise();
  }
}

/** Sets the limit. A higher one needs a signature, a lower one does not. Throws signature_required. */
export async function setApprovalLimit(ctx: Ctx<Owner>, limit: Usdc, signature: Hex | undefined): Promise<Usdc> {
  const write = (use: Use) =>
    ctx.db.transaction(async (tx) => {
      const time = ctx.now();
      const { ownerId } = ctx.actor;
      const previousLimit = await store.lockLimit(tx, ownerId, APPROVAL_LIMIT_DEFAULT, time);
      // Another call has lowered the limit in the meantime.
      if (use === unsigned && limit > previousLimit) return false;
      await use(tx);
      if (limit === previousLimit) return true;
      await store.setLimit(tx, ownerId, limit, time);
      const meta = { from: previousLimit.toString(), to: limit.toString() };
      await record(tx, time, { type: "owner.approval_limit_changed", subject: ownerId, ownerId, meta });
      return true;
    });
  if (limit > (await approvalLimit(ctx)) || !(await write(unsigned))) {
    await confirmed(ctx, { type: "ApprovalLimit", limit }, signature, write);
  }
  return limit;
}
