import { getApprovalLimit, presentLimit, setApprovalLimit } from "@/lib/confirmations/contract";
import * as confirmations from "@/lib/confirmations/service";
import { route } from "@/lib/wiring";

export const GET = route(getApprovalLimit, async (ctx) => presentLimit(await confirmations.approvalLimit(ctx)));

export const POST = route(setApprovalLimit, async (ctx, { body: { limit, signature } }) =>
  presentLimit(await confirmations.setApprovalLimit(ctx, limit, signature)),
);
