import { createKey, listKeys, toKeyItem } from "@/lib/facilitator/contract";
import * as keys from "@/lib/facilitator/keys";
import { route } from "@/lib/wiring";

export const GET = route(listKeys, async (ctx) => ({
  status: "ok" as const,
  keys: (await keys.list(ctx)).map(toKeyItem),
}));

export const POST = route(createKey, async (ctx, { body }) => {
  const { key, secret } = await keys.create(ctx, body);
  return { status: "ok" as const, key: toKeyItem(key), secret };
});
