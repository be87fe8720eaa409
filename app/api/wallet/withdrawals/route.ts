import { createWithdrawal, toMovementReply } from "@/lib/wallets/contract";
import { withdraw } from "@/lib/wallets/service";
import { route } from "@/lib/wiring";

export const POST = route(createWithdrawal, async (ctx, { body }) => toMovementReply(await withdraw(ctx, body)));
