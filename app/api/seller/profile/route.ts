import { getProfile, toProfileView, updateProfile } from "@/lib/sellers/profile/contract";
import * as profiles from "@/lib/sellers/profile/service";
import { route } from "@/lib/wiring";

export const GET = route(getProfile, async (ctx) => ({
  status: "ok" as const,
  profile: toProfileView(await profiles.getProfile(ctx), ctx.config.baseUrl),
}));

export const PATCH = route(updateProfile, async (ctx, { body }) => ({
  status: "ok" as const,
  profile: toProfileView(await profiles.updateProfile(ctx, body), ctx.config.baseUrl),
}));
