import { type Hex, hashTypedData, toHex } from "viem";
import { AppError } from "@/lib/core/errors";
import { type ConfirmationId, newId, type OwnerId } from "@/lib/core/ids";
import type { Usdc } from "@/lib/core/money";
import { addSeconds } from "@/lib/core/time";
import { edgeErrors } from "@/lib/http/errors";
import { isSignatureOf } from "@/lib/owners/service";
import type { Ctx, Owner } from "@/lib/platform/context";
import type { Tx } from "@/lib/platform/db";
import { record } from "@/lib/platform/events";
import { takeTurn } from "@/lib/platform/limiter";
import { confirmationErrors } from "./errors";
import {
  type Action,
  APPROVAL_LIMIT_DEFAULT,
  actionHashOf,
  CONFIRMATION_SECONDS,
  isOpen,
  messageFor,
  REUSE_SECONDS,
  type Reason,
  reasonOf,
  typedDataOf,
} from "./rules";
import * as store from "./store";

export type { Action, Recipient } from "./rules";

/** Uses the signature up; to be called in the transaction that does what was signed. */
export type Use = (tx: Tx) => Promise<void>;

/** How long an expired challenge is kept, so that its signature is refused with the right reason. */
const KEPT_SECONDS = 86_400;

/** Does what needs no signature. */
export const unsigned: Use = async () => {};

/**
 * Does `act` if `signature` is the owner's over an open challenge of exactly `action`. Throws signature_required with the
 * challenge to sign and why `signature` was not enough, rate_limited.
 */
export async function confirmed<T>(
  ctx: Ctx<Owner>,
  action: Action,
  signature: Hex | undefined,
  act: (use: Use) => Promise<T>,
): Promise<T> {
  const retryAfterSeconds = await takeTurn(ctx, "confirmation_per_owner", ctx.actor.ownerId);
  if (retryAfterSeconds !== null) throw edgeErrors.rate_limited({ retryAfterSeconds });
  if (signature === undefined) throw await challenge(ctx, action, "none");
  const found = await verified(ctx, action, signature);
  if ("reason" in found) throw await challenge(ctx, action, found.reason);
  // An object of this call alone: another call's failure is never taken for ours.
  const taken = confirmationErrors.signature_required();
  const use: Use = async (tx) => {
    if (!(await store.use(tx, found.id, signature, ctx.now()))) throw taken;
  };
  try {
    return await act(use);
  } catch (thrown) {
    throw thrown === taken ? await challenge(ctx, action, "used") : thrown;
  }
}

/**
 * The challenge that `signature` is good for. A contract account is asked on each call, just before its signature is used:
 * what it accepted earlier does not count.
 */
async function verified(
  ctx: Ctx<Owner>,
  action: Action,
  signature: Hex,
): Promise<{ id: ConfirmationId } | { reason: Reason }> {
  const now = ctx.now();
  const { ownerId, address } = ctx.actor;
  const since = addSeconds(now, -CONFIRMATION_SECONDS - KEPT_SECONDS);
  const recent = await store.listRecent(ctx.db, ownerId, actionHashOf(action), since);
  for (const { id, digest, ...row } of recent) {
    if (isOpen(row, now) && (await isSignatureOf(ctx, address, digest, signature))) return { id };
  }
  return { reason: reasonOf(recent, now) };
}

/** signature_required with a challenge to sign: the open one of this action while it is fresh, else a new one. */
async function challenge(ctx: Ctx<Owner>, action: Action, reason: Reason): Promise<AppError> {
  const now = ctx.now();
  const { ownerId, address } = ctx.actor;
  const actionHash = actionHashOf(action);
  return ctx.db.transaction(async (tx) => {
    // Calls at once get the same challenge: a signature over one of many might not be looked for.
    await store.lockAction(tx, ownerId, actionHash);
    const [newest] = await store.listRecent(tx, ownerId, actionHash, addSeconds(now, -CONFIRMATION_SECONDS));
    if (newest && isOpen(newest, addSeconds(now, REUSE_SECONDS))) return asked(newest, reason);
    const typedData = typedDataOf(action, address, toHex(crypto.getRandomValues(new Uint8Array(32))), now);
    const row = {
      ...{ id: newId("confirmation"), ownerId, actionHash, typedData, digest: hashTypedData(typedData) },
      ...{ createdAt: now, expiresAt: addSeconds(now, CONFIRMATION_SECONDS) },
    };
    await store.dropUnused(tx, ownerId, addSeconds(now, -KEPT_SECONDS));
    await store.add(tx, row);
    return asked(row, reason);
  });
}

const asked = ({ typedData, expiresAt }: Pick<store.Confirmation, "typedData" | "expiresAt">, reason: Reason) =>
  confirmationErrors.signature_required({
    ...{ typedData, reason, message: messageFor(reason) },
    expiresAt: expiresAt.toISOString(),
  });

/** Whether `thrown` asks for a signature. */
export const isSignatureRequired = (thrown: unknown): boolean =>
  AppError.is(thrown) && thrown.code === "signature_required";

// The limit above which an approval takes a signature

/** The largest payout, and the most that all payments of one day come to, that the owner approves without a signature. */
export const approvalLimit = async ({ db, actor }: Ctx<Owner>): Promise<Usdc> =>
  (await store.findLimit(db, actor.ownerId)) ?? APPROVAL_LIMIT_DEFAULT;

/** The same, kept from changing for the rest of `tx`: two approvals at once are counted one after the other. */
export const lockApprovalLimit = (tx: Tx, ownerId: OwnerId, at: Date): Promise<Usdc> =>
  store.lockLimit(tx, ownerId, APPROVAL_LIMIT_DEFAULT, at);

/** Sets it: a higher one takes a signature, a lower one does not. Throws signature_required. */
export async function setApprovalLimit(ctx: Ctx<Owner>, limit: Usdc, signature: Hex | undefined): Promise<Usdc> {
  const write = (use: Use) =>
    ctx.db.transaction(async (tx) => {
      const at = ctx.now();
      const { ownerId } = ctx.actor;
      const before = await lockApprovalLimit(tx, ownerId, at);
      // Lowered by another call since it was read.
      if (use === unsigned && limit > before) return false;
      await use(tx);
      if (limit === before) return true;
      await store.setLimit(tx, ownerId, limit, at);
      const meta = { from: before.toString(), to: limit.toString() };
      await record(tx, at, { type: "owner.approval_limit_changed", subject: ownerId, ownerId, meta });
      return true;
    });
  if (limit > (await approvalLimit(ctx)) || !(await write(unsigned))) {
    await confirmed(ctx, { type: "ApprovalLimit", limit }, signature, write);
  }
  return limit;
}
