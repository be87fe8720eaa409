import type { Metadata } from "next";
import { z } from "zod";
import { FilterLinks } from "@/components/dashboard/filter-links";
import { Pager } from "@/components/dashboard/pager";
import { MandateList } from "@/components/mandates/mandate-list";
import { type AgentMandate, nearEnd } from "@/components/mandates/mandate-watch";
import { ButtonLink } from "@/components/ui/button-link";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import { listEverOwned } from "@/lib/agents/service";
import { agentId } from "@/lib/core/ids";
import { decodeMandateCursor, encodeMandateCursor } from "@/lib/mandates/cursor";
import { COUNTED_MAX, countForOwner, listForOwner } from "@/lib/mandates/lists";
import { href, oneOf, type SearchParams } from "../query";
import { ownerContext } from "../viewer";

export const metadata: Metadata = { title: "Mandates" };

const STATUSES = ["active", "waiting", "paused", "ended"] as const;
type Status = (typeof STATUSES)[number];

const query = z
  .object({
    status: oneOf(STATUSES),
    agent: agentId.optional().catch(undefined),
    after: z
      .string()
      .transform((text) => decodeMandateCursor(text) ?? undefined)
      .optional()
      .catch(undefined),
  })
  // A cursor of another status means nothing here; the status was chosen later, so it wins.
  .transform(({ after, ...rest }) => ({
    ...rest,
    after: after && (rest.status === undefined || rest.status === after.group) ? after : undefined,
  }));

const ROWS = 20;

export default async function MandatesPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await ownerContext();
  if (!ctx) return null;
  const { status, agent, after } = query.parse(await searchParams);
  const [page, counts, agents] = await Promise.all([
    listForOwner(ctx, { group: status, agentId: agent }, { after, limit: ROWS }),
    countForOwner(ctx, agent),
    listEverOwned(ctx),
  ]);
  const deleted = new Set(agents.filter((known) => known.isDeleted).map((known) => known.id));
  const whyOf = (mandate: AgentMandate) =>
    deleted.has(mandate.agentId) ? "Its agent is deleted and can pay no more" : nearEnd(mandate, ctx.now());
  const here = (change: { status?: Status | undefined; after?: string }) =>
    href("/dashboard/mandates", { status, agent, ...change });
  const agentName = agents.find((known) => known.id === agent)?.name;
  const isAnything = STATUSES.some((value) => counts[value] > 0);
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
            label: `${LABELS[value]} ${said(counts[value])}`,
            href: here({ status: value }),
            isCurrent: status === value,
          })),
        ]}
      />
      {page.rows.length === 0 ? (
        <NoMandates isFiltered={isAnything} />
      ) : (
        <MandateList label="Mandates" mandates={page.rows.map((mandate) => ({ mandate, why: whyOf(mandate) }))} />
      )}
      <Pager
        newest={after && here({})}
        older={page.next ? here({ after: encodeMandateCursor(page.next) }) : undefined}
        words={{ newest: "First page", older: "Show more" }}
      />
    </>
  );
}

/** A count that reached its limit is not exact. */
const said = (count: number): string => (count < COUNTED_MAX ? String(count) : `${COUNTED_MAX - 1}+`);

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

const LABELS = { waiting: "Waiting", active: "Active", paused: "Paused", ended: "Ended" } satisfies Record<
  Status,
  string
>;
