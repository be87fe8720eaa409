import type { Metadata } from "next";
import { NewInvoice } from "@/components/invoices/new-invoice";
import { PageHeader } from "@/components/ui/page-header";
import { listOwned } from "@/lib/agents/service";
import { addSeconds } from "@/lib/core/time";
import { lastSellerDetails } from "@/lib/invoices/service";
import { NoAgents } from "../../links/no-agents";
import { ownerContext } from "../../viewer";

export const metadata: Metadata = { title: "New invoice" };

/** The usual time to pay: 30 days. */
const DUE_SECONDS = 30 * 86_400;

export default async function NewInvoicePage() {
  const ctx = await ownerContext();
  if (!ctx) return null;
  const [owned, sellerDetails] = await Promise.all([listOwned(ctx), lastSellerDetails(ctx)]);
  const day = (at: Date) => at.toISOString().slice(0, 10);
  return (
    <>
      <PageHeader
        title="New invoice"
        description="It cannot be changed once it is created. To correct one, cancel it and create another."
        back={{ href: "/dashboard/invoices", label: "Invoices" }}
      />
      {owned.length === 0 ? (
        <NoAgents baseUrl={ctx.config.baseUrl} />
      ) : (
        <NewInvoice
          agents={owned.map(({ agent }) => ({ id: agent.id, name: agent.name }))}
          today={day(ctx.now())}
          dueDate={day(addSeconds(ctx.now(), DUE_SECONDS))}
          sellerDetails={sellerDetails ?? ""}
        />
      )}
    </>
  );
}
