import type { Metadata } from "next";
import { FramedCheckout } from "@/components/checkout/framed";
import { PaymentWords } from "@/components/texts/context";
import { wordsOf } from "@/components/texts/words";
import { frameOrigins } from "@/lib/links/frames";
import { readCheckout, textsOf } from "../../../../(checkout)/reading";
import { pageLanguage, pageWords } from "../../../../language";

export const dynamic = "force-dynamic";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await pageWords("offer")).texts.title, robots: { index: false } };
}

type Props = {
  params: Promise<{ linkId: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
};

/** The checkout in a compact form, for frames on the sites that the link's owner has verified. */
export default async function FramedPayPage({ params, searchParams }: Props) {
  const language = await pageLanguage();
  const { ctx, view, profile, config } = await readCheckout((await params).linkId);
  return (
    <PaymentWords payment={wordsOf(language, "payment")} wallet={wordsOf(language, "wallet")}>
      <FramedCheckout
        view={view}
        profile={profile}
        prefilled={textsOf(await searchParams)}
        mode={config.mode}
        onrampUrl={config.site.onrampUrl}
        origins={await frameOrigins(ctx, view.linkId)}
        texts={wordsOf(language, "offer")}
      />
    </PaymentWords>
  );
}
