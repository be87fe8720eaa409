import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { Checkout } from "@/components/checkout/checkout";
import { orNotFound } from "@/lib/http/found";
import { payLink, toCheckoutView } from "@/lib/links/checkout/contract";
import * as checkouts from "@/lib/links/checkout/service";
import * as links from "@/lib/links/service";
import { pageContext } from "@/lib/wiring";
import { paymentRequiredV1 } from "@/lib/x402/requirement";

export const metadata: Metadata = { title: "Pay", robots: { index: false } };
export const dynamic = "force-dynamic";

type Props = { params: Promise<{ linkId: string }> };

/** The checkout page. Requests that do not accept HTML get the x402 response at the same URL. */
export default async function PayPage({ params }: Props) {
  const ctx = await pageContext();
  const parsed = payLink.params?.safeParse(await params);
  if (!parsed?.success) notFound();
  const found = await orNotFound(checkouts.checkout(ctx, parsed.data.linkId));
  const { link, payee } = found;
  const url = links.linkUrl(ctx, link.linkId);
  const view = toCheckoutView(found, { url, redirectUrl: links.redirectOf(ctx, link), now: ctx.now() });
  const required =
    payee && paymentRequiredV1([checkouts.requirementOf(ctx, link, payee.address)], "X-PAYMENT header is required");
  return <Checkout view={view} required={required} mode={ctx.config.mode} />;
}
