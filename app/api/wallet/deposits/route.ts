import { createDeposit, toMovementReply } from "@/lib/wallets/contract";
import { deposit } from "@/lib/wallets/service";
import { route } from "@/lib/wiring";

export const POST = route(createDeposit, async (ctx, { body }) => toMovementReply(await deposit(ctx, body)));
