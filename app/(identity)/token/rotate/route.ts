import { unixSeconds } from "@/lib/core/time";
import { rotateToken } from "@/lib/identity/contract";
import * as identity from "@/lib/identity/service";
import { route } from "@/lib/wiring";

export const POST = route(rotateToken, async (ctx, { body }) => {
  const proof = { agentId: body.agent_id, token: body.token, revokesOld: body.revoke_old };
  const { token, jwt, oldTokenUntil } = await identity.rotateToken(ctx, proof);
  return { token, jwt, old_token_expires_at: oldTokenUntil && unixSeconds(oldTokenUntil) };
});
