import type { Hex } from "viem";
import { type Action, confirmed, type Use, unsigned } from "@/lib/confirmations/service";
import { isAddressText, toAddress } from "@/lib/core/address";
import type { WalletId } from "@/lib/core/ids";
import type { Ctx, Owner } from "@/lib/platform/context";
import { record } from "@/lib/platform/events";
import * as wallets from "@/lib/wallets/service";
import { payeeErrors } from "../errors";
import { ENTRIES_MAX, effectOf, type ListChange, loosens } from "./rules";
import * as store from "./store";
import { recordUnderWay } from "./under-way";

export type OwnedLists = { isAllowListOn: boolean; entries: readonly store.PayeeEntry[] };

export async function listOwned({ db, actor: { ownerId } }: Ctx<Owner>): Promise<OwnedLists> {
  const [isAllowListOn, entries] = await Promise.all([store.isAllowListOn(db, ownerId), store.entriesOf(db, ownerId)]);
  return { isAllowListOn, entries };
}

/**
 * Changes one of the owner's lists. What lets agents pay more than before needs a signature, the rest does not. Throws
 * payee_list_full, signature_required.
 */
export async function change(
  ctx: Ctx<Owner>,
  { signature, ...request }: ListChange & { signature?: Hex | undefined },
): Promise<OwnedLists> {
  // The wallets' revision says that there are lists: each network needs its row.
  const spending = await wallets.ensureSpendingWallets(ctx, ctx.actor.ownerId);
  const walletIds = Object.values(spending).map(({ id }) => id);
  if ((await write(ctx, walletIds, request, unsigned)) === "needs_signature") {
    const { list, add, remove, isAllowListOn } = request;
    const action: Action = { type: "PayeeLists", list, add, remove, isAllowListOn: isAllowListOn ?? null };
    await confirmed(ctx, action, signature, (use) => write(ctx, walletIds, request, use));
  }
  return listOwned(ctx);
}

const write = (
  ctx: Ctx<Owner>,
  walletIds: readonly WalletId[],
  request: ListChange,
  use: Use,
): Promise<"written" | "needs_signature"> =>
  ctx.db.transaction(async (tx) => {
    const { ownerId } = ctx.actor;
    const { list } = request;
    const time = ctx.now();
    const { isAllowListOn } = await store.lock(tx, ownerId);
    const { size, entries } = await store.standOf(tx, ownerId, list, [...request.add, ...request.remove]);
    const effect = effectOf(request, { entries, isAllowListOn });
    if (size + effect.added.length - effect.removed.length > ENTRIES_MAX) throw payeeErrors.payee_list_full();
    if (use === unsigned && loosens(list, effect)) return "needs_signature";
    await use(tx);
    const { added, removed, turned } = effect;
    if (added.length + removed.length === 0 && turned === null) return "written";
    // Lock order: mandates, owner, wallets.
    await wallets.lockWallets(tx, walletIds);
    await store.write(tx, ownerId, { list, ...effect }, time);
    await wallets.raisePayeesRevision(tx, ownerId);
    const meta = { list, added, removed, isAllowListOn: turned ?? isAllowListOn };
    await record(tx, time, { type: "owner.payee_lists_changed", subject: ownerId, ownerId, meta });
    const denied = list === "deny" ? added.flatMap((payee) => (isAddressText(payee) ? [toAddress(payee)] : [])) : [];
    if (denied.length > 0) await recordUnderWay(tx, await store.openPayeesOf(tx, ownerId, denied), time);
    return "written";
  });
