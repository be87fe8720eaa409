import { signMandate } from "@/lib/mandates/contract";
import * as mandates from "@/lib/mandates/service";
import { route } from "@/lib/wiring";

export const POST = route(signMandate, async (ctx, { params: { mandateId }, body }) => {
  const mandate =
    body.mode === "vault"
      ? await mandates.signWithVault(ctx, mandateId, body)
      : await mandates.sign(ctx, mandateId, body.signature);
  return { status: "ok" as const, mandate: await mandates.viewOf(ctx, mandate) };
});
