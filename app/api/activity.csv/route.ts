import { ACTIVITY_COLUMNS, downloadActivity, toCsvRow } from "@/lib/agents/contract";
import { wholeActivity } from "@/lib/agents/service";
import { csvDownload } from "@/lib/http/csv";
import { route } from "@/lib/wiring";

export const GET = route(downloadActivity, (ctx, { query }) =>
  csvDownload({
    name: `tessera-activity-${ctx.now().toISOString().slice(0, 10)}`,
    columns: ACTIVITY_COLUMNS,
    pages: wholeActivity(ctx, query),
    line: toCsvRow,
  }),
);
