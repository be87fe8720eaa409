import { verifyCredential as endpoint } from "@/lib/identity/contract";
import { verifyCredential } from "@/lib/identity/service";
import { route } from "@/lib/wiring";

export const POST = route(endpoint, async (ctx, { body }) => {
  const { vc, expected_audience: audience, expected_challenge: challenge } = body;
  return verifyCredential(ctx, vc, { audience, challenge });
});
