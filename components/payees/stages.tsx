import { historyLine } from "@/components/approvals/host-history";
import { Columns } from "@/components/authorize/columns";
import { PayeeDecision } from "@/components/authorize/decision";
import { Actions } from "@/components/authorize/stages";
import { AgentTag } from "@/components/mandates/agent-tag";
import { Lookalike } from "@/components/payouts/lookalike";
import { Payee } from "@/components/payouts/payee";
import { LiveRefresh } from "@/components/site/live-refresh";
import { Amount } from "@/components/ui/amount";
import { Badge } from "@/components/ui/badge";
import { ButtonLink } from "@/components/ui/button-link";
import { Card } from "@/components/ui/card";
import { Disclosure } from "@/components/ui/disclosure";
import { Fact, Facts } from "@/components/ui/facts";
import { usdcText } from "@/components/ui/format";
import { Link } from "@/components/ui/link";
import { Note } from "@/components/ui/note";
import { PageHeader } from "@/components/ui/page-header";
import { readableUrl } from "@/lib/core/host";
import type { PayeeView } from "@/lib/payees/contract";
import type { KnownAddress } from "@/lib/payouts/rules";
import type { HostHistory } from "@/lib/purchases/hosts/contract";
import { labelWithNote } from "@/lib/x402/networks";
import { STATUS, WHY } from "./words";

/** An address that waits for a decision, or that the owner or the host has decided on. */
export function PayeeStage(props: PayeeCardProps) {
  const { payee, agentName } = props;
  const { title, description } = WORDS[payee.status];
  const asker = (
    <>
      <bdi className="[overflow-wrap:anywhere]">{agentName}</bdi> wants to pay a new address
    </>
  );
  const { tone, label } = STATUS[payee.status];
  const decide = <PayeeDecision payeeId={payee.payeeId} isLookalike={props.weighed.looksLike !== null} />;
  return (
    <>
      <PageHeader
        eyebrow={asker}
        title={title}
        actions={payee.status !== "waiting" && <Badge tone={tone}>{label}</Badge>}
      />
      <Columns
        decision={
          payee.status === "waiting" ? (
            <>
              <p className="text-control text-ink-2">{description}</p>
              {decide}
              <p className="text-small text-ink-2">
                Compare the address with one that the host publishes elsewhere. A payment cannot be reversed.
              </p>
            </>
          ) : (
            <>
              <p className="text-control text-ink-2">{description}</p>
              <Disclosure summary="Change this decision">
                <div className="grid gap-3">{decide}</div>
              </Disclosure>
              <Actions>
                <ButtonLink href={`/mandates/${payee.mandateId}`}>See the mandate</ButtonLink>
              </Actions>
            </>
          )
        }
      >
        <PayeeCard {...props} />
      </Columns>
      {payee.status === "waiting" && <LiveRefresh news={title} />}
    </>
  );
}

const WORDS = {
  waiting: {
    title: "Is this the host's address?",
    description: "Your mandate pays a host only at confirmed addresses. Nothing is signed before you confirm this one.",
  },
  confirmed: {
    title: "Confirmed. Your agent may pay this address",
    description: "It repeats its request. You are not asked about this address again, for any of your mandates.",
  },
  refused: {
    title: "Refused. Nothing was signed",
    description: "Your mandates that confirm payees do not pay this address for this host.",
  },
};

type Weighed = {
  isFirst: boolean;
  name: string | null;
  looksLike: KnownAddress | null;
  history: HostHistory | null;
  /** Of the mandate that would pay. */
  mandateLeft: bigint;
};
type PayeeCardProps = {
  payee: PayeeView;
  agentId: string;
  agentName: string;
  weighed: Weighed;
  isDevnet: boolean;
};

/** The full address and the request that named it. Everything is the agent's claim, except what the host confirmed. */
function PayeeCard({ payee, agentId, agentName, weighed, isDevnet }: PayeeCardProps) {
  const { isFirst, name, looksLike, history, mandateLeft } = weighed;
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
          {history && <span className="block text-small text-ink-2">{historyLine(history)}</span>}
        </Fact>
        <Fact label="Network">{labelWithNote(payee.network, isDevnet)}</Fact>
        <Fact label="Requested payment">
          <Amount atomic={payee.amount} />
        </Fact>
        <Fact label="For">
          <span className="mono text-small">
            {payee.method} <bdi>{readableUrl(payee.resource)}</bdi>
          </span>
        </Fact>
        <Fact label="Mandate">
          <Link href={`/mandates/${payee.mandateId}`} className="font-medium text-brand underline underline-offset-4">
            {usdcText(mandateLeft)} left
          </Link>
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
