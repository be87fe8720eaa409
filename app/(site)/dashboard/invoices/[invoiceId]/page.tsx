import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { CancelInvoice } from "@/components/invoices/cancel-invoice";
import { InvoiceDocument } from "@/components/invoices/document";
import { badgeOf, dueText, ENGLISH, isOrphan } from "@/components/invoices/words";
import { PrintButton } from "@/components/receipt/print-button";
import { SessionOver } from "@/components/site/connection";
import { LiveRefresh } from "@/components/site/live-refresh";
import { Amount } from "@/components/ui/amount";
import { Badge } from "@/components/ui/badge";
import { ButtonLink } from "@/components/ui/button-link";
import { Card } from "@/components/ui/card";
import { Copy } from "@/components/ui/copy";
import { Fact, Facts } from "@/components/ui/facts";
import { Link } from "@/components/ui/link";
import { Note } from "@/components/ui/note";
import { PageHeader } from "@/components/ui/page-header";
import { orNotFound } from "@/lib/http/found";
import { getInvoice } from "@/lib/invoices/contract";
import * as invoices from "@/lib/invoices/service";
import { toInvoiceView } from "@/lib/invoices/views";
import { ownerContext } from "../../viewer";

export const metadata: Metadata = { title: "Invoice" };

export default async function InvoicePage({ params }: { params: Promise<{ invoiceId: string }> }) {
  const ctx = await ownerContext();
  if (!ctx) return <SessionOver />;
  const parsed = getInvoice.params?.safeParse(await params);
  if (!parsed?.success) notFound();
  const view = await orNotFound(invoices.getForOwner(ctx, parsed.data.invoiceId));
  const invoice = toInvoiceView(view, ctx.config.baseUrl, ctx.now());
  const { state, canBePaid, number, invoiceId, agentId, payment, cancelledAt } = invoice;
  const badge = badgeOf(invoice);
  const isUnderWay = state === "payment_under_way";
  const isOpen = state === "open" || state === "overdue" || state === "expired" || isUnderWay;
  return (
    <>
      <PageHeader
        back={{ href: "/dashboard/invoices", label: "Invoices" }}
        title={`Invoice ${number}`}
        description={
          <span className="flex flex-wrap items-center gap-x-3 gap-y-2">
            <Amount atomic={invoice.total} size="mid" />
            <Badge tone={badge.tone}>{badge.label}</Badge>
            {canBePaid && <span>{dueText(invoice)}</span>}
          </span>
        }
        actions={
          <div className="flex flex-wrap gap-2.5" data-print="no">
            <PrintButton label={ENGLISH.texts.print} />
            <ButtonLink href={`/dashboard/invoices/new?from=${invoiceId}`}>Duplicate</ButtonLink>
            {isOpen && cancelledAt === null && <CancelInvoice {...{ agentId, invoiceId, number, isUnderWay }} />}
          </div>
        }
      />
      <div className="grid grid-cols-1 gap-5" data-print="no">
        {isUnderWay && (
          <Note tone="info" title="A payment is under way">
            The chain does not show its result yet.
            {cancelledAt !== null &&
              " You cancelled the invoice, so no other payment can begin. This one may still settle, and then the invoice is paid."}
          </Note>
        )}
        {isOrphan(invoice) && (
          <Note tone="warn" title="It can no longer be paid">
            Its agent was removed, and its link with it. Duplicate it for another agent, and cancel this one.
          </Note>
        )}
        <Card title="For the buyer">
          <Facts>
            <Fact label="Page of the invoice" isLong>
              <span className="mono">{invoice.url}</span>
            </Fact>
            {invoice.buyer.email !== null && (
              <Fact label="Email, for you only" isLong>
                <bdi>{invoice.buyer.email}</bdi>
              </Fact>
            )}
            {!view.isAgentDeleted && (
              <Fact label="Paid at" isLong>
                <Link href={`/dashboard/links/${invoice.linkId}`} className="underline underline-offset-4">
                  Its payment link
                </Link>
              </Fact>
            )}
          </Facts>
          <div className="mt-5 flex flex-wrap gap-2.5">
            <Copy
              value={invoice.url}
              label="Copy link"
              variant={canBePaid ? "primary" : undefined}
              className="min-h-11!"
            />
            <ButtonLink href={`/invoice/${invoiceId}`} prefetch={false}>
              Open the buyer’s page
            </ButtonLink>
            {payment !== null && (
              <a href={payment.receiptUrl} className="self-center underline underline-offset-4">
                {payment.status === "settled" ? "Receipt" : "The payment"}
              </a>
            )}
          </div>
        </Card>
      </div>
      <InvoiceDocument invoice={invoice} isDevnet={ctx.config.mode === "devnet"} />
      {isUnderWay && <LiveRefresh news={badge.label} isExpecting />}
    </>
  );
}
