import { confirmEmail } from "@/lib/notices/contract";
import { confirm } from "@/lib/notices/service";
import { route } from "@/lib/wiring";

export const POST = route(confirmEmail, async (ctx, { body }) => {
  await confirm(ctx, body.token);
  return { status: "ok" as const };
});
