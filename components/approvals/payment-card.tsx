import { AgentTag } from "@/components/mandates/agent-tag";
import { Lookalike } from "@/components/payouts/lookalike";
import { Payee } from "@/components/payouts/payee";
import { AddressTag } from "@/components/ui/address-tag";
import { Amount } from "@/components/ui/amount";
import { Badge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { Fact, Facts } from "@/components/ui/facts";
import { Quote } from "@/components/ui/quote";
import { Time } from "@/components/ui/time";
import type { ApprovalView } from "@/lib/approvals/contract";
import { readableUrl } from "@/lib/core/host";
import type { KnownAddress } from "@/lib/payouts/rules";
import type { HostHistory } from "@/lib/purchases/hosts/contract";
import { labelWithNote } from "@/lib/x402/networks";
import { historyLine } from "./host-history";

/**
 * For the owner only: the paying wallet, its balance (null while the chain does not respond, as is what other payments leave
 * of it), and what is known of the payee and the host.
 */
export type Weighed = {
  wallet: string;
  balance: bigint | null;
  available: bigint | null;
  isFirst: boolean;
  name: string | null;
  looksLike: KnownAddress | null;
  history: HostHistory | null;
};
export type PaymentCardProps = { approval: ApprovalView; isDevnet: boolean; weighed?: Weighed | undefined };

/** The payment in full. All figures come from our records; the payee's untrusted text comes last. */
export function PaymentCard({ approval, isDevnet, weighed }: PaymentCardProps) {
  const history = weighed?.history;
  const isNewHost = history?.paid === 0 && history.refused === 0;
  const isFirst = weighed?.isFirst === true;
  return (
    <Card lift aria-label="Payment">
      <p className="text-small text-ink-2">One payment of</p>
      <p>
        <Amount atomic={approval.amount} size="big" />
      </p>
      {history?.listedAmount != null && history.listedAmount !== approval.amount && (
        <Badge tone="warn">
          <Amount atomic={history.listedAmount} /> the first time
        </Badge>
      )}
      <p className="mt-1 text-small text-ink-2 [overflow-wrap:anywhere]">
        to <bdi className="font-medium text-ink">{approval.host}</bdi>
      </p>
      <p className="mt-1 text-small [overflow-wrap:anywhere]">
        <span className="sr-only">For </span>
        <bdi className="mono text-ink-2">{readableUrl(approval.resource)}</bdi>
      </p>
      {history && !(isNewHost && isFirst) && <p className="mt-2 text-small text-ink-2">{historyLine(history)}</p>}
      <hr className="my-5" />
      <p className="mb-2 text-small text-ink-2">Paid to</p>
      <Payee address={approval.payTo} name={weighed?.name}>
        {isFirst && <Badge tone="warn">First payment to this address{isNewHost && " and host"}</Badge>}
        {history?.lastPayTo != null && history.lastPayTo !== approval.payTo && (
          <Badge tone="warn">Another address than last time</Badge>
        )}
      </Payee>
      {weighed?.looksLike && (
        <div className="mt-3">
          <Lookalike address={approval.payTo} known={weighed.looksLike} />
        </div>
      )}
      <hr className="my-5" />
      <Facts>
        {weighed && (
          <Fact label="From your wallet">
            <span className="inline-grid max-w-full justify-items-end gap-0.5">
              <AddressTag address={weighed.wallet} noun="wallet address" />
              <span className="text-small text-ink-2">
                {weighed.balance === null || weighed.available === null ? (
                  "balance not available right now"
                ) : (
                  <>
                    holds <Amount atomic={weighed.balance} />
                    {weighed.available < weighed.balance && (
                      <span className="block">
                        <Amount atomic={weighed.balance - weighed.available} /> of it for other payments
                      </span>
                    )}
                    {weighed.available < approval.amount && (
                      <span className="block font-medium text-warn">
                        <Amount atomic={approval.amount - weighed.available} /> too little
                      </span>
                    )}
                  </>
                )}
              </span>
            </span>
          </Fact>
        )}
        <Fact label="Network">{labelWithNote(approval.network, isDevnet)}</Fact>
        <Fact label="Agent">
          <AgentTag agentId={approval.agentId} name={approval.agentName} />
        </Fact>
        {(approval.status === "pending" || approval.status === "approved") && (
          <Fact label={approval.status === "pending" ? "Approve until" : "Valid until"}>
            <Time at={approval.expiresAt} />
          </Fact>
        )}
      </Facts>
      {approval.description !== "" && (
        <Quote by="The seller’s description, as sent by your agent" className="mt-5">
          {approval.description}
        </Quote>
      )}
    </Card>
  );
}
