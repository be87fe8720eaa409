import { buyCredits } from "@/lib/credits/contract";
import { buy } from "@/lib/credits/service";
import { movementResponse } from "@/lib/wallets/contract";
import { route } from "@/lib/wiring";

export const POST = route(buyCredits, async (ctx, { body }) => movementResponse(await buy(ctx, body.amount)));
