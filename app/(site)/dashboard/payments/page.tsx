import type { Metadata } from "next";
import { z } from "zod";
import { FilterLinks } from "@/components/dashboard/filter-links";
import { KeepFresh } from "@/components/dashboard/keep-fresh";
import { isOpen, type MoneyRow, madeRow, settlementRow } from "@/components/dashboard/money-row";
import { MoneyTable } from "@/components/dashboard/money-table";
import { Pager } from "@/components/dashboard/pager";
import { ButtonLink } from "@/components/ui/button-link";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import { presentPayment } from "@/lib/payments/contract";
import { listMade, listReceived } from "@/lib/payments/service";
import { presentSettlement } from "@/lib/settlements/contract";
import { beginning, href, oneOf, type SearchParams } from "../query";
import { ownerContext } from "../viewer";

export const metadata: Metadata = { title: "Payments" };

const SIDES = ["made", "received"] as const;
const STATUSES = ["open", "settled", "ended"] as const;
type Side = (typeof SIDES)[number];
type Status = (typeof STATUSES)[number];
type Slice = { before: Date | undefined; limit: number };
type Viewer = NonNullable<Awaited<ReturnType<typeof ownerContext>>>;

const query = z.object({ side: oneOf(SIDES), status: oneOf(STATUSES), before: beginning });

const ROWS = 20;

export default async function PaymentsPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await ownerContext();
  if (!ctx) return null;
  const { side = "made", status, before } = query.parse(await searchParams);
  const { rows, next } = await READERS[side](ctx, status, { before, limit: ROWS });
  const here = (change: { side?: Side; status?: Status | undefined; before?: Date | null }) => {
    const to = { side, status, before: undefined, ...change };
    return href("/dashboard/payments", { ...to, side: to.side === "made" ? undefined : to.side });
  };
  return (
    <>
      <PageHeader title="Payments" description={DESCRIPTIONS[side]} />
      <div className="flex flex-wrap justify-between gap-x-8 gap-y-3">
        <FilterLinks
          label="Which payments"
          options={SIDES.map((value) => ({
            label: LABELS[value],
            href: here({ side: value, status: undefined }),
            isCurrent: side === value,
          }))}
        />
        <FilterLinks
          label="Filter by status"
          options={[
            { label: "All", href: here({ status: undefined }), isCurrent: status === undefined },
            ...STATUSES.map((value) => ({
              label: STATUS_LABELS[side][value],
              href: here({ status: value }),
              isCurrent: status === value,
            })),
          ]}
        />
      </div>
      {rows.length === 0 ? (
        <NoPayments side={side} isFiltered={status !== undefined || before !== undefined} />
      ) : (
        <MoneyTable caption={`${LABELS[side]}, newest first`} rows={rows} isDevnet={ctx.config.mode === "devnet"} />
      )}
      <Pager newest={before && here({})} older={next ? here({ before: next }) : undefined} />
      <KeepFresh isActive={rows.some(isOpen)} />
    </>
  );
}

function NoPayments({ side, isFiltered }: { side: Side; isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <EmptyState
        title="None of this kind"
        action={<ButtonLink href={href("/dashboard/payments", { side })}>Show all</ButtonLink>}
      >
        There are no such payments.
      </EmptyState>
    );
  }
  return side === "made" ? (
    <EmptyState
      title="Your agents have paid nothing yet"
      action={<ButtonLink href="/dashboard/mandates">See your mandates</ButtonLink>}
    >
      Once an agent pays under a mandate, each payment appears here with whom it paid and what became of it.
    </EmptyState>
  ) : (
    <EmptyState
      title="Your agents have received nothing yet"
      action={<ButtonLink href="/dashboard/agents">See your agents</ButtonLink>}
    >
      Each agent has an address at which others can pay it, and can make payment links. What comes in appears here.
    </EmptyState>
  );
}

type Reading = { rows: MoneyRow[]; next: Date | null };

const READERS = {
  made: async (ctx, status, slice) => {
    const page = await listMade(ctx, { ...slice, statuses: status && MADE[status] });
    return { rows: page.rows.map((made) => madeRow(presentPayment(made.payment), made)), next: page.next };
  },
  received: async (ctx, status, slice) => {
    const page = await listReceived(ctx, { ...slice, states: status && RECEIVED[status] });
    const rows = page.rows.map(({ settlement, agentName }) =>
      settlementRow(presentSettlement(settlement, ctx.config.baseUrl), "received", agentName),
    );
    return { rows, next: page.next };
  },
} satisfies Record<Side, (ctx: Viewer, status: Status | undefined, slice: Slice) => Promise<Reading>>;

const MADE = {
  open: ["signed", "submitted"],
  settled: ["settled"],
  ended: ["expired", "cancelled"],
} as const satisfies Record<Status, readonly string[]>;

const RECEIVED = {
  open: ["claimed", "prepared", "broadcast"],
  settled: ["settled"],
  ended: ["failed"],
} as const satisfies Record<Status, readonly string[]>;

const LABELS = { made: "Made by your agents", received: "Received" } satisfies Record<Side, string>;

const STATUS_LABELS = {
  made: { open: "Not finished", settled: "Settled", ended: "Not used" },
  received: { open: "On the way", settled: "Settled", ended: "Failed" },
} satisfies Record<Side, Record<Status, string>>;

const DESCRIPTIONS = {
  made: "What your agents paid under the mandates you signed.",
  received: "What others paid to your agents, at their addresses and their payment links.",
} satisfies Record<Side, string>;
