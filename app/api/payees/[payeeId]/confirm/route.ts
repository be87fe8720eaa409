import { confirmPayee, toPayeeView } from "@/lib/payees/contract";
import * as payees from "@/lib/payees/service";
import { route } from "@/lib/wiring";

export const POST = route(confirmPayee, async (ctx, { params: { payeeId }, body }) => {
  const { payee } = await payees.confirmOwned(ctx, payeeId, body.signature);
  return { status: "ok" as const, payee: toPayeeView(payee) };
});
