import { reportPayee } from "@/lib/screening/contract";
import { report } from "@/lib/screening/reports";
import { route } from "@/lib/wiring";

export const POST = route(reportPayee, async (ctx, { body }) => {
  await report(ctx, body);
  return { status: "ok" as const };
});
