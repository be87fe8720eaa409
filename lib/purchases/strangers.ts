import { edgeErrors } from "@/lib/http/errors";
import * as mandates from "@/lib/mandates/service";
import { isSignedFor } from "@/lib/payees/outbound";
import type { Agent, Ctx } from "@/lib/platform/context";
import { takeStorage } from "@/lib/platform/storage";
import type { StoredAnswer } from "./answer";
import { purchaseErrors } from "./errors";
import type { Way } from "./fetch";
import { seal } from "./sealed";
import * as store from "./store";

/** Limits for agents, because anyone can register one. */

/** Requires a signed mandate: without one, nobody is accountable for the agent's requests. Throws owner_signature_required. */
export async function assertSigned(ctx: Ctx<Agent>, { isOwn }: Way): Promise<void> {
  if (!isOwn && !(await isSignedFor(ctx))) throw purchaseErrors.owner_signature_required();
}

function secondsUntilRoom({ caller = "unknown", ...ctx }: Ctx<Agent>, bytes: number): Promise<number | null> {
  const { actor } = ctx;
  const isPaying = async () => actor.ownerId !== null && mandates.hasSpent(ctx.db, actor.ownerId);
  return takeStorage(ctx, { caller, actor, bytes, isPaying });
}

/** Counts the row of a purchase. Throws rate_limited. */
export async function takeStorageOfPurchase(ctx: Ctx<Agent>): Promise<void> {
  const retryAfterSeconds = await secondsUntilRoom(ctx, 0);
  if (retryAfterSeconds !== null) throw edgeErrors.rate_limited({ retryAfterSeconds });
}

/** Stores a free response. Omits its body when the caller's storage is used up, because the request itself must be recorded. */
export async function storeFree(ctx: Ctx<Agent>, purchase: store.Purchase, response: StoredAnswer): Promise<void> {
  const sealedResponse = seal(ctx, purchase, "answer", response);
  const hasRoom = (await secondsUntilRoom(ctx, sealedResponse.length)) === null;
  const stored = hasRoom ? sealedResponse : seal(ctx, purchase, "answer", { ...response, body: null, isCut: true });
  await store.setFreeAnswer(ctx.db, purchase, stored);
}
