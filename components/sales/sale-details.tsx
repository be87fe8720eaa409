import type { ReactNode } from "react";
import { titleOf } from "@/components/links/words";
import { failureWords } from "@/components/payments/failure-words";
import { saleRow } from "@/components/payments/money-row";
import { AddressTag } from "@/components/ui/address-tag";
import { Amount } from "@/components/ui/amount";
import { Badge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { Copy } from "@/components/ui/copy";
import { Disclosure } from "@/components/ui/disclosure";
import { Fact, Facts } from "@/components/ui/facts";
import { Link } from "@/components/ui/link";
import { Note } from "@/components/ui/note";
import { Time } from "@/components/ui/time";
import type { SaleView } from "@/lib/links/sales/contract";
import { NETWORKS } from "@/lib/x402/networks";
import { SOURCE_LABELS } from "./sale-filters";

export type SaleDetailsProps = { sale: SaleView; isDevnet: boolean };

export function SaleDetails({ sale, isDevnet }: SaleDetailsProps) {
  const { settlement, source, link, agentId, agentName } = sale;
  const { network, payer, payee, txHash } = settlement;
  const { status } = saleRow(sale);
  return (
    <Card lift aria-label="Payment">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Amount atomic={settlement.amount} size="big" />
        <Badge tone={status.tone}>{status.label}</Badge>
      </div>
      <hr className="my-5" />
      <Facts>
        <Fact label="Payer">
          <AddressTag address={payer} />
          <More href={`/dashboard/payments?side=received&payer=${payer}`}>All from this payer</More>
        </Fact>
        <Fact label="Recipient">
          <AddressTag address={payee} />
        </Fact>
        <Fact label="Agent">
          <bdi>{agentName}</bdi>
          <More href={`/dashboard/payments?side=received&agent=${agentId}`}>All to this agent</More>
        </Fact>
        <Fact label="Paid at">
          {SOURCE_LABELS[source]}
          {link && <SoldAt link={link} />}
        </Fact>
        <SoldFacts sale={sale} />
        <Fact label="Network">
          {NETWORKS[network].label}
          {isDevnet && " (local devnet, test money)"}
        </Fact>
        {sale.refunded > 0n && (
          <Fact label="Refunded">
            <Amount atomic={sale.refunded} />
          </Fact>
        )}
        <Fact label="Received">
          <Time at={settlement.createdAt} />
        </Fact>
        {txHash !== null && (
          <Fact label="Transaction">
            <AddressTag address={txHash} noun="transaction hash" tile={false} />
            {!isDevnet && (
              <a
                href={`${NETWORKS[network].explorer}/tx/${txHash}`}
                target="_blank"
                rel="noopener noreferrer"
                className={LINK}
              >
                View on {new URL(NETWORKS[network].explorer).host}
              </a>
            )}
          </Fact>
        )}
        <Fact label="Settlement">
          <AddressTag address={settlement.settlementId} noun="settlement id" tile={false} />
        </Fact>
      </Facts>
    </Card>
  );
}

/** The buyer's choices and answers, and the seller's metadata. All of it is untrusted text. */
export const SoldFacts = ({
  sale: { link, quantity, answers: buyerAnswers },
}: {
  sale: Pick<SaleView, "link" | "quantity" | "answers">;
}) => (
  <>
    {quantity > 1 && (
      <Fact label="Quantity">
        <span className="num">{quantity}</span>
      </Fact>
    )}
    {buyerAnswers.map(({ name, label, value }) => (
      <Fact key={name} label={<bdi>{label}</bdi>}>
        <bdi dir="auto" className="[overflow-wrap:anywhere]">
          {value}
        </bdi>
      </Fact>
    ))}
    {link?.reference != null && (
      <Fact label="Your reference">
        <bdi>{link.reference}</bdi>
      </Fact>
    )}
    {Object.entries(link?.metadata ?? {}).map(([key, value]) => (
      <Fact key={key} label={<span className="mono">{key}</span>}>
        <bdi className="[overflow-wrap:anywhere]">{value}</bdi>
      </Fact>
    ))}
  </>
);

export function FailureNote({ sale: { settlement } }: { sale: SaleView }) {
  if (settlement.stillValidUntil) {
    return (
      <Note tone="warn" title="Not settled. Deliver nothing yet">
        {failureWords(settlement.failureCode, "received")} We stopped submitting it, but it can still be paid until{" "}
        <Time at={settlement.stillValidUntil} form="short" />. Do not request a new payment before that.
      </Note>
    );
  }
  if (settlement.settlementStatus !== "failed") return null;
  return (
    <Note tone="info" title="No money moved">
      {failureWords(settlement.failureCode, "received")}
    </Note>
  );
}

function SoldAt({ link }: { link: NonNullable<SaleView["link"]> }) {
  if (link.isDeleted) return <span className="block text-small text-ink-2">This link is deleted.</span>;
  return (
    <More href={`/dashboard/links/${link.linkId}`}>
      <bdi>{titleOf(link) ?? link.linkId}</bdi>
    </More>
  );
}

const LINK = "block text-small font-medium text-brand underline underline-offset-4 max-sm:py-3.25";

const More = ({ href, children }: { href: string; children: ReactNode }) => (
  <Link href={href} className={LINK}>
    {children}
  </Link>
);

/** The content that the payer bought, always shown as text. */
export function SoldContent({ content }: { content: string }) {
  return (
    <Disclosure summary="What was sold">
      <pre dir="auto" className="mono whitespace-pre-wrap [overflow-wrap:anywhere] [unicode-bidi:plaintext]">
        {content}
      </pre>
      <div className="mt-4">
        <Copy value={content} label="Copy what was sold" className="min-h-11" />
      </div>
    </Disclosure>
  );
}
