import { PAYMENT_SCAN_WORDS } from "@/components/dashboard/words";
import { LookalikeNote } from "@/components/mandates/lookalike-note";
import { AddressTag } from "@/components/ui/address-tag";
import { Card } from "@/components/ui/card";
import { Copy } from "@/components/ui/copy";
import { Disclosure } from "@/components/ui/disclosure";
import { Fact, Facts } from "@/components/ui/facts";
import { Link } from "@/components/ui/link";
import { Tile } from "@/components/ui/tile";
import { Time } from "@/components/ui/time";
import type { AgentItem } from "@/lib/agents/contract";
import type { Address } from "@/lib/core/address";
import { AgentActions } from "./agent-actions";

export type AgentCardProps = {
  agent: AgentItem;
  /** The number of mandates that the agent requested, and how many of them are active. */
  mandates: { total: number; active: number };
  wallet: Address;
  owner: Address;
  /** The name of another agent of the owner that looks almost the same. */
  lookalike: string | undefined;
};

export function AgentCard({ agent, mandates, wallet, owner, lookalike }: AgentCardProps) {
  return (
    <Card id={agent.agentId} className="grid scroll-mt-20 gap-5">
      <div className="flex items-center gap-3.5">
        <Tile seed={agent.agentId} size={42} />
        <div className="min-w-0">
          <h2 className="text-body [overflow-wrap:anywhere]">
            <bdi>{agent.name}</bdi>
          </h2>
          <p className="text-small text-ink-2">
            <AddressTag address={agent.agentId} noun="agent id" tile={false} />
          </p>
        </div>
      </div>
      {lookalike !== undefined && <LookalikeNote name={lookalike} />}
      <Facts>
        <Fact label="Mandates">
          {mandates.total === 0 ? (
            "None"
          ) : (
            <Link
              href={`/dashboard/mandates?agent=${agent.agentId}`}
              className="font-medium text-brand underline underline-offset-4"
            >
              {mandates.active} active of {mandates.total}
            </Link>
          )}
        </Fact>
        <Fact label="Linked">
          <Time at={agent.linkedAt ?? agent.createdAt} form="short" show="absolute" />
        </Fact>
        <Fact label="Paid at">
          <span className="grid justify-items-end">
            <span>{agent.receivingAddress === null ? "Your spending wallet" : "Another address"}</span>
            <AddressTag address={agent.effectiveReceivingAddress} tileSize={18} />
          </span>
        </Fact>
        <Fact label="Scan of its payments">{PAYMENT_SCAN_WORDS[agent.paymentScan]}</Fact>
      </Facts>
      <Disclosure summary="Payment link of this agent">
        <div className="grid gap-3">
          <p className="mono text-small [overflow-wrap:anywhere]">{agent.uplUrl}</p>
          <p className="text-small text-ink-2">
            Payers add what they pay, in millionths of a dollar:{" "}
            <span className="mono">?amount=1000000&asset=usdc</span> requests 1.00 USDC.
          </p>
          <div>
            <Copy value={agent.uplUrl} label="Copy payment link" />
          </div>
        </div>
      </Disclosure>
      <AgentActions
        agentId={agent.agentId}
        name={agent.name}
        receivingAddress={agent.receivingAddress}
        wallet={wallet}
        owner={owner}
        paymentScan={agent.paymentScan}
        isBound={agent.isBound}
        isDeleted={agent.isBound || agent.hasSold}
      />
    </Card>
  );
}
