import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { Checkout } from "@/components/checkout/checkout";
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

export const metadata: Metadata = { title: "Pay", robots: { index: false } };
export const dynamic = "force-dynamic";

type Props = {
  params: Promise<{ linkId: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
};

/** The checkout page. Requests that do not accept HTML get the x402 response at the same URL. */
export default async function PayPage({ params, searchParams }: Props) {
  const ctx = await pageContext();
  const parsed = payLink.params?.safeParse(await params);
  if (!parsed?.success) notFound();
  const found = await orNotFound(checkouts.checkout(ctx, parsed.data.linkId));
  const { link, payee } = found;
  const order = checkouts.exampleOf(link);
  const view = toCheckoutView(found, {
    url: links.linkUrl(ctx, link.linkId),
    ...(await targetsOf(ctx, link)),
    now: ctx.now(),
  });
  const profile = payee && toProfileView(await profileOf(ctx, payee.ownerId), ctx.config.baseUrl);
  const requirement = payee && checkouts.requirementOf(ctx, link, payee.address, order);
  return (
    <Checkout
      view={view}
      profile={profile}
      example={requirement && { url: requirement.resource, amount: formatUsdc(requirement.amount) }}
      required={requirement && paymentRequiredV1([requirement], "X-PAYMENT header is required")}
      prefilled={textsOf(await searchParams)}
      mode={ctx.config.mode}
    />
  );
}

/** The parameters that were given once. */
const textsOf = (query: Record<string, string | string[] | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) => (typeof value === "string" ? [[name, value] as const] : [])),
  );
