import { removeLogo, setLogo, toProfileView } from "@/lib/sellers/profile/contract";
import * as profiles from "@/lib/sellers/profile/service";
import { route } from "@/lib/wiring";

export const POST = route(setLogo, async (ctx, { body }) => ({
  status: "ok" as const,
  profile: toProfileView(await profiles.setLogo(ctx, Buffer.from(body.data, "base64")), ctx.config.baseUrl),
}));

export const DELETE = route(removeLogo, async (ctx) => ({
  status: "ok" as const,
  profile: toProfileView(await profiles.removeLogo(ctx), ctx.config.baseUrl),
}));
