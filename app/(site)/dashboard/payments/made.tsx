import { z } from "zod";
import { FilterLinks } from "@/components/dashboard/filter-links";
import { KeepFresh } from "@/components/dashboard/keep-fresh";
import { Pager } from "@/components/dashboard/pager";
import { Panes } from "@/components/dashboard/panes";
import { isOpen, madeRow } from "@/components/payments/money-row";
import { MoneyTable } from "@/components/payments/money-table";
import { ButtonLink } from "@/components/ui/button-link";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import { toPaymentView } from "@/lib/payments/responses";
import { listAgentPayments } from "@/lib/payments/service";
import { beginning, href, oneOf, type SearchParams } from "../query";
import type { ownerContext } from "../viewer";
import { detailOf, shownPayment } from "./shown";
import { SIDE_LABELS, Sides } from "./sides";

const STATUSES = ["open", "settled", "ended"] as const;
type Status = (typeof STATUSES)[number];
type MadeProps = { ctx: NonNullable<Awaited<ReturnType<typeof ownerContext>>>; params: Awaited<SearchParams> };

const query = z.object({ status: oneOf(STATUSES), before: beginning, show: shownPayment });

const ROWS = 20;

/** Payments by the owner's agents. */
export async function Made({ ctx, params }: MadeProps) {
  const { status, before, show } = query.parse(params);
  const { rows: made, next } = await listAgentPayments(ctx, {
    before,
    limit: ROWS,
    states: status && [STATES[status]],
  });
  const rows = made.map((row) => madeRow(toPaymentView(row.payment), row));
  const here = (change: { status?: Status | undefined; before?: Date }) =>
    href("/dashboard/payments", { status, ...change });
  return (
    <Panes label="The chosen payment" detail={detailOf(ctx, show)}>
      <PageHeader title="Payments" description="What your agents paid under the mandates you signed." />
      <div className="flex flex-wrap justify-between gap-x-8 gap-y-3">
        <Sides current="made" />
        <FilterLinks
          label="Filter by status"
          options={[
            { label: "All", href: here({ status: undefined }), isCurrent: status === undefined },
            ...STATUSES.map((value) => ({
              label: LABELS[value],
              href: here({ status: value }),
              isCurrent: status === value,
            })),
          ]}
        />
      </div>
      {rows.length === 0 ? (
        <NoPayments isFiltered={status !== undefined || before !== undefined} />
      ) : (
        <MoneyTable
          caption={`${SIDE_LABELS.made}, newest first`}
          rows={rows}
          isDevnet={ctx.config.mode === "devnet"}
          panes={{ shown: show }}
        />
      )}
      <Pager newest={before && here({})} older={next ? here({ before: next }) : undefined} />
      <KeepFresh isActive={rows.some(isOpen)} />
    </Panes>
  );
}

function NoPayments({ isFiltered }: { isFiltered: boolean }) {
  return isFiltered ? (
    <EmptyState title="None of this kind" action={<ButtonLink href="/dashboard/payments">Show all</ButtonLink>}>
      There are no such payments.
    </EmptyState>
  ) : (
    <EmptyState
      title="Your agents have paid nothing yet"
      action={<ButtonLink href="/dashboard/mandates">See your mandates</ButtonLink>}
    >
      Once an agent pays under a mandate, each payment appears here with whom it paid and what became of it.
    </EmptyState>
  );
}

const STATES = {
  open: "open",
  settled: "committed",
  ended: "released",
} as const satisfies Record<Status, string>;

const LABELS = { open: "Not finished", settled: "Settled", ended: "Not used" } satisfies Record<Status, string>;
