import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import { Checkout } from "@/components/checkout/checkout";
import { PICTURE_SIZE } from "@/components/checkout/picture";
import { shareOf } from "@/components/checkout/share";
import { formatUsdc } from "@/lib/core/money";
import { orNotFound } from "@/lib/http/found";
import { payLink, toCheckoutView } from "@/lib/links/checkout/contract";
import * as checkouts from "@/lib/links/checkout/service";
import { targetsOf } from "@/lib/links/redirects";
import * as links from "@/lib/links/service";
import { toProfileView } from "@/lib/sellers/profile/contract";
import { profileOf } from "@/lib/sellers/profile/service";
import { pageContext } from "@/lib/wiring";
import { paymentRequiredV1 } from "@/lib/x402/requirement";

export const dynamic = "force-dynamic";

type Props = {
  params: Promise<{ linkId: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
};

/** Once a request, for the page and for what previews show. */
const read = cache(async (linkId: string) => {
  const ctx = await pageContext();
  const parsed = payLink.params?.safeParse({ linkId });
  if (!parsed?.success) notFound();
  const found = await orNotFound(checkouts.checkout(ctx, parsed.data.linkId));
  const { link, payee } = found;
  const view = toCheckoutView(found, {
    url: links.linkUrl(ctx, link.linkId),
    ...(await targetsOf(ctx, link)),
    now: ctx.now(),
  });
  const profile = payee && toProfileView(await profileOf(ctx, payee.ownerId), ctx.config.baseUrl);
  const requirement = payee && checkouts.requirementOf(ctx, link, payee.address, checkouts.exampleOf(link));
  return { view, profile, requirement, config: ctx.config };
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
export default async function PayPage({ params, searchParams }: Props) {
  const { view, profile, requirement, config } = await read((await params).linkId);
  const { amount, currency } = shareOf(view, config.baseUrl);
  return (
    <>
      {/* Next's metadata has no prices; React moves these into the head. */}
      <meta property="product:price:amount" content={amount} />
      <meta property="product:price:currency" content={currency} />
      <Checkout
        view={view}
        profile={profile}
        example={requirement && { url: requirement.resource, amount: formatUsdc(requirement.amount) }}
        required={requirement && paymentRequiredV1([requirement], "X-PAYMENT header is required")}
        prefilled={textsOf(await searchParams)}
        mode={config.mode}
        onrampUrl={config.site.onrampUrl}
      />
    </>
  );
}

/** The parameters that were given once. */
const textsOf = (query: Record<string, string | string[] | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) => (typeof value === "string" ? [[name, value] as const] : [])),
  );
