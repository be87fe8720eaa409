import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import { Checkout } from "@/components/checkout/checkout";
import { PICTURE_SIZE } from "@/components/checkout/picture";
import { shareOf } from "@/components/checkout/share";
import { orNotFound } from "@/lib/http/found";
import { payLink, toCheckoutView } from "@/lib/links/checkout/contract";
import * as checkouts from "@/lib/links/checkout/service";
import * as links from "@/lib/links/service";
import { pageContext } from "@/lib/wiring";
import { paymentRequiredV1 } from "@/lib/x402/requirement";

export const dynamic = "force-dynamic";

type Props = { params: Promise<{ linkId: string }> };

/** Once a request, for the page and for what previews show. */
const read = cache(async (linkId: string) => {
  const ctx = await pageContext();
  const parsed = payLink.params?.safeParse({ linkId });
  if (!parsed?.success) notFound();
  const found = await orNotFound(checkouts.checkout(ctx, parsed.data.linkId));
  const { link, payee } = found;
  const url = links.linkUrl(ctx, link.linkId);
  const view = toCheckoutView(found, { url, redirectUrl: links.redirectOf(ctx, link), now: ctx.now() });
  const required =
    payee && paymentRequiredV1([checkouts.requirementOf(ctx, link, payee.address)], "X-PAYMENT header is required");
  return { view, required, config: ctx.config };
});

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { view, config } = await read((await params).linkId);
  const { title, description, picture } = shareOf(view, config.baseUrl);
  return {
    title: "Pay",
    description,
    robots: { index: false },
    openGraph: {
      ...{ type: "website", siteName: "Tessera", url: view.url, title, description },
      images: [{ url: picture, alt: title, type: "image/png", ...PICTURE_SIZE }],
    },
    twitter: { card: "summary_large_image", title, description, images: [picture] },
  };
}

/** The checkout page. Requests that do not accept HTML get the x402 response at the same URL. */
export default async function PayPage({ params }: Props) {
  const { view, required, config } = await read((await params).linkId);
  const { amount, currency } = shareOf(view, config.baseUrl);
  return (
    <>
      {/* Next's metadata has no prices; React moves these into the head. */}
      <meta property="product:price:amount" content={amount} />
      <meta property="product:price:currency" content={currency} />
      <Checkout view={view} required={required} mode={config.mode} onrampUrl={config.site.onrampUrl} />
    </>
  );
}
