import { changeNotices, getNotices } from "@/lib/notices/contract";
import * as notices from "@/lib/notices/service";
import { route } from "@/lib/wiring";

export const GET = route(getNotices, (ctx) => notices.get(ctx));
export const PATCH = route(changeNotices, (ctx, { body }) => notices.change(ctx, body));
