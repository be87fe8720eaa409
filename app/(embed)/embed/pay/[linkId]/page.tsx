import type { Metadata } from "next";
import { type CheckoutProps, Offer, Terms } from "@/components/checkout/checkout";
import { Closed } from "@/components/checkout/closed";
import { Framed } from "@/components/checkout/frame";
import { LinkPanel } from "@/components/checkout/link-panel";
import { PhoneWay, WithoutScripts } from "@/components/checkout/other-ways";
import { PaymentWords } from "@/components/texts/context";
import { wordsOf } from "@/components/texts/words";
import { Disclosure } from "@/components/ui/disclosure";
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

type FramedCheckoutProps = Omit<CheckoutProps, "example" | "required"> & { origins: readonly string[] };

/** The compact checkout for frames. Omits the instructions for agents and any link that would navigate the frame. */
function FramedCheckout({
  view,
  profile,
  prefilled,
  mode,
  onrampUrl,
  texts: translation,
  origins,
}: FramedCheckoutProps) {
  const { unavailableReason } = view;
  return (
    <Framed linkId={view.linkId} origins={origins}>
      <div className="mx-auto grid w-full max-w-110 grid-cols-1 gap-5">
        <Offer view={view} profile={profile} texts={translation} />
        {unavailableReason === null && <WithoutScripts url={view.url} opensTab texts={translation.texts} />}
        <LinkPanel
          view={view}
          prefilled={prefilled}
          mode={mode}
          onrampUrl={onrampUrl}
          phone={<PhoneWay url={view.url} texts={translation.texts} opensTab />}
          agent={null}
          closed={
            unavailableReason && (
              <Closed view={view} profile={profile} reason={unavailableReason} texts={translation.texts} />
            )
          }
        />
        <Disclosure summary={translation.texts.terms}>
          <Terms view={{ ...view, cancelUrl: null }} support={profile?.support ?? null} texts={translation} />
        </Disclosure>
      </div>
    </Framed>
  );
}
