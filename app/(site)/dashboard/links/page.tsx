import { Plus } from "lucide-react";
import type { Metadata } from "next";
import { z } from "zod";
import { FilterLinks } from "@/components/dashboard/filter-links";
import { KeepFresh } from "@/components/dashboard/keep-fresh";
import { Pager } from "@/components/dashboard/pager";
import { Panes } from "@/components/dashboard/panes";
import { LinkSelection } from "@/components/links/link-selection";
import { STATE_WORDS } from "@/components/links/link-state";
import { type LinkRow, LinkTable, type Sorting, selectableOf } from "@/components/links/link-table";
import { SearchBox } from "@/components/links/search-box";
import { SessionOver } from "@/components/site/connection";
import { ButtonLink } from "@/components/ui/button-link";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import { listOwned } from "@/lib/agents/service";
import { agentId } from "@/lib/core/id-text";
import type { LinkId } from "@/lib/core/ids";
import { LINK_STATES, type LinkState, params, stateOf } from "@/lib/links/contract";
import { imageUrl } from "@/lib/links/images/image";
import {
  type LinkCursor,
  type LinkOrder,
  type ListedLink,
  linkUrl,
  listForOwner,
  type OwnedLink,
} from "@/lib/links/service";
import type { OwnerContext } from "../../context";
import { Chosen } from "../chosen";
import { pagerOf, readPaging } from "../paging";
import { href, oneOf, type SearchParams } from "../query";
import { ownerContext } from "../viewer";
import { LinkDetails } from "./[linkId]/details";
import { NoAgents } from "./no-agents";

export const metadata: Metadata = { title: "Links" };

const PATH = "/dashboard/links";
const SEARCH_MAX = 200;
const SORTS = ["-created", "created", "-price", "price", "-paid", "paid", "name", "-name"] as const;
type Sort = (typeof SORTS)[number];

const query = z
  .object({
    q: z
      .string()
      .trim()
      .min(1)
      .max(SEARCH_MAX)
      .regex(/^\P{Cc}*$/u)
      .optional()
      .catch(undefined),
    state: oneOf(LINK_STATES),
    agent: agentId.optional().catch(undefined),
    sort: z.enum(SORTS).catch("-created"),
    after: z.string().optional().catch(undefined),
    show: params.shape.linkId.optional().catch(undefined),
  })
  .transform(({ after: cursorText, ...fields }) => ({
    ...fields,
    after: decodeLinkCursor(cursorText, orderOf(fields.sort)),
  }));

export default async function LinksPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await ownerContext();
  if (!ctx) return <SessionOver />;
  const given = await searchParams;
  const { q, state, agent, sort, after: cursor, show } = query.parse(given);
  const paging = readPaging(given, cursor === undefined);
  const [agents, { rows, counts, next }] = await Promise.all([
    listOwned(ctx),
    listForOwner(ctx, { search: q, agentId: agent, state, order: orderOf(sort), after: cursor, limit: paging.size }),
  ]);
  const filters = { state, agent, sort: sort === "-created" ? undefined : sort };
  const buildHref = (change: { q?: undefined; state?: LinkState | undefined; agent?: undefined; sort?: Sort }) =>
    href(PATH, { q, ...filters, ...change });
  const all = LINK_STATES.reduce((sum, linkState) => sum + counts[linkState], 0);
  const hasLinks = all > 0 || q !== undefined || agent !== undefined;
  const agentName = agents.find((ownedAgent) => ownedAgent.agent.id === agent)?.agent.name;
  const linkRows = rows.map((owned) => rowOf(owned, ctx));
  return (
    <Panes label="The chosen link" detail={show === undefined ? null : <ChosenLink ctx={ctx} linkId={show} />}>
      <LinkSelection items={linkRows.map(selectableOf)}>
        <PageHeader
          title="Links"
          description={
            agent === undefined ? (
              "A buyer opens one, pays its price and gets what it sells."
            ) : (
              <>
                Links of <bdi className="font-medium text-ink">{agentName ?? "an unknown agent"}</bdi> only.{" "}
                <a href={buildHref({ agent: undefined })} className="underline underline-offset-4">
                  Show all agents
                </a>
              </>
            )
          }
          actions={
            hasLinks && (
              <ButtonLink href={`${PATH}/new`} variant="primary">
                <Plus aria-hidden />
                New link
              </ButtonLink>
            )
          }
        />
        {!hasLinks && <NoLinks hasAgents={agents.length > 0} />}
        {hasLinks && (
          <>
            <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-4">
              <SearchBox
                action={PATH}
                label="Search links"
                placeholder="Title, reference, id, agent, address"
                value={q}
                charactersMax={SEARCH_MAX}
                kept={filters}
              />
              <FilterLinks
                label="Filter by status"
                options={[
                  { label: `All ${all}`, href: buildHref({ state: undefined }), isCurrent: state === undefined },
                  ...LINK_STATES.map((value) => ({
                    label: `${STATE_WORDS[value]} ${counts[value]}`,
                    href: buildHref({ state: value }),
                    isCurrent: state === value,
                  })),
                ]}
              />
            </div>
            <p role="status" className="sr-only">
              {rows.length} {rows.length === 1 ? "link" : "links"} on this page
            </p>
            {rows.length === 0 ? (
              <NothingFound
                search={q}
                withoutSearch={buildHref({ q: undefined })}
                withoutState={state && all > 0 ? buildHref({ state: undefined }) : undefined}
              />
            ) : (
              <LinkTable
                rows={linkRows}
                panes={{ shown: show }}
                sorting={{
                  name: sorting("name", sort, buildHref),
                  price: sorting("price", sort, buildHref),
                  paid: sorting("paid", sort, buildHref),
                  created: sorting("created", sort, buildHref),
                }}
              />
            )}
          </>
        )}
        <Pager
          {...pagerOf(
            paging,
            {
              cursor: cursor && encodeLinkCursor(cursor),
              next: next && encodeLinkCursor(next),
              shown: rows.length,
              total: state === undefined ? all : counts[state],
            },
            ({ cursor: after, ...page }) => href(PATH, { q, ...filters, after, ...page }),
          )}
        />
        <KeepFresh isActive={rows.some(({ view }) => view.uses.open > 0)} />
      </LinkSelection>
    </Panes>
  );
}

