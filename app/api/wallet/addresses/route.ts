import { addAddress, listAddresses, toAddressItem } from "@/lib/payouts/address-book/contract";
import * as book from "@/lib/payouts/address-book/service";
import { route } from "@/lib/wiring";

export const GET = route(listAddresses, async (ctx) => ({
  status: "ok" as const,
  addresses: (await book.list(ctx)).map(toAddressItem),
}));

export const POST = route(addAddress, async (ctx, { body }) => ({
  status: "ok" as const,
  address: toAddressItem(await book.add(ctx, body)),
}));
