import { Download } from "lucide-react";
import type { Metadata } from "next";
import Form from "next/form";
import { z } from "zod";
import { EventList } from "@/components/activity/event-list";
import { EVENT_TYPES, KIND_LABELS, TYPE_LABELS, typesOf } from "@/components/activity/event-types";
import { agentOptions } from "@/components/dashboard/filter-form";
import { FilterLinks } from "@/components/dashboard/filter-links";
import { Pager } from "@/components/dashboard/pager";
import { SessionOver } from "@/components/site/connection";
import { Button, buttonClass } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/button-link";
import { Disclosure } from "@/components/ui/disclosure";
import { EmptyState } from "@/components/ui/empty-state";
import { SelectField } from "@/components/ui/field";
import { PageHeader } from "@/components/ui/page-header";
import { downloadActivity, eventKind, isOfKind } from "@/lib/agents/contract";
import { activity, listEverOwned } from "@/lib/agents/service";
import { agentId } from "@/lib/core/id-text";
import { encodeCursor } from "@/lib/core/page";
import { pagerOf, readPaging } from "../paging";
import { cursor, href, oneOf, type SearchParams } from "../query";
import { ownerContext } from "../viewer";

export const metadata: Metadata = { title: "Activity" };

const query = z
  .object({
    kind: eventKind.optional().catch(undefined),
    type: oneOf(EVENT_TYPES),
    agent: agentId.optional().catch(undefined),
    after: cursor,
  })
  // A type of another kind would match nothing; the kind was chosen later, so it wins.
  .transform(({ kind, type, ...fields }) => ({
    ...fields,
    kind,
    type: type && (kind === undefined || isOfKind(type, kind)) ? type : undefined,
  }));

export default async function ActivityPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await ownerContext();
  if (!ctx) return <SessionOver />;
  const params = await searchParams;
  const { after: pageCursor, ...filter } = query.parse(params);
  const paging = readPaging(params, pageCursor === undefined);
  const { kind, type, agent } = filter;
  const [agents, page] = await Promise.all([
    listEverOwned(ctx),
    activity(ctx, { filter, after: pageCursor, limit: paging.size }),
  ]);
  const buildHref = (change: { [Name in keyof typeof filter]?: undefined | (typeof filter)[Name] } = {}) =>
    href("/dashboard/activity", { ...filter, ...change });
  const agentName = agents.find((knownAgent) => knownAgent.id === agent)?.name;
  // A type belongs to one kind: removing only the kind would change nothing.
  const chosen = [
    kind && !type ? { name: "kind", value: KIND_LABELS[kind], without: buildHref({ kind: undefined }) } : undefined,
    type && { name: "type", value: TYPE_LABELS[type], without: buildHref({ type: undefined }) },
    agent && { name: "agent", value: agentName ?? "unknown agent", without: buildHref({ agent: undefined }) },
  ].filter((choice) => choice !== undefined);
  return (
    <>
      <PageHeader
        title="Activity"
        description="Everything you and your agents did here, newest first."
        actions={
          // Not a Link: Link would prefetch the whole file.
          <a href={href(downloadActivity.path, filter)} download className={buttonClass({})}>
            <Download aria-hidden />
            Download CSV
          </a>
        }
      />
      <div className="grid gap-4">
        <FilterLinks
          label="Filter by kind"
          className="max-sm:overflow-x-auto max-sm:py-1 max-sm:[&>ul]:w-max max-sm:[&>ul]:flex-nowrap"
          options={[
            { label: "All", href: buildHref({ kind: undefined, type: undefined }), isCurrent: kind === undefined },
            ...eventKind.options.map((option) => ({
              label: KIND_LABELS[option],
              href: buildHref({ kind: option, type: undefined }),
              isCurrent: kind === option,
            })),
          ]}
        />
        <Disclosure summary="Filters" open={agent !== undefined || type !== undefined}>
          <Form action="/dashboard/activity" scroll={false} className="flex flex-wrap items-end gap-x-3 gap-y-4">
            {kind !== undefined && <input type="hidden" name="kind" value={kind} />}
            <SelectField
              label="Agent"
              name="agent"
              key={`agent ${agent}`}
              defaultValue={agent ?? ""}
              className="w-60 max-sm:w-full"
              options={[{ value: "", label: "All agents" }, ...agentOptions(agents)]}
            />
            <SelectField
              label="Type"
              name="type"
              key={`type ${kind} ${type}`}
              defaultValue={type ?? ""}
              className="w-60 max-sm:w-full"
              options={[
                { value: "", label: "All types" },
                ...typesOf(kind).map((value) => ({ value, label: TYPE_LABELS[value] })),
              ]}
            />
            <Button type="submit" className="max-sm:w-full">
              Filter
            </Button>
          </Form>
        </Disclosure>
      </div>
      <p role="status" className="sr-only">
        {page.rows.length} {page.rows.length === 1 ? "event" : "events"} on this page
      </p>
      {page.rows.length === 0 ? (
        <EmptyState
          title="No results"
          action={
            <>
              {chosen.map(({ name, without }) => (
                <ButtonLink key={name} href={without} scroll={false}>
                  Any {name}
                </ButtonLink>
              ))}
              {chosen.length !== 1 && <ButtonLink href="/dashboard/activity">Show all</ButtonLink>}
            </>
          }
        >
          {chosen.length === 0 ? (
            "There are no older events."
          ) : (
            <>
              Nothing that happened matches{" "}
              {chosen.map(({ name, value }, index) => (
                <span key={name}>
                  {index > 0 && " and "}
                  {name} <bdi className="font-medium text-ink [overflow-wrap:anywhere]">{value}</bdi>
                </span>
              ))}
              . Remove {chosen.length === 1 ? "it" : "one of them"} to see more.
            </>
          )}
        </EmptyState>
      ) : (
        <EventList events={page.rows.map(({ createdAt, ...event }) => ({ ...event, at: createdAt }))} />
      )}
      <Pager
        {...pagerOf(
          paging,
          {
            cursor: pageCursor && encodeCursor(pageCursor),
            next: page.next && encodeCursor(page.next),
            shown: page.rows.length,
          },
          ({ cursor: after, ...pageParams }) => href("/dashboard/activity", { ...filter, after, ...pageParams }),
        )}
      />
    </>
  );
}
