import { Download } from "lucide-react";
import { EventList } from "@/components/activity/event-list";
import { KeepFresh } from "@/components/dashboard/keep-fresh";
import { Pager } from "@/components/dashboard/pager";
import { failureWords, refusalWords } from "@/components/payments/failure-words";
import { isOpen, type MoneyRow, saleRow, settlementRow } from "@/components/payments/money-row";
import { MoneyTable } from "@/components/payments/money-table";
import { AddressTag } from "@/components/ui/address-tag";
import { Badge } from "@/components/ui/badge";
import { buttonClass } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { type Column, Table } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import type { LinkId } from "@/lib/core/ids";
import { encodeCursor } from "@/lib/core/page";
import { downloadSales } from "@/lib/links/sales/contract";
import * as sales from "@/lib/links/sales/service";
import { attempts, trail } from "@/lib/links/visits/service";
import { idsOfLink, toSaleViews } from "@/lib/refunds/service";
import { type SettlementView, toSettlementView } from "@/lib/settlements/contract";
import { pagerOf, readPaging } from "../../paging";
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

type PageOfList = {
  /** The parameter with the cursor. */
  name: "payment" | "attempt" | "event";
  cursor: string | undefined;
  next: string | null;
  /** The number of rows on this page. */
  shown: number;
};

function ListPager({ at: query, here: buildHref, name, ...page }: Pick<Shown, "at" | "here"> & PageOfList) {
  const { section, period } = query;
  const paging = readPaging(query, page.cursor === undefined);
  return (
    <Pager
      {...pagerOf(paging, page, ({ cursor, ...rest }) => buildHref({ section, period, [name]: cursor, ...rest }))}
    />
  );
}

export async function Payments({ ctx, linkId, at: query, here: buildHref }: Shown) {
  const { payment: cursor } = query;
  const { size } = readPaging(query, cursor === undefined);
  const { rows, next } = await sales.list(ctx, { filter: { linkId }, before: cursor, limit: size });
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
      <ListPager
        at={query}
        here={buildHref}
        name="payment"
        cursor={cursor?.toString()}
        next={next?.toString() ?? null}
        shown={rows.length}
      />
      <KeepFresh isActive={moneyRows.some(isOpen)} />
    </>
  );
}

export async function Attempts({ ctx, linkId, at: query, here: buildHref }: Shown) {
  const { attempt: cursor } = query;
  const { size } = readPaging(query, cursor === undefined);
  const { rows, next } = await attempts(ctx, linkId, { after: cursor, limit: size });
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
      <ListPager
        at={query}
        here={buildHref}
        name="attempt"
        cursor={cursor && attemptText(cursor)}
        next={next && attemptText(next)}
        shown={rows.length}
      />
      <KeepFresh isActive={attemptRows.some(({ status }) => status.tone === "info")} />
    </>
  );
}

export async function History({ ctx, linkId, agentName, at: query, here: buildHref }: Shown) {
  const { event: cursor } = query;
  const { size } = readPaging(query, cursor === undefined);
  const { rows, next } = await trail(ctx, linkId, {
    relatedIds: await idsOfLink(ctx, linkId),
    after: cursor,
    limit: size,
  });
  const events = rows.map((event) => ({ ...event, at: event.createdAt, agentName }));
  return (
    <>
      {events.length === 0 ? (
        <EmptyState title="No older changes">Who created this link, and later changes, appear here.</EmptyState>
      ) : (
        <EventList events={events} />
      )}
      <ListPager
        at={query}
        here={buildHref}
        name="event"
        cursor={cursor && encodeCursor(cursor)}
        next={next && encodeCursor(next)}
        shown={rows.length}
      />
    </>
  );
}

/** A proof that was presented at a link, and its result. */
type AttemptRow = {
  id: string;
  at: Date;
  payer: string | null;
  status: MoneyRow["status"];
  /** Why no money moved. */
  reason: string | undefined;
  /** Why it is not settled and until when it still can be. */
  warning?: string | undefined;
  /** The error code that the payer received. */
  code: string | undefined;
  /** True for a refused proof: its payer was not verified. */
  isRefused: boolean;
  receiptHref: string | undefined;
};

function takenRow(settlement: SettlementView): AttemptRow {
  const { id, at: time, party, status, receiptHref, warning } = settlementRow(settlement, "received");
  const code = settlement.failureCode ?? undefined;
  const reason = settlement.settlementStatus === "failed" ? failureWords(code, "link") : undefined;
  return { id, at: time, payer: party, status, reason, warning, code, isRefused: false, receiptHref };
}

const refusedRow = (refusal: { id: number; createdAt: Date; code: string; payer: string | null }): AttemptRow => ({
  id: String(refusal.id),
  at: refusal.createdAt,
  payer: refusal.payer,
  status: { tone: "warn", label: "Refused" },
  reason: refusalWords(refusal.code),
  code: refusal.code,
  isRefused: true,
  receiptHref: undefined,
});

function AttemptTable({ rows }: { rows: readonly AttemptRow[] }) {
  return <Table caption="Attempts to pay, newest first" columns={COLUMNS} rows={rows} rowKey={(row) => row.id} />;
}

const COLUMNS: readonly Column<AttemptRow>[] = [
  { key: "who", header: "Who", cell: (row) => <Who row={row} /> },
  { key: "what", header: "Result", from: "md", cell: (row) => <Ending row={row} /> },
  {
    key: "time",
    header: "Time",
    align: "end",
    from: "md",
    cell: ({ at: time }) => (
      <span className="grid whitespace-nowrap">
        <Time at={time} form="short" show="absolute" />
        <Time at={time} form="short" show="relative" className="text-tiny text-ink-2" />
      </span>
    ),
  },
];

function Who({ row }: { row: AttemptRow }) {
  return (
    <div className="grid gap-1">
      {row.payer === null ? (
        <span className="text-ink-2">Not known</span>
      ) : (
        <span className="flex flex-wrap items-center gap-x-2">
          {row.isRefused && <span className="text-small text-ink-2">says it is</span>}
          <AddressTag address={row.payer} tileSize={18} />
        </span>
      )}
      <div className="grid gap-1.5 md:hidden">
        <Ending row={row} />
        <Time at={row.at} form="short" className="text-small text-ink-2" />
      </div>
    </div>
  );
}

function Ending({ row }: { row: AttemptRow }) {
  return (
    <div className="grid justify-items-start gap-1">
      <span className="flex flex-wrap items-center gap-x-3">
        <Badge tone={row.status.tone}>{row.status.label}</Badge>
        {row.receiptHref !== undefined && (
          <Link
            href={row.receiptHref}
            className="inline-flex items-center text-small font-medium text-brand underline underline-offset-4 max-sm:min-h-11"
          >
            Receipt
          </Link>
        )}
      </span>
      {row.warning !== undefined && (
        <span className="text-small text-ink-2">
          {row.warning} <span className="mono text-tiny [overflow-wrap:anywhere]">{row.code}</span>
        </span>
      )}
      {row.reason !== undefined && (
        <span className="text-small text-ink-2">
          {row.reason} No money moved.{" "}
          {row.code !== undefined && <span className="mono text-tiny [overflow-wrap:anywhere]">{row.code}</span>}
        </span>
      )}
    </div>
  );
}
