import type { Metadata } from "next";
import { z } from "zod";
import { copyOf, type InvoiceDraft } from "@/components/invoices/draft";
import { NewInvoice } from "@/components/invoices/new-invoice";
import { SessionOver } from "@/components/site/connection";
import { PageHeader } from "@/components/ui/page-header";
import { listOwned } from "@/lib/agents/service";
import { id } from "@/lib/core/id-text";
import type { InvoiceId } from "@/lib/core/ids";
import { addSeconds } from "@/lib/core/time";
import { orNotFound } from "@/lib/http/found";
import * as invoices from "@/lib/invoices/service";
import { toInvoiceView } from "@/lib/invoices/views";
import type { OwnerContext } from "../../../context";
import { NoAgents } from "../../links/no-agents";
import type { SearchParams } from "../../query";
import { ownerContext } from "../../viewer";

export const metadata: Metadata = { title: "New invoice" };

/** The default payment term: 30 days. */
const DUE_SECONDS = 30 * 86_400;

const query = z.object({ from: id("invoice").optional().catch(undefined) });

export default async function NewInvoicePage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await ownerContext();
  if (!ctx) return <SessionOver />;
  const { from } = query.parse(await searchParams);
  const [owned, start] = await Promise.all([listOwned(ctx), startOf(ctx, from)]);
  const isOwned = owned.some(({ agent }) => agent.id === start.agentId);
  return (
    <>
      <PageHeader
        title={from ? "Duplicate an invoice" : "New invoice"}
        description="It cannot be changed once it is created. To correct one, cancel it and create another."
        back={{ href: "/dashboard/invoices", label: "Invoices" }}
      />
      {owned.length === 0 ? (
        <NoAgents next="/dashboard/invoices/new" />
      ) : (
        <NewInvoice
          agents={owned.map(({ agent }) => ({ id: agent.id, name: agent.name }))}
          today={invoices.dayOf(ctx.now())}
          dueDate={invoices.dayOf(addSeconds(ctx.now(), DUE_SECONDS))}
          start={isOwned ? start : { ...start, agentId: owned[0]?.agent.id ?? "" }}
        />
      )}
    </>
  );
}

async function startOf(ctx: OwnerContext, from: InvoiceId | undefined): Promise<Partial<InvoiceDraft>> {
  if (from === undefined) return { sellerDetails: (await invoices.lastSellerDetails(ctx)) ?? "" };
  const original = await orNotFound(invoices.getForOwner(ctx, from));
  return {
    ...copyOf(toInvoiceView(original, ctx.config.baseUrl, ctx.now())),
    agentId: original.invoice.agentId,
  };
}
