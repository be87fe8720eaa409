import { csvDownload } from "@/lib/http/csv";
import { downloadSales, SALE_COLUMNS, toCsvRow } from "@/lib/links/sales/contract";
import * as sales from "@/lib/links/sales/service";
import * as refunds from "@/lib/refunds/service";
import { route } from "@/lib/wiring";

export const GET = route(downloadSales, async (ctx, { query }) =>
  csvDownload({
    name: `tessera-payments-${ctx.now().toISOString().slice(0, 10)}`,
    columns: SALE_COLUMNS,
    pages: refunds.toSalePages(ctx, sales.listAll(ctx, await refunds.filterOf(ctx, query))),
    line: toCsvRow,
  }),
);
