import { csvDownload } from "@/lib/http/csv";
import * as sales from "@/lib/links/sales";
import { downloadSales, filterOf, presentSale, SALE_COLUMNS, saleLine } from "@/lib/links/sales-contract";
import { route } from "@/lib/wiring";

export const GET = route(downloadSales, (ctx, { query }) =>
  csvDownload({
    name: `tessera-payments-${ctx.now().toISOString().slice(0, 10)}`,
    columns: SALE_COLUMNS,
    pages: sales.whole(ctx, filterOf(query)),
    line: (sale) => saleLine(presentSale(sale, ctx.config.baseUrl)),
  }),
);
