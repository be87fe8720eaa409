import { Plus } from "lucide-react";
import type { Metadata } from "next";
import { z } from "zod";
import { FilterLinks } from "@/components/dashboard/filter-links";
import { Pager } from "@/components/dashboard/pager";
import { InvoiceTable } from "@/components/invoices/invoice-table";
import { ButtonLink } from "@/components/ui/button-link";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import { listOwned } from "@/lib/agents/service";
import * as invoices from "@/lib/invoices/service";
import { toInvoiceItem } from "@/lib/invoices/views";
import { NoAgents } from "../links/no-agents";
import { href, oneOf, type SearchParams } from "../query";
import { ownerContext } from "../viewer";

export const metadata: Metadata = { title: "Invoices" };

const PATH = "/dashboard/invoices";
const ROWS = 20;

const query = z.object({
  state: oneOf(invoices.INVOICE_FILTERS),
  before: z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number)
    .optional()
    .catch(undefined),
});

export default async function InvoicesPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await ownerContext();
  if (!ctx) return null;
  const { state, before: cursor } = query.parse(await searchParams);
  const [agents, { items, next }] = await Promise.all([
    listOwned(ctx),
    invoices.listForOwner(ctx, { filter: state, before: cursor, limit: ROWS }),
  ]);
  const rows = items.map((item) => ({
    item: toInvoiceItem(item, ctx.config.baseUrl, ctx.now()),
    agentName: item.agentName ?? "",
  }));
  const isFirst = rows.length === 0 && state === undefined && cursor === undefined;
  const buildHref = (change: { state?: string | undefined; before?: string }) => href(PATH, change);
  return (
    <>
      <PageHeader
        title="Invoices"
        description="For one named buyer, with lines and a due date. Each has a page to print and a link that is paid once."
        actions={
          !isFirst && (
            <ButtonLink href={`${PATH}/new`} variant="primary">
              <Plus aria-hidden />
              New invoice
            </ButtonLink>
          )
        }
      />
      {isFirst && agents.length === 0 && <NoAgents baseUrl={ctx.config.baseUrl} />}
      {isFirst && agents.length > 0 && (
        <EmptyState
          title="No invoice yet"
          action={
            <ButtonLink href={`${PATH}/new`} variant="primary">
              Create your first invoice
            </ButtonLink>
          }
        >
          Name the buyer and what they pay for. You get an address to send them, where they read, print and pay it.
        </EmptyState>
      )}
      {!isFirst && (
        <>
          <FilterLinks
            label="Filter by status"
            options={[undefined, ...invoices.INVOICE_FILTERS].map((value) => ({
              label: value === undefined ? "All" : LABELS[value],
              href: buildHref({ state: value }),
              isCurrent: state === value,
            }))}
          />
          {rows.length > 0 ? (
            <InvoiceTable rows={rows} />
          ) : (
            <EmptyState title="No such invoice">No invoice has this status.</EmptyState>
          )}
          <Pager
            newest={cursor === undefined ? undefined : buildHref({ state })}
            older={next === null ? undefined : buildHref({ state, before: String(next) })}
          />
        </>
      )}
    </>
  );
}

const LABELS = { unpaid: "Unpaid", paid: "Paid", cancelled: "Cancelled" } satisfies Record<
  invoices.InvoiceFilter,
  string
>;
