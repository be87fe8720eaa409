import type { Metadata } from "next";
import { Checkout } from "@/components/checkout/checkout";
import { PICTURE_SIZE } from "@/components/checkout/picture";
import { shareOf } from "@/components/checkout/share";
import { PaymentWords } from "@/components/texts/context";
import { wordsOf } from "@/components/texts/words";
import { isLanguage, LANGUAGE_PARAMETER, type Language } from "@/lib/core/language";
import { formatUsdc } from "@/lib/core/money";
import { paymentRequiredV1, unpaidError } from "@/lib/x402/requirement";
import { pageLanguage } from "../../../language";
import { readCheckout, textsOf } from "../../reading";

export const dynamic = "force-dynamic";

type Props = {
  params: Promise<{ linkId: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
};

export async function generateMetadata({ params, searchParams }: Props): Promise<Metadata> {
  const language = await pageLanguage();
  const { view, config } = await readCheckout((await params).linkId);
  const { title, description, picture } = shareOf(view, config.baseUrl, language);
  // Social networks fetch `url` to draw a link preview: without the language parameter, the preview would change its language.
  const named = textsOf(await searchParams)[LANGUAGE_PARAMETER];
  const url = isLanguage(named) ? `${view.url}?${LANGUAGE_PARAMETER}=${named}` : view.url;
  return {
    title: { absolute: title },
    description,
    robots: { index: false },
    openGraph: {
      type: "website",
      siteName: "Tessera",
      url,
      title,
      description,
      locale: OPEN_GRAPH_LOCALES[language],
      images: [{ url: picture, alt: title, type: "image/png", ...PICTURE_SIZE }],
    },
    twitter: { card: "summary_large_image", title, description, images: [picture] },
  };
}

/** Locale names as the Open Graph protocol writes them. */
const OPEN_GRAPH_LOCALES = { en: "en_GB", de: "de_DE" } as const satisfies Record<Language, string>;

/** The checkout page. Requests that do not accept HTML get the x402 response at the same URL. */
export default async function PayPage({ params, searchParams }: Props) {
  const { view, profile, requirement, config } = await readCheckout((await params).linkId);
  const language = await pageLanguage();
  const { amount, currency } = shareOf(view, config.baseUrl);
  return (
    <>
      {/* Next's metadata has no prices; React moves these into the head. */}
      <meta property="product:price:amount" content={amount} />
      <meta property="product:price:currency" content={currency} />
      <PaymentWords payment={wordsOf(language, "payment")} wallet={wordsOf(language, "wallet")}>
        <Checkout
          view={view}
          profile={profile}
          example={requirement && { url: requirement.resource, amount: formatUsdc(requirement.amount) }}
          required={requirement && paymentRequiredV1([requirement], unpaidError(requirement))}
          prefilled={textsOf(await searchParams)}
          mode={config.mode}
          onrampUrl={config.site.onrampUrl}
          texts={wordsOf(language, "offer")}
        />
      </PaymentWords>
    </>
  );
}
