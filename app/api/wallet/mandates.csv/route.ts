import { csvDownload } from "@/lib/http/csv";
import { allForOwner } from "@/lib/mandates/lists";
import { downloadMandates, filterOf, MANDATE_COLUMNS, mandateLine } from "@/lib/mandates/owner/contract";
import { route } from "@/lib/wiring";

export const GET = route(downloadMandates, (ctx, { query }) =>
  csvDownload({
    name: `tessera-mandates-${ctx.now().toISOString().slice(0, 10)}`,
    columns: MANDATE_COLUMNS,
    pages: allForOwner(ctx, filterOf(query)),
    line: mandateLine,
  }),
);
