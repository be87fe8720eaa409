import { buyCredits } from "@/lib/credits/contract";
import { buy } from "@/lib/credits/service";
import { toMovementReply } from "@/lib/wallets/contract";
import { route } from "@/lib/wiring";

export const POST = route(buyCredits, async (ctx, { body }) => toMovementReply(await buy(ctx, body)));
