import { z } from "zod";
import type { MandateId } from "@/lib/core/ids";
import { toUsdc } from "@/lib/core/money";
import { topUp } from "@/lib/credits/contract";
import { purchase } from "@/lib/purchases/service";
import { keyText } from "../arguments";
import { ownAnswer, ownSend } from "../own-send";
import { amountText, idText, tool } from "../tool";
import { toPaymentPart } from "./purchases";

export const creditTools = [
  tool(
    "top_up_credits",
    {
      title: "Buy service credits",
      description:
        "Buy service credits for the owner, one for each USDC, in whole cents (10000 = 0.01), paid under a signed mandate. They pay for this service's scans. Repeat with the same idempotencyKey after any doubt.",
      input: z.strictObject({
        amount: amountText,
        idempotencyKey: keyText,
        mandateId: idText("mand_…: left out, the first mandate that covers the amount").optional(),
      }),
    },
    async ({ ctx, api }, { amount, idempotencyKey, mandateId }) => {
      const url = `${ctx.config.baseUrl}${topUp.path}`;
      const order = {
        url,
        method: topUp.method,
        headers: {},
        idempotencyKey,
        maxAmount: toUsdc(BigInt(amount)),
        body: JSON.stringify({ amount, agentId: ctx.actor.agentId }),
        mandateId: mandateId as MandateId | undefined,
      };
      const view = await purchase(ctx, order, { send: ownSend(api, topUp), isOwn: true });
      const { outcome, message, nextStep } = view;
      return { outcome, message, nextStep, payment: toPaymentPart(view), topUp: ownAnswer(view) };
    },
  ),
];
