import { Actions } from "@/components/authorize/stages";
import { LiveRefresh } from "@/components/site/live-refresh";
import { Badge } from "@/components/ui/badge";
import { ButtonLink } from "@/components/ui/button-link";
import { Disclosure } from "@/components/ui/disclosure";
import { PageHeader } from "@/components/ui/page-header";
import { Decide } from "./decide";
import { PayeeCard, type PayeeCardProps } from "./payee-card";
import { STATUS } from "./words";

/** An address that waits for its owner's decision, or that they or the host decided about. */
export function PayeeStage(props: PayeeCardProps) {
  const { payee, agentName } = props;
  const { title, description } = WORDS[payee.status];
  const asker = (
    <>
      <bdi className="[overflow-wrap:anywhere]">{agentName}</bdi> wants to pay a new address
    </>
  );
  const { tone, word: label } = STATUS[payee.status];
  const decide = <Decide payeeId={payee.payeeId} isLookalike={props.weighed.looksLike !== null} />;
  return (
    <>
      <PageHeader
        eyebrow={asker}
        title={title}
        description={description}
        actions={payee.status !== "waiting" && <Badge tone={tone}>{label}</Badge>}
      />
      <PayeeCard {...props} />
      {payee.status === "waiting" ? (
        <>
          {decide}
          <p className="text-small text-ink-2">
            Compare the address with one that the host publishes elsewhere. A payment cannot be reversed.
          </p>
          <LiveRefresh news={title} />
        </>
      ) : (
        <>
          <Disclosure summary="Change this decision">{decide}</Disclosure>
          <Actions>
            <ButtonLink href={`/mandates/${payee.mandateId}`}>See the mandate</ButtonLink>
          </Actions>
        </>
      )}
    </>
  );
}

const WORDS = {
  waiting: {
    title: "Is this the host's address?",
    description:
      "Your mandate pays a host only at addresses that are confirmed once. Nothing is signed before you confirm this one.",
  },
  confirmed: {
    title: "Confirmed. Your agent may pay this address",
    description: "It repeats its request. This address is not asked about again, for any of your mandates.",
  },
  refused: {
    title: "Refused. Nothing was signed",
    description: "No mandate of yours that confirms payees pays this address for this host.",
  },
};
