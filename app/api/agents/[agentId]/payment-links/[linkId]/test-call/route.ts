import { testOwnedLink, toTestRequest, toTestResult } from "@/lib/links/upstream/contract";
import { testCall } from "@/lib/links/upstream/service";
import { route } from "@/lib/wiring";

export const POST = route(testOwnedLink, async (ctx, { params: { agentId, linkId }, body }) => {
  const call = await testCall(ctx, agentId, linkId, toTestRequest(body));
  return { success: true as const, call: toTestResult(call) };
});
