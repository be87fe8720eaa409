import type { Metadata } from "next";
import { FramedCheckout } from "@/components/checkout/framed";
import { frameOrigins } from "@/lib/links/frames";
import { readCheckout, textsOf } from "../../../../(checkout)/reading";

export const dynamic = "force-dynamic";

export const metadata: Metadata = { title: "Pay", robots: { index: false } };

type Props = {
  params: Promise<{ linkId: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
};

/** The checkout in a compact form, for frames on the sites that the link's owner has verified. */
export default async function FramedPayPage({ params, searchParams }: Props) {
  const { ctx, view, profile, config } = await readCheckout((await params).linkId);
  return (
    <FramedCheckout
      view={view}
      profile={profile}
      prefilled={textsOf(await searchParams)}
      mode={config.mode}
      onrampUrl={config.site.onrampUrl}
      origins={await frameOrigins(ctx, view.linkId)}
    />
  );
}
