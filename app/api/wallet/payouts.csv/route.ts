import { csvDownload } from "@/lib/http/csv";
import { downloadPayouts, filterOf, linesOf, PAYOUT_COLUMNS, payoutLine } from "@/lib/payouts/owner/contract";
import { allPages } from "@/lib/payouts/owner/service";
import { route } from "@/lib/wiring";

export const GET = route(downloadPayouts, (ctx, { query }) =>
  csvDownload({
    name: `tessera-payouts-${ctx.now().toISOString().slice(0, 10)}`,
    columns: PAYOUT_COLUMNS,
    pages: linesOf(allPages(ctx, filterOf(query)), ctx.config.baseUrl, ctx.now()),
    line: payoutLine,
  }),
);
