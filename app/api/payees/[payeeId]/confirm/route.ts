import { confirmPayee, toPayeeView } from "@/lib/payees/contract";
import * as payees from "@/lib/payees/service";
import { route } from "@/lib/wiring";

export const POST = route(confirmPayee, async (ctx, { params: { payeeId } }) => {
  const { payee } = await payees.decide(ctx, payeeId, "confirm");
  return { status: "ok" as const, payee: toPayeeView(payee) };
});
