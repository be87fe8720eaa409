import { addNoticeBrowser, listNoticeBrowsers } from "@/lib/notices/browsers/contract";
import * as browsers from "@/lib/notices/browsers/service";
import { route } from "@/lib/wiring";

export const GET = route(listNoticeBrowsers, (ctx) => browsers.list(ctx));
export const POST = route(addNoticeBrowser, (ctx, { body }) => browsers.saveBrowser(ctx, body));
