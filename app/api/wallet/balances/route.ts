import { balances } from "@/lib/payouts/book";
import { getBalances, presentBalance } from "@/lib/payouts/book-contract";
import { route } from "@/lib/wiring";

export const GET = route(getBalances, async (ctx) => ({
  status: "ok" as const,
  balances: (await balances(ctx)).map(presentBalance),
}));
