import { getApprovalLimit, setApprovalLimit, toLimitResponse } from "@/lib/confirmations/contract";
import * as confirmations from "@/lib/confirmations/service";
import { route } from "@/lib/wiring";

export const GET = route(getApprovalLimit, async (ctx) => toLimitResponse(await confirmations.approvalLimit(ctx)));

export const POST = route(setApprovalLimit, async (ctx, { body: { limit, signature } }) =>
  toLimitResponse(await confirmations.setApprovalLimit(ctx, limit, signature)),
);
