import type { Metadata } from "next";
import { EmptyState } from "@/components/ui/empty-state";
import { Note } from "@/components/ui/note";
import { PageHeader } from "@/components/ui/page-header";
import { NewWebhook } from "@/components/webhooks/new-webhook";
import { WebhookTable } from "@/components/webhooks/webhook-table";
import { toWebhookItem, WEBHOOKS_MAX } from "@/lib/webhooks/contract";
import { list } from "@/lib/webhooks/service";
import { ownerContext } from "../viewer";
import { EVENT_GROUPS } from "./groups";

export const metadata: Metadata = { title: "Webhooks" };

export default async function WebhooksPage() {
  const ctx = await ownerContext();
  if (!ctx) return null;
  const rows = (await list(ctx)).map(toWebhookItem);
  const isFull = rows.length >= WEBHOOKS_MAX;
  return (
    <>
      <PageHeader
        title="Webhooks"
        description="Notify your own programs of events as they happen: payments, payouts, mandates, links, refunds, credentials."
        actions={<NewWebhook groups={EVENT_GROUPS} isFull={isFull} />}
      />
      {rows.length === 0 ? (
        <EmptyState title="No webhook yet">
          Add the https address of your program. We send it a signed message for each event, and try again for up to
          three days until it accepts it. Its replies are shown here.
        </EmptyState>
      ) : (
        <WebhookTable rows={rows} />
      )}
      {isFull && <Note>These are all {WEBHOOKS_MAX} that you can have. Delete one to add another.</Note>}
    </>
  );
}
