import { notFound } from "next/navigation";
import { KeepFresh } from "@/components/dashboard/keep-fresh";
import { Section } from "@/components/dashboard/section";
import { soldTitle } from "@/components/links/words";
import { receiptHref } from "@/components/payments/money-row";
import { Timeline } from "@/components/payments/timeline";
import { RefundButton } from "@/components/refunds/refund-button";
import { RefundList } from "@/components/refunds/refund-list";
import { FailureNote, SaleDetails, SoldContent } from "@/components/sales/sale-details";
import { SALES_PATH } from "@/components/site/sections";
import { ButtonLink } from "@/components/ui/button-link";
import { Card } from "@/components/ui/card";
import { Disclosure } from "@/components/ui/disclosure";
import { usdcText } from "@/components/ui/format";
import { JsonView } from "@/components/ui/json-view";
import { PageHeader } from "@/components/ui/page-header";
import { id } from "@/lib/core/id-text";
import { orNotFound } from "@/lib/http/found";
import * as sales from "@/lib/links/sales/service";
import { toRefundItem } from "@/lib/refunds/contract";
import * as refunds from "@/lib/refunds/service";
import { timelineOf } from "@/lib/settlements/timeline";
import { authorizationTypedData } from "@/lib/x402/authorization";
import type { OwnerContext } from "../../../context";
import { MadePage } from "./made-page";

export type PaymentDetailsProps = {
  ctx: OwnerContext;
  paymentId: string;
  /** True when shown beside the list, which has the page's heading and refreshes the page. */
  isPane?: boolean;
};

export async function PaymentDetails({ ctx, paymentId, isPane = false }: PaymentDetailsProps) {
  const parsed = id("payment").safeParse(paymentId);
  if (parsed.success) return <MadePage ctx={ctx} id={parsed.data} isPane={isPane} />;
  if (!/^\d{1,15}$/.test(paymentId)) notFound();
  const row = await orNotFound(sales.get(ctx, Number(paymentId)));
  const [timeline, [sale], refundable, refundList] = await Promise.all([
    timelineOf(ctx, row.settlement),
    refunds.toSaleViews(ctx, [row]),
    refunds.refundableOf(ctx, row.received.id),
    refunds.list(ctx, { paymentId: row.received.id, limit: REFUNDS_MAX }),
  ]);
  if (!sale) notFound();
  const { settlementId, settlementStatus, stillValidUntil, network, amount } = sale.settlement;
  const isPending = settlementStatus === "pending";
  return (
    <>
      <PageHeader
        {...(isPane ? { level: 2 as const } : { back: { href: SALES_PATH, label: "Sales" } })}
        title={<bdi className="line-clamp-3">{soldTitle(sale) ?? `Payment of ${usdcText(amount)}`}</bdi>}
        description={
          isPending && stillValidUntil === null
            ? "It is on its way: the chain has not shown the transfer yet. This page keeps itself current."
            : undefined
        }
        actions={
          <>
            {refundable.most > 0n && <RefundButton paymentId={row.received.id} refundable={refundable} />}
            <ButtonLink href={receiptHref(settlementId)}>See the receipt</ButtonLink>
          </>
        }
      />
      <FailureNote sale={sale} />
      <div className={isPane ? "grid gap-5" : "grid items-start gap-5 lg:grid-cols-[3fr_2fr]"}>
        <SaleDetails sale={sale} isDevnet={ctx.config.mode === "devnet"} />
        <Card title="What happened">
          <Timeline timeline={timeline} network={network} isPending={isPending} />
        </Card>
      </div>
      {refundList.views.length > 0 && (
        <Section id="refunds" title="Refunds">
          <RefundList
            label="Refunds of this payment"
            refunds={refundList.views.map((view) => toRefundItem(view, ctx.config.baseUrl, ctx.now()))}
          />
        </Section>
      )}
      {row.content !== null && <SoldContent content={row.content} />}
      <Disclosure summary="The proof as it was signed">
        <div className="grid gap-4">
          <p className="measure text-small text-ink-2">
            What the payer signed (EIP-712), and the signature. It could be used once, for this transfer alone.
          </p>
          <JsonView
            value={authorizationTypedData(network, authorizationOf(row.settlement))}
            label="the authorization"
          />
          <JsonView value={row.settlement.signature} label="the signature" />
        </div>
      </Disclosure>
      {!isPane && (
        <KeepFresh isActive={isPending || refundList.views.some(({ transfer }) => transfer && !transfer.endedAt)} />
      )}
    </>
  );
}

/** Only the newest refunds are shown. */
const REFUNDS_MAX = 100;

const authorizationOf = ({
  payer,
  payee,
  amount,
  validAfter,
  validBefore,
  nonce,
}: sales.SaleWithContent["settlement"]) => ({
  from: payer,
  to: payee,
  value: amount,
  validAfter,
  validBefore,
  nonce,
});
