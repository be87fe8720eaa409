import { listNoticeBrowsers, putNoticeBrowser } from "@/lib/notices/browsers/contract";
import * as browsers from "@/lib/notices/browsers/service";
import { route } from "@/lib/wiring";

export const GET = route(listNoticeBrowsers, (ctx) => browsers.list(ctx));
export const PUT = route(putNoticeBrowser, (ctx, { body }) => browsers.put(ctx, body));
