import type { Metadata } from "next";
import { z } from "zod";
import { FilterLinks } from "@/components/dashboard/filter-links";
import { MandateList } from "@/components/dashboard/mandate-list";
import { type AgentMandate, nearEnd, waitingFirst } from "@/components/dashboard/mandate-watch";
import { Pager } from "@/components/dashboard/pager";
import { ButtonLink } from "@/components/ui/button-link";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import { listEverOwned } from "@/lib/agents/service";
import { agentId } from "@/lib/core/ids";
import { listForOwner } from "@/lib/mandates/service";
import { href, oneOf, type SearchParams } from "../query";
import { ownerContext } from "../viewer";

export const metadata: Metadata = { title: "Mandates" };

const STATUSES = ["waiting", "active", "paused", "ended"] as const;
type Status = (typeof STATUSES)[number];

const query = z.object({
  status: oneOf(STATUSES),
  agent: agentId.optional().catch(undefined),
  page: z.coerce.number().int().min(1).max(100).catch(1),
});

const ROWS = 20;

export default async function MandatesPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await ownerContext();
  if (!ctx) return null;
  const { status, agent, page } = query.parse(await searchParams);
  const [mandates, agents] = await Promise.all([listForOwner(ctx), listEverOwned(ctx)]);
  const deleted = new Set(agents.filter((known) => known.isDeleted).map((known) => known.id));
  const whyOf = (mandate: AgentMandate) =>
    deleted.has(mandate.agentId) ? "Its agent is deleted and can pay no more" : nearEnd(mandate, ctx.now());
  const all = waitingFirst(mandates.filter((mandate) => !agent || mandate.agentId === agent));
  const chosen = all.filter((mandate) => status === undefined || statusOf(mandate) === status);
  const shown = chosen.slice((page - 1) * ROWS, page * ROWS);
  const here = (change: { status?: Status | undefined; page?: number }) =>
    href("/dashboard/mandates", { status, agent, ...change, page: change.page ? String(change.page) : undefined });
  const agentName = agent && all[0]?.agentName;
  return (
    <>
      <PageHeader
        title="Mandates"
        description={
          agentName ? (
            <>
              Budgets of <bdi className="font-medium text-ink">{agentName}</bdi> only.{" "}
              <a href={href("/dashboard/mandates", { status })} className="underline underline-offset-4">
                Show all agents
              </a>
            </>
          ) : (
            "Budgets you gave your agents. None of them can spend more than its mandate says."
          )
        }
      />
      <FilterLinks
        label="Filter by status"
        options={[
          { label: "All", href: here({ status: undefined }), isCurrent: status === undefined },
          ...STATUSES.map((value) => ({
            label: `${LABELS[value]} ${count(all, value)}`,
            href: here({ status: value }),
            isCurrent: status === value,
          })),
        ]}
      />
      {shown.length === 0 ? (
        <NoMandates isFiltered={all.length > 0} />
      ) : (
        <MandateList label="Mandates" mandates={shown.map((mandate) => ({ mandate, why: whyOf(mandate) }))} />
      )}
      <Pager
        newest={page > 1 ? here({}) : undefined}
        older={chosen.length > page * ROWS ? here({ page: page + 1 }) : undefined}
      />
    </>
  );
}

function NoMandates({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <EmptyState title="None of this kind" action={<ButtonLink href="/dashboard/mandates">Show all</ButtonLink>}>
        You have other mandates, but none with this status.
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No mandates yet" action={<ButtonLink href="/dashboard/agents#link">Link an agent</ButtonLink>}>
      A mandate is a budget: how much an agent may spend, where and until when. Your agent asks for one, and it counts
      only once you have signed it.
    </EmptyState>
  );
}

/** The four kinds a person tells apart. */
function statusOf(mandate: AgentMandate): Status {
  if (mandate.status === "draft" || mandate.status === "pending_signature") return "waiting";
  if (mandate.status !== "signed") return "ended";
  return mandate.isEnabled ? "active" : "paused";
}

const count = (all: readonly AgentMandate[], status: Status) => all.filter((m) => statusOf(m) === status).length;

const LABELS = { waiting: "Waiting", active: "Active", paused: "Paused", ended: "Ended" } satisfies Record<
  Status,
  string
>;
