import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import { Receipt } from "@/components/receipt/receipt";
import { LiveRefresh } from "@/components/site/live-refresh";
import { PublicPage } from "@/components/site/public-page";
import { Stage } from "@/components/site/stage";
import { usdcText } from "@/components/ui/format";
import { orNotFound } from "@/lib/http/found";
import { signReceipt } from "@/lib/identity/service";
import * as checkouts from "@/lib/links/checkout/service";
import { getSettlement, receiptOf, toSettlementView } from "@/lib/settlements/contract";
import * as settlements from "@/lib/settlements/service";
import { pageContext } from "@/lib/wiring";
import { OwnerFrame } from "../../dashboard/owner-frame";

export const dynamic = "force-dynamic";

type Props = {
  params: Promise<{ settlementId: string }>;
  searchParams: Promise<{ key?: string | string[] | undefined }>;
};

/** Once a request, for the page and its title. */
const read = cache(async (settlementId: string) => {
  const ctx = await pageContext();
  const id = getSettlement.params?.safeParse({ settlementId });
  if (!id?.success) notFound();
  return { ctx, row: await orNotFound(settlements.get(ctx, id.data.settlementId)) };
});

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { row } = await read((await params).settlementId);
  return { title: row.state === "settled" ? "Receipt" : "Payment", robots: { index: false } };
}

/** The receipt page. Requests that do not accept HTML get the settlement as JSON at the same URL. */
export default async function ReceiptPage({ params, searchParams }: Props) {
  const { ctx, row } = await read((await params).settlementId);
  const settlement = toSettlementView(row, ctx.config.baseUrl);
  const parsed = getSettlement.query?.safeParse(await searchParams);
  const key = parsed?.data?.key;
  const [bought, seller] = await Promise.all([checkouts.bought(ctx, row, key), checkouts.sellerOf(ctx, row)]);
  const purchaseUrl = bought && key !== undefined ? `${settlement.receiptUrl}?${new URLSearchParams({ key })}` : null;
  const claims = receiptOf(row, ctx.config.baseUrl);
  const signed = claims && { claims, jws: await signReceipt(ctx, claims) };
  const status = settlement.stillValidUntil ? "declined" : settlement.settlementStatus;
  const isDevnet = ctx.config.mode === "devnet";
  const content = (
    <>
      <Stage name={status} said={usdcText(settlement.amount)}>
        <Receipt {...{ settlement, purchaseUrl, seller, signed, isDevnet }} content={bought?.content ?? null} />
      </Stage>
      {settlement.settlementStatus === "pending" && <LiveRefresh news={status} isExpecting />}
    </>
  );
  if (ctx.actor.type !== "owner") return <PublicPage devnet={isDevnet}>{content}</PublicPage>;
  return (
    <OwnerFrame address={ctx.actor.address} isDevnet={isDevnet}>
      <div className="grid w-full max-w-130 grid-cols-1 gap-5">{content}</div>
    </OwnerFrame>
  );
}
