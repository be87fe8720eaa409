import { createDeposit, movementResponse } from "@/lib/wallets/contract";
import { deposit } from "@/lib/wallets/service";
import { route } from "@/lib/wiring";

export const POST = route(createDeposit, async (ctx, { body }) => movementResponse(await deposit(ctx, body)));
