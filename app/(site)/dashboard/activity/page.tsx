import type { Metadata } from "next";
import Form from "next/form";
import { z } from "zod";
import { EventList } from "@/components/dashboard/event-list";
import { FilterLinks } from "@/components/dashboard/filter-links";
import { Pager } from "@/components/dashboard/pager";
import { Button, ButtonLink } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { SelectField } from "@/components/ui/field";
import { PageHeader } from "@/components/ui/page-header";
import { activity, listEverOwned } from "@/lib/agents/service";
import { agentId } from "@/lib/core/ids";
import { beginning, href, oneOf, type SearchParams } from "../query";
import { ownerContext } from "../viewer";

export const metadata: Metadata = { title: "Activity" };

const KINDS = ["mandate", "money", "agent", "owner"] as const;
type Kind = (typeof KINDS)[number];

const query = z.object({ type: oneOf(KINDS), agent: agentId.optional().catch(undefined), before: beginning });

const ROWS = 30;

export default async function ActivityPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await ownerContext();
  if (!ctx) return null;
  const { type, agent, before } = query.parse(await searchParams);
  const [agents, page] = await Promise.all([
    listEverOwned(ctx),
    activity(ctx, { kinds: type && MEANT[type], agentId: agent, before, limit: ROWS }),
  ]);
  const nameOf = (id: string | null) => agents.find((known) => known.id === id)?.name;
  const here = (change: { type?: Kind | undefined; before?: Date | null }) =>
    href("/dashboard/activity", { type, agent, ...change });
  return (
    <>
      <PageHeader title="Activity" description="Everything you and your agents did here, newest first." />
      <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-4">
        <FilterLinks
          label="Filter by kind"
          options={[
            { label: "All", href: here({ type: undefined }), isCurrent: type === undefined },
            ...KINDS.map((kind) => ({ label: LABELS[kind], href: here({ type: kind }), isCurrent: type === kind })),
          ]}
        />
        {agents.length > 0 && (
          <Form action="/dashboard/activity" scroll={false} className="flex items-end gap-2 max-sm:w-full">
            {type !== undefined && <input type="hidden" name="type" value={type} />}
            <SelectField
              label="Agent"
              name="agent"
              key={agent}
              defaultValue={agent ?? ""}
              className="min-w-44 max-sm:flex-1"
              options={[
                { value: "", label: "All agents" },
                ...agents.map(({ id, name, isDeleted }) => ({
                  value: id,
                  label: isDeleted ? `${name} (deleted)` : name,
                })),
              ]}
            />
            <Button type="submit">Filter</Button>
          </Form>
        )}
      </div>
      {page.rows.length === 0 ? (
        <EmptyState title="Nothing here" action={<ButtonLink href="/dashboard/activity">Show all</ButtonLink>}>
          Nothing of this kind has happened yet.
        </EmptyState>
      ) : (
        <EventList
          events={page.rows.map(({ createdAt, ...event }) => ({
            ...event,
            at: createdAt,
            agentName: nameOf(event.agentId),
          }))}
        />
      )}
      <Pager newest={before && here({ before: null })} older={page.next ? here({ before: page.next }) : undefined} />
    </>
  );
}

const MEANT = {
  mandate: ["mandate"],
  money: ["payment", "settlement"],
  agent: ["agent"],
  owner: ["owner"],
} satisfies Record<Kind, readonly string[]>;

const LABELS = {
  mandate: "Mandates",
  money: "Money",
  agent: "Agents",
  owner: "Sign-ins",
} satisfies Record<Kind, string>;
