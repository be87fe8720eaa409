import { Download } from "lucide-react";
import { EventList } from "@/components/activity/event-list";
import { KeepFresh } from "@/components/dashboard/keep-fresh";
import { Pager } from "@/components/dashboard/pager";
import { AttemptTable, refusedRow, takenRow } from "@/components/payments/attempt-table";
import { isOpen, saleRow } from "@/components/payments/money-row";
import { MoneyTable } from "@/components/payments/money-table";
import { buttonClass } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import type { LinkId } from "@/lib/core/ids";
import { encodeCursor } from "@/lib/core/page";
import { downloadSales } from "@/lib/links/sales/contract";
import * as sales from "@/lib/links/sales/service";
import { attempts, trail } from "@/lib/links/visits/service";
import { idsOfLink, toSaleViews } from "@/lib/refunds/service";
import { toSettlementView } from "@/lib/settlements/contract";
import { href } from "../../query";
import type { ownerContext } from "../../viewer";
import { attemptText, type Query } from "./query";

/** The props of every section of the page. */
export type Shown = {
  ctx: NonNullable<Awaited<ReturnType<typeof ownerContext>>>;
  linkId: LinkId;
  agentName: string;
  /** The parsed query parameters. */
  at: Query;
  /** The URL of this page with another query. */
  here: (change: Record<string, string | undefined>) => string;
};

const ROWS = 20;

export async function Payments({ ctx, linkId, at: query, here: buildHref }: Shown) {
  const { section, period, payment: cursor } = query;
  const { rows, next } = await sales.list(ctx, { filter: { linkId }, before: cursor, limit: ROWS });
  const moneyRows = (await toSaleViews(ctx, rows)).map(saleRow);
  return (
    <>
      {moneyRows.length === 0 ? (
        <EmptyState title={cursor === undefined ? "No payments yet" : "No older payments"}>
          Payments of this link appear here, with their receipts.
        </EmptyState>
      ) : (
        <>
          <p className="flex justify-end">
            {/* Not a Link: Link would prefetch the whole file. */}
            <a href={href(downloadSales.path, { link: linkId })} download className={buttonClass({ size: "small" })}>
              <Download aria-hidden />
              Download CSV
            </a>
          </p>
          <MoneyTable
            caption="Payments of this link, newest first"
            rows={moneyRows}
            isDevnet={ctx.config.mode === "devnet"}
          />
        </>
      )}
      <Pager
        newest={cursor === undefined ? undefined : buildHref({ section, period })}
        older={next === null ? undefined : buildHref({ section, period, payment: String(next) })}
      />
      <KeepFresh isActive={moneyRows.some(isOpen)} />
    </>
  );
}

export async function Attempts({ ctx, linkId, at: query, here: buildHref }: Shown) {
  const { section, period, attempt: cursor } = query;
  const { rows, next } = await attempts(ctx, linkId, { after: cursor, limit: ROWS });
  const attemptRows = rows.map((row) =>
    row.type === "refused" ? refusedRow(row.refusal) : takenRow(toSettlementView(row.settlement, ctx.config.baseUrl)),
  );
  return (
    <>
      {attemptRows.length === 0 ? (
        <EmptyState title={cursor === undefined ? "No payment attempts yet" : "No older attempts"}>
          Every signed payment sent to this link appears here, with its result and the reason for a failure.
        </EmptyState>
      ) : (
        <>
          <p className="measure text-control text-ink-2">
            Every signed payment sent to this link. Of the rejected ones we keep the newest 500, and their payers are
            not verified.
          </p>
          <AttemptTable rows={attemptRows} />
        </>
      )}
      <Pager
        newest={cursor && buildHref({ section, period })}
        older={next === null ? undefined : buildHref({ section, period, attempt: attemptText(next) })}
      />
      <KeepFresh isActive={attemptRows.some(({ status }) => status.tone === "info")} />
    </>
  );
}

export async function History({ ctx, linkId, agentName, at: query, here: buildHref }: Shown) {
  const { section, period, event: cursor } = query;
  const { rows, next } = await trail(ctx, linkId, {
    relatedIds: await idsOfLink(ctx, linkId),
    after: cursor,
    limit: ROWS,
  });
  const events = rows.map((event) => ({ ...event, at: event.createdAt, agentName }));
  return (
    <>
      {events.length === 0 ? (
        <EmptyState title="No older changes">Who created this link, and later changes, appear here.</EmptyState>
      ) : (
        <EventList events={events} />
      )}
      <Pager
        newest={cursor && buildHref({ section, period })}
        older={next === null ? undefined : buildHref({ section, period, event: encodeCursor(next) })}
      />
    </>
  );
}
