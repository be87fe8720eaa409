import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import { Receipt } from "@/components/receipt/receipt";
import { SoldFacts } from "@/components/sales/sale-details";
import { SellerCard, SupportContact } from "@/components/sellers/seller-card";
import { LiveRefresh } from "@/components/site/live-refresh";
import { Stage } from "@/components/site/stage";
import { PageWords } from "@/components/texts/context";
import type { ReceiptTexts } from "@/components/texts/en/receipt";
import { filled } from "@/components/texts/filled";
import { LanguageSwitch } from "@/components/texts/language-switch";
import { wordsOf } from "@/components/texts/words";
import { Card } from "@/components/ui/card";
import { Facts } from "@/components/ui/facts";
import { usdcText } from "@/components/ui/format";
import { Link } from "@/components/ui/link";
import { orNotFound } from "@/lib/http/found";
import { signReceipt } from "@/lib/identity/service";
import * as checkouts from "@/lib/links/checkout/service";
import { toSoldWith } from "@/lib/links/received/contract";
import { soldWith } from "@/lib/links/received/service";
import { type SaleView, toSaleView } from "@/lib/links/sales/contract";
import * as sales from "@/lib/links/sales/service";
import { toGivenBack } from "@/lib/refunds/contract";
import { givenBackFor } from "@/lib/refunds/service";
import { type ProfileView, toProfileView } from "@/lib/sellers/profile/contract";
import { profileOf } from "@/lib/sellers/profile/service";
import { getSettlement, isSale, receiptOf, toSettlementView } from "@/lib/settlements/contract";
import * as settlements from "@/lib/settlements/service";
import { pageContext } from "@/lib/wiring";
import { pageLanguage, pageWords } from "../../../language";
import { FocusedPage } from "../../focused-page";

export const dynamic = "force-dynamic";

type Props = {
  params: Promise<{ settlementId: string }>;
  searchParams: Promise<{ key?: string | string[] | undefined }>;
};

/** Cached per request, for the page and its title. */
const loadSettlement = cache(async (settlementId: string) => {
  const ctx = await pageContext();
  const id = getSettlement.params?.safeParse({ settlementId });
  if (!id?.success) notFound();
  return { ctx, row: await orNotFound(settlements.get(ctx, id.data.settlementId)) };
});

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { row } = await loadSettlement((await params).settlementId);
  const { texts } = await pageWords("receipt");
  return { title: row.state === "settled" ? texts.title : texts.paymentTitle, robots: { index: false } };
}

/** The receipt page. Requests that do not accept HTML get the settlement as JSON at the same URL. */
export default async function ReceiptPage({ params, searchParams }: Props) {
  const { ctx, row } = await loadSettlement((await params).settlementId);
  const language = await pageLanguage();
  const [translation, page] = [wordsOf(language, "receipt"), wordsOf(language, "page")];
  const common = wordsOf(language, "common");
  const settlement = toSettlementView(row, ctx.config.baseUrl);
  const parsed = getSettlement.query?.safeParse(await searchParams);
  const key = parsed?.data?.key;
  const [purchase, seller, soldRow, givenBack] = await Promise.all([
    checkouts.unlockContent(ctx, row, key),
    checkouts.sellerOf(ctx, row),
    soldWith(ctx, row.id),
    givenBackFor(ctx, row),
  ]);
  const purchaseUrl = purchase && key !== undefined ? `${settlement.receiptUrl}?${new URLSearchParams({ key })}` : null;
  const claims = receiptOf(row, ctx.config.baseUrl);
  const signed = claims && { claims, jws: await signReceipt(ctx, claims) };
  const { actor } = ctx;
  const sale = actor.type === "owner" ? await sales.findBySettlement({ ...ctx, actor }, row.id) : null;
  const profile = isSale(row.purpose) && row.ownerId !== null ? await profileOf(ctx, row.ownerId) : null;
  const status = settlement.stillValidUntil ? "declined" : settlement.settlementStatus;
  const isDevnet = ctx.config.mode === "devnet";
  const content = (
    <>
      <Stage name={status} said={usdcText(settlement.amount, language)}>
        <Receipt
          {...{ settlement, purchaseUrl, seller, signed, isDevnet, texts: translation }}
          bought={{ language, texts: wordsOf(language, "payment").texts.bought }}
          page={page.texts}
          content={purchase?.content ?? null}
          file={purchase?.file ?? null}
          sold={soldRow && toSoldWith(soldRow, { baseUrl: ctx.config.baseUrl, isBuyer: purchase !== null })}
          givenBack={toGivenBack(givenBack)}
        />
        {profile && (
          <ReceiptSeller
            profile={toProfileView(profile, ctx.config.baseUrl)}
            seed={row.payee}
            texts={translation.texts}
          />
        )}
        {sale && <OwnersCard sale={toSaleView(sale, ctx.config.baseUrl)} />}
      </Stage>
      {settlement.settlementStatus === "pending" && (
        <LiveRefresh news={translation.texts.states[status].word} isExpecting />
      )}
    </>
  );
  const languages = (
    <div className="mx-auto w-full max-w-130 px-5 pb-6" data-print="no">
      <LanguageSwitch />
    </div>
  );
  return (
    <PageWords page={page} common={common}>
      <FocusedPage ctx={ctx} ending={languages} texts={{ page, footer: wordsOf(language, "footer") }}>
        {content}
      </FocusedPage>
    </PageWords>
  );
}

/** The part of a receipt that only the paid owner sees. In English, as the dashboard is. */
const OwnersCard = ({ sale }: { sale: SaleView }) => (
  <Card title="Only you see this" lang="en" data-print="no">
    <Facts>
      <SoldFacts sale={sale} />
    </Facts>
    <p className="mt-4">
      <Link
        href={`/dashboard/payments/${sale.id}`}
        className="text-control font-medium text-brand underline underline-offset-4 max-sm:py-3.25"
      >
        Open this payment in the dashboard
      </Link>
    </p>
  </Card>
);

type ReceiptSellerProps = { profile: ProfileView; seed: string; texts: ReceiptTexts };

/** The seller's profile. Renders nothing if the seller has not published one. */
function ReceiptSeller({ profile, seed, texts }: ReceiptSellerProps) {
  if (profile.name === null && profile.domain === null && profile.support === null) return null;
  return (
    <Card aria-label={texts.sellerLabel} className="grid gap-3">
      <SellerCard profile={profile} agentName={texts.noName} seed={seed} texts={texts} />
      {profile.support !== null && (
        <p className="text-small text-ink-2">
          {filled(texts.questions, { contact: <SupportContact contact={profile.support} /> })}
        </p>
      )}
    </Card>
  );
}
