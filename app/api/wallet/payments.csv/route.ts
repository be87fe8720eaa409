import { csvDownload } from "@/lib/http/csv";
import { allAgentPayments } from "@/lib/payments/history";
import { downloadMade, filterOf, MADE_COLUMNS, madeLine } from "@/lib/payments/made/contract";
import { route } from "@/lib/wiring";

export const GET = route(downloadMade, (ctx, { query }) =>
  csvDownload({
    name: `tessera-payments-made-${ctx.now().toISOString().slice(0, 10)}`,
    columns: MADE_COLUMNS,
    pages: allAgentPayments(ctx, filterOf(query)),
    line: (row) => madeLine(row, ctx.config.baseUrl),
  }),
);
