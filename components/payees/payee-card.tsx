import { AgentTag } from "@/components/mandates/agent-tag";
import { Lookalike } from "@/components/payouts/lookalike";
import { Payee } from "@/components/payouts/payee";
import { Amount } from "@/components/ui/amount";
import { Badge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { Fact, Facts } from "@/components/ui/facts";
import { Note } from "@/components/ui/note";
import type { PayeeView } from "@/lib/payees/contract";
import type { KnownAddress } from "@/lib/payouts/rules";
import { labelWithNote } from "@/lib/x402/networks";
import { WHY } from "./words";

export type Weighed = { isFirst: boolean; name: string | null; looksLike: KnownAddress | null };
export type PayeeCardProps = {
  payee: PayeeView;
  agentId: string;
  agentName: string;
  weighed: Weighed;
  isDevnet: boolean;
};

/** The address in full, and the request that named it. All of it is what the agent said, except what the host confirmed. */
export function PayeeCard({ payee, agentId, agentName, weighed, isDevnet }: PayeeCardProps) {
  const { isFirst, name, looksLike } = weighed;
  return (
    <Card lift aria-label="Payee">
      <p className="mb-2 text-small text-ink-2">Address to pay</p>
      <Payee address={payee.payTo} name={name}>
        {isFirst && <Badge tone="warn">Never paid before</Badge>}
      </Payee>
      {looksLike && (
        <div className="mt-3">
          <Lookalike address={payee.payTo} known={looksLike} />
        </div>
      )}
      {payee.previousPayTo !== null && (
        <Note tone="warn" className="mt-4" title="This host was paid at another address before">
          <span className="mono">{payee.previousPayTo}</span>
        </Note>
      )}
      <hr className="my-5" />
      <Facts>
        <Fact label="Host">
          <bdi>{payee.origin}</bdi>
        </Fact>
        <Fact label="Network">{labelWithNote(payee.network, isDevnet)}</Fact>
        <Fact label="Requested payment">
          <Amount atomic={payee.amount} />
        </Fact>
        <Fact label="For">
          <span className="mono text-small">
            {payee.method} <bdi>{payee.resource}</bdi>
          </span>
        </Fact>
        <Fact label="Agent">
          <AgentTag agentId={agentId} name={agentName} />
        </Fact>
      </Facts>
      {payee.why !== null && (
        <Note tone="info" className="mt-5" title="Why we ask you">
          {WHY[payee.why]}
        </Note>
      )}
    </Card>
  );
}
