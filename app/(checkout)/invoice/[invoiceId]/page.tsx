import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import { BuyersInvoice } from "@/components/invoices/buyers-invoice";
import { fill } from "@/components/texts/template";
import { orNotFound } from "@/lib/http/found";
import { getInvoice } from "@/lib/invoices/contract";
import * as invoices from "@/lib/invoices/service";
import { toInvoiceView } from "@/lib/invoices/views";
import { toProfileView } from "@/lib/sellers/profile/contract";
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
