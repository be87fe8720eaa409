import { toWeighedAddress, weighAddresses } from "@/lib/payouts/address-book/contract";
import * as book from "@/lib/payouts/address-book/service";
import { route } from "@/lib/wiring";

export const POST = route(weighAddresses, async (ctx, { body }) => ({
  status: "ok" as const,
  addresses: (await book.weighAddresses(ctx, body.addresses)).map(toWeighedAddress),
}));
