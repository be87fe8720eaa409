import { KeepFresh } from "@/components/dashboard/keep-fresh";
import { EvidenceChain } from "@/components/payments/made/chain";
import { VerifyPayment } from "@/components/payments/made/verify-button";
import { isOpen, madeRow } from "@/components/payments/money-row";
import { AddressTag } from "@/components/ui/address-tag";
import { Amount } from "@/components/ui/amount";
import { Badge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { Fact, Facts } from "@/components/ui/facts";
import { usdcText } from "@/components/ui/format";
import { PageHeader } from "@/components/ui/page-header";
import { Quote } from "@/components/ui/quote";
import { Time } from "@/components/ui/time";
import * as approvals from "@/lib/approvals/service";
import type { PaymentId } from "@/lib/core/ids";
import { orNotFound } from "@/lib/http/found";
import * as mandates from "@/lib/mandates/service";
import { toPayeeView } from "@/lib/payees/contract";
import * as payees from "@/lib/payees/service";
import { getAgentPayment, scanAgain } from "@/lib/payments/history";
import { toPaymentView } from "@/lib/payments/responses";
import { NETWORKS } from "@/lib/x402/networks";
import type { OwnerContext } from "../../../context";
import { evidenceOf } from "./evidence";

/** A payment that an agent of the owner made: its purpose, and the chain of evidence. */
export async function MadePage({ ctx, id, isPane }: { ctx: OwnerContext; id: PaymentId; isPane: boolean }) {
  const agentPayment = await orNotFound(getAgentPayment(ctx, id));
  const { payment, settlementId, agentName } = agentPayment;
  const view = toPaymentView(payment);
  const row = madeRow(view, agentPayment);
  const [mandate, approvalId, payee] = await Promise.all([
    payment.mandateId === null ? null : mandates.getForOwner(ctx, payment.mandateId),
    payment.mandateId === null ? approvals.idOfPayment(ctx, payment) : null,
    payees.ofResource(ctx, payment),
  ]);
  const evidence = row.isInCredits ? null : await evidenceOf(ctx, agentPayment, mandate);
  const { verdict, riskScore, rulesetVersion } = scanAgain(ctx, agentPayment);
  const isDevnet = ctx.config.mode === "devnet";
  return (
    <>
      <PageHeader
        {...(isPane ? { level: 2 as const } : { back: { href: "/dashboard/payments", label: "Payments made" } })}
        eyebrow={<bdi>{agentName}</bdi>}
        title={`Payment of ${usdcText(row.amount)}`}
        actions={<Badge tone={row.status.tone}>{row.status.label}</Badge>}
      />
      <div className={isPane ? "grid gap-5" : "grid items-start gap-5 lg:grid-cols-[3fr_2fr]"}>
        <div className="grid gap-5">
          <Card lift aria-label="Payment">
            <p className="text-small text-ink-2">Paid by your agent</p>
            <p>
              <Amount atomic={row.amount} size="big" />
            </p>
            <p className="mt-1 text-small text-ink-2 [overflow-wrap:anywhere]">
              to <bdi className="font-medium text-ink">{payment.host}</bdi>
            </p>
            {row.reason !== undefined && <p className="mt-2 text-small text-ink-2">{row.reason}</p>}
            <hr className="my-5" />
            <Facts>
              <Fact label="For" isLong>
                <bdi className="mono text-small [overflow-wrap:anywhere]">{payment.resource}</bdi>
              </Fact>
              {!row.isInCredits && (
                <>
                  <Fact label="Paid to">
                    <AddressTag address={payment.payee} />
                  </Fact>
                  <Fact
                    label={mandate?.mode === "vault" ? "From the vault, or its account" : "From your spending wallet"}
                    isLong
                  >
                    <AddressTag address={payment.payer} />
                  </Fact>
                </>
              )}
              <Fact label="Network">{row.isInCredits ? "Service credits" : NETWORKS[payment.network].label}</Fact>
              <Fact label="Signed">
                <Time at={payment.createdAt} />
              </Fact>
              {payment.settledAt && (
                <Fact label="Settled">
                  <Time at={payment.settledAt} />
                </Fact>
              )}
              <Fact label="Payment">
                <AddressTag address={payment.id} noun="payment id" tile={false} />
              </Fact>
            </Facts>
            {mandate && (
              <Quote by="The mandate was for" className="mt-5">
                {mandate.naturalLanguage}
              </Quote>
            )}
            {payment.description !== "" && (
              <Quote by="The seller said, as your agent passed it on" className="mt-5">
                {payment.description}
              </Quote>
            )}
          </Card>
          {evidence && <VerifyPayment evidence={evidence} />}
        </div>
        <Card title="The chain of evidence">
          <EvidenceChain
            payment={view}
            mandate={mandate}
            approvalHref={approvalId && `/authorize/payment/${approvalId}`}
            payee={payee && toPayeeView(payee)}
            scan={{ verdict, riskScore, rulesetVersion }}
            explorer={isDevnet ? null : NETWORKS[payment.network].explorer}
            receiptHref={settlementId && `/receipt/${settlementId}`}
          />
        </Card>
      </div>
      {!isPane && <KeepFresh isActive={isOpen(row)} />}
    </>
  );
}
