import { createWithdrawal, movementResponse } from "@/lib/wallets/contract";
import { withdraw } from "@/lib/wallets/service";
import { route } from "@/lib/wiring";

export const POST = route(createWithdrawal, async (ctx, { body }) => movementResponse(await withdraw(ctx, body)));
