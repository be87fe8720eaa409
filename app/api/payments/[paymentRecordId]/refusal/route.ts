import { reportRefusal } from "@/lib/payments/refusals/contract";
import * as refusals from "@/lib/payments/refusals/service";
import { route } from "@/lib/wiring";

export const POST = route(reportRefusal, async (ctx, { params, body }) => ({
  status: "ok" as const,
  refusesContracts: await refusals.reportRefusal(ctx, params.paymentRecordId, body.reason),
}));
