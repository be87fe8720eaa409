import { removeNoticeBrowser } from "@/lib/notices/browsers/contract";
import * as browsers from "@/lib/notices/browsers/service";
import { route } from "@/lib/wiring";

export const DELETE = route(removeNoticeBrowser, (ctx, { params }) => browsers.remove(ctx, params.browserId));
