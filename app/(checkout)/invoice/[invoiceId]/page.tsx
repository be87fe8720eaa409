import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import { InvoiceDocument, type InvoiceDocumentProps } from "@/components/invoices/document";
import { badgeOf, buyerSays, type InvoiceWords, isOrphan } from "@/components/invoices/words";
import { PrintButton } from "@/components/receipt/print-button";
import { SellerCard, SupportContact } from "@/components/sellers/seller-card";
import { LiveRefresh } from "@/components/site/live-refresh";
import { filled } from "@/components/texts/filled";
import { inLanguage } from "@/components/texts/in-language";
import { fill } from "@/components/texts/template";
import { Amount } from "@/components/ui/amount";
import { Badge } from "@/components/ui/badge";
import { buttonClass } from "@/components/ui/button";
import { cx } from "@/components/ui/cx";
import { usdcText } from "@/components/ui/format";
import { Note, type NoteTone } from "@/components/ui/note";
import { formatUsdc } from "@/lib/core/usdc";
import { orNotFound } from "@/lib/http/found";
import { getInvoice } from "@/lib/invoices/contract";
import * as invoices from "@/lib/invoices/service";
import { type InvoiceState, toInvoiceView } from "@/lib/invoices/views";
import { type ProfileView, toProfileView } from "@/lib/sellers/profile/contract";
import { profileOf } from "@/lib/sellers/profile/service";
import { pageContext } from "@/lib/wiring";
import { pageWords } from "../../../language";

export const dynamic = "force-dynamic";

type Props = {
  params: Promise<{ invoiceId: string }>;
  searchParams: Promise<{ lang?: string | string[] | undefined }>;
};

/** Cached per request, for the page and its title. Whoever has the URL may read the invoice: there is no other access check. */
const loadInvoice = cache(async (invoiceId: string) => {
  const ctx = await pageContext();
  const parsed = getInvoice.params?.safeParse({ invoiceId });
  if (!parsed?.success) notFound();
  return { ctx, found: await orNotFound(invoices.readInvoice(ctx, parsed.data.invoiceId)) };
});

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { found: view } = await loadInvoice((await params).invoiceId);
  const { texts } = await pageWords("invoice");
  const title = fill(texts.title, { number: view.invoice.number });
  return { title, robots: { index: false, follow: false }, referrer: "no-referrer" };
}

export default async function InvoicePage({ params, searchParams }: Props) {
  const { ctx, found: view } = await loadInvoice((await params).invoiceId);
  const profile = await profileOf(ctx, view.invoice.ownerId);
  const { buyer, ...invoice } = toInvoiceView(view, ctx.config.baseUrl, ctx.now());
  return (
    <BuyersInvoice
      invoice={{ ...invoice, buyer: { name: buyer.name, address: buyer.address } }}
      profile={toProfileView(profile, ctx.config.baseUrl)}
      isDevnet={ctx.config.mode === "devnet"}
      texts={await pageWords("invoice")}
      named={(await searchParams).lang}
    />
  );
}

type BuyersInvoiceProps = Pick<InvoiceDocumentProps, "invoice" | "isDevnet"> & {
  texts: InvoiceWords;
  /** The URL's language parameter, for links to other pages. */
  named: unknown;
  /** The seller's current profile. The invoice keeps the name and domain from when it was created. */
  profile: ProfileView;
};

/** The invoice for its buyer: the state, how to pay, and the document. */
function BuyersInvoice({ invoice, profile, isDevnet, texts: translation, named }: BuyersInvoiceProps) {
  const { state, canBePaid, number, payment, sellerName, sellerDomain } = invoice;
  const { language, texts } = translation;
  const { title, says } = buyerSays(invoice, translation);
  const badge = badgeOf(invoice, translation);
  return (
    <div className="mx-auto grid max-w-190 grid-cols-1 gap-5 print:block">
      <header className="flex flex-wrap items-center justify-between gap-3 print:mb-6">
        <h1 className="text-title [overflow-wrap:anywhere]">{fill(texts.title, { number })}</h1>
        <Badge tone={badge.tone}>{badge.label}</Badge>
      </header>
      <div className="grid grid-cols-1 gap-5" data-print="no">
        <p>
          <Amount value={formatUsdc(invoice.total)} size="big" language={language} />
        </p>
        <SellerCard
          profile={{ ...profile, name: sellerName, domain: profile.domain === sellerDomain ? sellerDomain : null }}
          agentName={sellerName}
          seed={invoice.agentId}
          texts={texts}
        />
        <Note tone={isOrphan(invoice) ? "warn" : TONES[state]} title={title}>
          {says}
        </Note>
        <div className="flex flex-wrap gap-2.5 max-sm:[&>*]:w-full">
          {canBePaid && (
            <a
              href={inLanguage(invoice.paymentUrl, named)}
              className={cx(buttonClass({ variant: "primary" }), "max-w-full [overflow-wrap:anywhere]")}
            >
              {fill(texts.pay, { sum: usdcText(invoice.total, language) })}
            </a>
          )}
          {payment !== null && (
            <a href={inLanguage(payment.receiptUrl, named)} className={buttonClass({})}>
              {payment.status === "settled" ? texts.openReceipt : texts.openPayment}
            </a>
          )}
          <PrintButton label={texts.print} />
        </div>
      </div>
      <InvoiceDocument invoice={invoice} isDevnet={isDevnet} texts={translation} />
      <div className="grid gap-1.5 text-small text-ink-2" data-print="no">
        {profile.support !== null && (
          <p>{filled(texts.questions, { contact: <SupportContact contact={profile.support} /> })}</p>
        )}
        <p>{texts.readable}</p>
      </div>
      {state !== "paid" && <LiveRefresh news={title} isExpecting={state === "payment_under_way"} />}
    </div>
  );
}

const TONES = {
  open: "info",
  overdue: "warn",
  expired: "warn",
  payment_under_way: "info",
  paid: "good",
  cancelled: "neutral",
} satisfies Record<InvoiceState, NoteTone>;
