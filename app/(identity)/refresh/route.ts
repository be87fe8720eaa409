import { refreshLogin } from "@/lib/identity/contract";
import { refresh } from "@/lib/identity/service";
import { route } from "@/lib/wiring";

export const POST = route(refreshLogin, async (ctx, { body }) =>
  refresh(ctx, { agentId: body.agent_id, token: body.token }),
);