function ChosenLink({ ctx, linkId }: { ctx: OwnerContext; linkId: LinkId }) {
  return (
    <Chosen ctx={ctx} path={`${PATH}/${linkId}`}>
      <LinkDetails ctx={ctx} linkId={linkId} at={{}} isPane />
    </Chosen>
  );
}

function NoLinks({ hasAgents }: { hasAgents: boolean }) {
  if (!hasAgents) return <NoAgents />;
  return (
    <EmptyState
      title="No payment links yet"
      action={
        <ButtonLink href={`${PATH}/new`} variant="primary">
          Create your first link
        </ButtonLink>
      }
    >
      A payment link has a price and an address. Send it to people or to agents: they pay in USDC, and get what you put
      behind it.
    </EmptyState>
  );
}

type NothingFoundProps = { search: string | undefined; withoutSearch: string; withoutState: string | undefined };

function NothingFound({ search, withoutSearch, withoutState }: NothingFoundProps) {
  return (
    <EmptyState
      title="No results"
      action={
        <>
          {withoutState !== undefined && <ButtonLink href={withoutState}>Any status</ButtonLink>}
          {search !== undefined && <ButtonLink href={withoutSearch}>Clear the search</ButtonLink>}
          <ButtonLink href={PATH}>Show all</ButtonLink>
        </>
      }
    >
      {search === undefined ? (
        "You have other links, but none that match."
      ) : (
        <>
          No link matches <bdi className="font-medium text-ink [overflow-wrap:anywhere]">{search}</bdi>. Titles,
          descriptions, references, ids, names of agents, and addresses from 0x on are searched.
        </>
      )}
    </EmptyState>
  );
}

function rowOf(
  { view, agentName }: OwnedLink<ListedLink>,
  ctx: Parameters<typeof linkUrl>[0] & { now: () => Date },
): LinkRow {
  const { link, uses } = view;
  const url = linkUrl(ctx, link.linkId);
  const { linkId, agentId: linkAgentId, title, description, amount, network, maxUses, createdAt } = link;
  return {
    linkId,
    title,
    description,
    amount,
    network,
    maxUses,
    createdAt,
    agentName,
    url,
    agentId: linkAgentId,
    imageUrl: link.image && imageUrl(ctx.config.baseUrl, link.image),
    settled: uses.settled,
    open: uses.open,
    state: stateOf(view.link, view.uses, ctx.now()),
    isOn: link.status === "active",
  };
}

const orderOf = (sort: Sort): LinkOrder => ({
  // The value is a column name, with a leading minus for descending order.
  by: sort.replace("-", "") as LinkOrder["by"],
  isAscending: !sort.startsWith("-"),
});

/** The sort order after a click on a column header: the current column is reversed, another column gets its default order. */
function sorting(column: LinkOrder["by"], sort: Sort, buildHref: (change: { sort: Sort }) => string): Sorting {
  const order = orderOf(sort);
  const isLeading = order.by === column;
  const goesUp = isLeading ? !order.isAscending : column === "name";
  return {
    href: buildHref({ sort: goesUp ? column : `-${column}` }),
    direction: isLeading ? (order.isAscending ? "ascending" : "descending") : undefined,
  };
}

const encodeLinkCursor = ({ id, key }: LinkCursor): string => `${id}.${key}`;

/** The inverse of `encodeLinkCursor`; any other text counts as absent. */
function decodeLinkCursor(text: string | undefined, { by: column }: LinkOrder): LinkCursor | undefined {
  const [, id = "", key = ""] = /^(\d{1,15})\.([^\0]{0,500})$/s.exec(text ?? "") ?? [];
  const isKey = column === "name" || (column === "price" ? /^\d{1,78}$/ : /^\d{1,15}$/).test(key);
  return id !== "" && isKey ? { id: Number(id), key } : undefined;
}
