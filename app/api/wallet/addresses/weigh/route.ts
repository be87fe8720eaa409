import * as book from "@/lib/payouts/book";
import { presentKnown, weighAddresses } from "@/lib/payouts/book-contract";
import { route } from "@/lib/wiring";

export const POST = route(weighAddresses, async (ctx, { body }) => ({
  status: "ok" as const,
  addresses: (await book.weighAddresses(ctx, body.addresses)).map(presentKnown),
}));
