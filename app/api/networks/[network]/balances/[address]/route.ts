import { getBalance, toBalanceResponse } from "@/lib/wallets/contract";
import { codeOf, heldBy } from "@/lib/wallets/service";
import { route } from "@/lib/wiring";

export const GET = route(getBalance, async (ctx, { params, query }) => {
  const { network, address } = params;
  const [balance, code] = await Promise.all([
    heldBy(ctx, network, address),
    query.code === undefined ? undefined : codeOf(ctx, network, address),
  ]);
  return toBalanceResponse(params, balance, code);
});
