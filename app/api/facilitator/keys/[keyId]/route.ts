import { revokeKey, toKeyItem, updateKey } from "@/lib/facilitator/contract";
import * as keys from "@/lib/facilitator/keys";
import { route } from "@/lib/wiring";

export const PATCH = route(updateKey, async (ctx, { params, body }) => ({
  status: "ok" as const,
  key: toKeyItem(await keys.change(ctx, params.keyId, body)),
}));

export const DELETE = route(revokeKey, async (ctx, { params }) => ({
  status: "ok" as const,
  key: toKeyItem(await keys.revoke(ctx, params.keyId)),
}));
