import { getBalance, toBalanceResponse } from "@/lib/wallets/contract";
import { heldBy } from "@/lib/wallets/service";
import { route } from "@/lib/wiring";

export const GET = route(getBalance, async (ctx, { params: { network, address } }) =>
  toBalanceResponse(network, address, await heldBy(ctx, network, address)),
);
