import type { Metadata } from "next";
import { Checkout } from "@/components/checkout/checkout";
import { PICTURE_SIZE } from "@/components/checkout/picture";
import { shareOf } from "@/components/checkout/share";
import { formatUsdc } from "@/lib/core/money";
import { paymentRequiredV1, unpaidError } from "@/lib/x402/requirement";
import { readCheckout, textsOf } from "../../reading";

export const dynamic = "force-dynamic";

type Props = {
  params: Promise<{ linkId: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
};

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { view, config } = await readCheckout((await params).linkId);
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
  const { view, profile, requirement, config } = await readCheckout((await params).linkId);
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
        required={requirement && paymentRequiredV1([requirement], unpaidError(requirement))}
        prefilled={textsOf(await searchParams)}
        mode={config.mode}
        onrampUrl={config.site.onrampUrl}
      />
    </>
  );
}
