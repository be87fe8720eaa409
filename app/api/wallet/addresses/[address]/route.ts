import { removeAddress, renameAddress, toAddressItem } from "@/lib/payouts/address-book/contract";
import * as book from "@/lib/payouts/address-book/service";
import { route } from "@/lib/wiring";

export const PATCH = route(renameAddress, async (ctx, { params, body }) => ({
  status: "ok" as const,
  address: toAddressItem(await book.rename(ctx, params.address, body.name)),
}));

export const DELETE = route(removeAddress, async (ctx, { params }) => {
  await book.remove(ctx, params.address);
  return { status: "ok" as const };
});
