import type { Metadata } from "next";
import { notFound, redirect } from "next/navigation";
import { EditLink } from "@/components/links/edit-link";
import { titleOf } from "@/components/links/words";
import { SessionOver } from "@/components/site/connection";
import { PageHeader } from "@/components/ui/page-header";
import { id } from "@/lib/core/id-text";
import { orNotFound } from "@/lib/http/found";
import { redirectOrigins } from "@/lib/links/redirects";
import { getForOwner } from "@/lib/links/service";
import { ownerContext } from "../../../viewer";
import { startOf } from "../../start";

export const metadata: Metadata = { title: "Edit link" };

export default async function EditLinkPage({ params }: { params: Promise<{ linkId: string }> }) {
  const ctx = await ownerContext();
  if (!ctx) return <SessionOver />;
  const parsed = id("link").safeParse((await params).linkId);
  if (!parsed.success) notFound();
  const { view, agentName } = await orNotFound(getForOwner(ctx, parsed.data));
  const { link, uses } = view;
  if (link.invoiceId !== null) redirect(`/dashboard/invoices/${link.invoiceId}`);
  return (
    <>
      <PageHeader
        title="Edit the link"
        description={<bdi className="line-clamp-2 [overflow-wrap:anywhere]">{titleOf(link)}</bdi>}
        back={{ href: `/dashboard/links/${link.linkId}`, label: "The link" }}
      />
      <EditLink
        linkId={link.linkId}
        agentId={link.agentId}
        agentName={agentName}
        link={startOf(link)}
        reference={link.reference}
        uses={uses}
        origins={await redirectOrigins(ctx)}
      />
    </>
  );
}
