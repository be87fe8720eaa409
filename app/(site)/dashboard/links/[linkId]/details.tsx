import { FilterLinks } from "@/components/dashboard/filter-links";
import { LinkSwitch } from "@/components/links/link-actions";
import { titleOf } from "@/components/links/words";
import { Amount } from "@/components/ui/amount";
import { Badge, type BadgeTone } from "@/components/ui/badge";
import { ButtonLink } from "@/components/ui/button-link";
import { PageHeader } from "@/components/ui/page-header";
import type { LinkId } from "@/lib/core/ids";
import { orNotFound } from "@/lib/http/found";
import { type LinkItem, toLinkView } from "@/lib/links/contract";
import { redirectOf } from "@/lib/links/redirects";
import * as links from "@/lib/links/service";
import { NETWORKS } from "@/lib/x402/networks";
import type { OwnerContext } from "../../../context";
import { href } from "../../query";
import { Calls } from "./calls";
import { Attempts, History, Payments } from "./lists";
import { Overview } from "./overview";
import { type Query, SECTIONS, type Section } from "./query";

export type LinkDetailsProps = {
  ctx: OwnerContext;
  linkId: LinkId;
  at: Query;
  /** True when shown beside the list: only the overview, in one column. */
  isPane?: boolean;
};

export async function LinkDetails({ ctx, linkId, at: query, isPane = false }: LinkDetailsProps) {
  const owned = await orNotFound(links.getForOwner(ctx, linkId));
  const { section, period } = query;
  const { link } = owned.view;
  const item = toLinkView(owned.view, links.linkUrl(ctx, link.linkId), ctx.now());
  const state = linkState(item.unavailableReason);
  const buildHref = (change: Record<string, string | undefined>) => href(`/dashboard/links/${link.linkId}`, change);
  const sectionProps = { ctx, linkId: link.linkId, agentName: owned.agentName, at: query, here: buildHref };
  return (
    <>
      <PageHeader
        {...(isPane ? { level: 2 as const } : { back: { href: "/dashboard/links", label: "Payment links" } })}
        title={<bdi className="line-clamp-3">{titleOf(link) ?? "Payment link"}</bdi>}
        description={
          <span className="flex flex-wrap items-center gap-x-3 gap-y-2">
            <Amount atomic={link.amount} className="text-ink" />
            <Badge tone={state.tone}>{state.label}</Badge>
            <Badge tone="plain">{NETWORKS[link.network].label}</Badge>
          </span>
        }
        actions={
          link.invoiceId !== null ? (
            <ButtonLink href={`/dashboard/invoices/${link.invoiceId}`}>Open its invoice</ButtonLink>
          ) : (
            <>
              <LinkSwitch agentId={link.agentId} linkId={link.linkId} isOn={link.status === "active"} />
              <ButtonLink href={`/dashboard/links/${link.linkId}/edit`}>Edit link</ButtonLink>
            </>
          )
        }
      />
      {!isPane && (
        <FilterLinks
          label="About this link"
          options={[
            { label: "Overview", href: buildHref({ period }), isCurrent: section === undefined },
            ...SECTIONS.filter((value) => value !== "calls" || link.upstream !== null).map((value) => ({
              label: LABELS[value],
              href: buildHref({ section: value, period }),
              isCurrent: section === value,
            })),
          ]}
        />
      )}
      {section === undefined && (
        <Overview {...sectionProps} isPane={isPane} item={item} redirectUrl={await redirectOf(ctx, link)} />
      )}
      {section === "calls" && link.upstream && <Calls ctx={ctx} link={link} upstream={link.upstream} />}
      {section === "payments" && <Payments {...sectionProps} />}
      {section === "attempts" && <Attempts {...sectionProps} />}
      {section === "history" && <History {...sectionProps} />}
    </>
  );
}

const LABELS = { calls: "Requests", payments: "Payments", attempts: "Attempts", history: "History" } satisfies Record<
  Section,
  string
>;

type State = { tone: BadgeTone; label: string };

const linkState = (reason: LinkItem["unavailableReason"]): State => (reason === null ? ACTIVE : CLOSED[reason]);

const ACTIVE: State = { tone: "good", label: "Active" };

const CLOSED = {
  LINK_DISABLED: { tone: "neutral", label: "Disabled" },
  LINK_EXPIRED: { tone: "warn", label: "Expired" },
  LINK_SOLD_OUT: { tone: "warn", label: "Sold out" },
} satisfies Record<NonNullable<LinkItem["unavailableReason"]>, State>;
