import { refusePayee, toPayeeView } from "@/lib/payees/contract";
import * as payees from "@/lib/payees/service";
import { route } from "@/lib/wiring";

export const POST = route(refusePayee, async (ctx, { params: { payeeId } }) => {
  const { payee } = await payees.refuse(ctx, payeeId);
  return { status: "ok" as const, payee: toPayeeView(payee) };
});
