import { getBalances, toBalanceItem } from "@/lib/payouts/address-book/contract";
import { balances } from "@/lib/payouts/address-book/service";
import { route } from "@/lib/wiring";

export const GET = route(getBalances, async (ctx) => ({
  status: "ok" as const,
  balances: (await balances(ctx)).map(toBalanceItem),
}));
