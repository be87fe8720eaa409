import { getDepositTypedData } from "@/lib/wallets/contract";
import { prepareDeposit } from "@/lib/wallets/service";
import { route } from "@/lib/wiring";
import { authorizationTypedData } from "@/lib/x402/authorization";

export const GET = route(getDepositTypedData, async (ctx, { query }) =>
  authorizationTypedData(query.network, await prepareDeposit(ctx, query)),
);
