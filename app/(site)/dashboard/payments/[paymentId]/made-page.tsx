import { CircleCheck, CircleDashed } from "lucide-react";
import type { ReactNode } from "react";
import { KeepFresh } from "@/components/dashboard/keep-fresh";
import { VERDICTS } from "@/components/firewall/verdict-words";
import type { ShownMandate } from "@/components/mandates/words";
import { VerifyPayment } from "@/components/payments/made/verify-button";
import { isOpen, madeRow } from "@/components/payments/money-row";
import { Line, type Mark, STEP } from "@/components/payments/timeline";
import { AddressTag } from "@/components/ui/address-tag";
import { Amount } from "@/components/ui/amount";
import { Badge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { Fact, Facts } from "@/components/ui/facts";
import { usdcText } from "@/components/ui/format";
import { Link } from "@/components/ui/link";
import { PageHeader } from "@/components/ui/page-header";
import { Quote } from "@/components/ui/quote";
import { Time } from "@/components/ui/time";
import * as approvals from "@/lib/approvals/service";
import { readableUrl } from "@/lib/core/host";
import type { PaymentId } from "@/lib/core/ids";
import { orNotFound } from "@/lib/http/found";
import * as mandates from "@/lib/mandates/service";
import { type PayeeView, toPayeeView } from "@/lib/payees/contract";
import * as payees from "@/lib/payees/service";
import { getAgentPayment, scanAgain } from "@/lib/payments/history";
import { type PaymentView, toPaymentView } from "@/lib/payments/responses";
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
                <bdi className="mono text-small [overflow-wrap:anywhere]">{readableUrl(payment.resource)}</bdi>
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
              <Quote by="The seller’s description, as sent by your agent" className="mt-5">
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

type ChainProps = {
  payment: PaymentView;
  mandate: ShownMandate | null;
  /** The page of the approval, for a payment without a mandate. */
  approvalHref: string | null;
  /** The payee confirmation by the host or the owner; null if none was requested. */
  payee: PayeeView | null;
  scan: { verdict: keyof typeof VERDICTS; riskScore: number; rulesetVersion: string };
  explorer: string | null;
  receiptHref: string | null;
};

const DONE: Mark = { Icon: CircleCheck, colour: "text-good" };
const MISSING: Mark = { Icon: CircleDashed, colour: "text-ink-3" };

/** The evidence from the owner's signature to the receipt: what each step shows, and where to check it. */
function EvidenceChain({ payment, mandate, approvalHref, payee, scan, explorer, receiptHref }: ChainProps) {
  const { txHash, settledAt } = payment;
  return (
    <ol aria-label="The chain of evidence" className="grid">
      <Consent mandate={mandate} approvalHref={approvalHref} />
      <Step mark={payee?.confirmedAt ? DONE : STEP} title="Requirement">
        <Requirement payee={payee} />
      </Step>
      <Step mark={scan.verdict === "pass" ? DONE : STEP} title="Scan">
        {VERDICTS[scan.verdict].label}, risk score {scan.riskScore}, by today’s rules ({scan.rulesetVersion}). The
        result at the time of the signature is not kept.
      </Step>
      <Step mark={DONE} title="Authorization" at={payment.createdAt}>
        The agent’s request was signed for this amount and this address only. It could be used once, until{" "}
        <Time at={new Date(Number(payment.validBefore) * 1000)} form="short" />.
      </Step>
      <Step mark={txHash === null ? MISSING : DONE} title="Transaction" at={settledAt ?? undefined}>
        {txHash === null ? (
          payment.status === "expired" ? (
            "None: the authorization was not used, and can no longer be used."
          ) : (
            "None yet."
          )
        ) : (
          <span className="flex flex-wrap items-center gap-x-3">
            <AddressTag address={txHash} noun="transaction hash" tile={false} />
            {explorer !== null && (
              <a href={`${explorer}/tx/${txHash}`} target="_blank" rel="noreferrer" className={LINK}>
                {new URL(explorer).host}
              </a>
            )}
          </span>
        )}
      </Step>
      <Step mark={receiptHref === null ? MISSING : DONE} title="Receipt">
        {receiptHref === null ? (
          "None from us: the seller did not settle it here."
        ) : (
          <Link href={receiptHref} className={LINK}>
            See the receipt
          </Link>
        )}
      </Step>
    </ol>
  );
}

const LINK = "inline-flex items-center underline underline-offset-4 max-sm:min-h-11";

function Consent({ mandate, approvalHref }: Pick<ChainProps, "mandate" | "approvalHref">) {
  if (mandate)
    return (
      <Step mark={DONE} title="Mandate signed" at={mandate.signedAt ?? undefined}>
        <Link href={`/mandates/${mandate.mandateId}`} className={LINK}>
          See the mandate and its signature
        </Link>
      </Step>
    );
  return (
    <Step mark={DONE} title="Approved by you">
      {approvalHref === null ? (
        "You approved this single payment."
      ) : (
        <Link href={approvalHref} className={LINK}>
          See what you approved
        </Link>
      )}
    </Step>
  );
}

function Requirement({ payee }: { payee: PayeeView | null }) {
  if (!payee) return "As sent by the agent. The host was not asked to confirm this address.";
  const { evidence, confirmedBy, confirmedAt, origin } = payee;
  if (confirmedBy === null) return "Neither the host nor you confirmed this address.";
  return (
    <>
      {confirmedBy === "host" ? (
        <>
          <bdi className="[overflow-wrap:anywhere]">{origin}</bdi> offered exactly this address, token and network
        </>
      ) : (
        "You confirmed this address for the host"
      )}
      {confirmedAt && (
        <>
          : <Time at={confirmedAt} form="short" />
        </>
      )}
      .
      {evidence && (
        <span className="mt-0.5 flex flex-wrap items-center gap-x-2">
          SHA-256 of its answer <AddressTag address={evidence.answerHash} noun="hash of the answer" tile={false} />
        </span>
      )}
    </>
  );
}

function Step({
  mark,
  title,
  at: date,
  children,
}: {
  mark: Mark;
  title: string;
  at?: Date | undefined;
  children: ReactNode;
}) {
  return (
    <Line mark={mark}>
      <p className="font-medium">{title}</p>
      <div className="min-w-0 text-small text-ink-2">{children}</div>
      {date && <Time at={date} form="short" className="text-small text-ink-2" />}
    </Line>
  );
}
