import type { Metadata } from "next";
import { KeepFresh } from "@/components/dashboard/keep-fresh";
import { Badge, type BadgeTone } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { Fact, Facts } from "@/components/ui/facts";
import { formatCount } from "@/components/ui/format";
import { Note } from "@/components/ui/note";
import { PageHeader } from "@/components/ui/page-header";
import { Time } from "@/components/ui/time";
import { shareFor } from "@/lib/core/share";
import { durationText } from "@/lib/core/time";
import { type NetworkState, type PublicStatus, toPublicStatus } from "@/lib/public-status";
import { publicReadiness, system } from "@/lib/wiring";

export const metadata: Metadata = { title: "Status" };

/** The page is public, so visitors within this time share one reading. The page shows its time. */
const SHARED_MS = 5_000;

const readStatus = shareFor(SHARED_MS, async () => toPublicStatus(await publicReadiness(), system().now()));

export default async function StatusPage() {
  return (
    <>
      <Status status={await readStatus()} />
      <KeepFresh isActive />
    </>
  );
}

const STATES: Record<NetworkState, { tone: BadgeTone; label: string; says: string }> = {
  working: { tone: "good", label: "Working", says: "Payments are sent, and their blocks are read." },
  slow: {
    tone: "warn",
    label: "Slower than usual",
    says: "Some payments wait longer than they should. They are not lost: do not pay again.",
  },
  not_reading: {
    tone: "bad",
    label: "Blocks are not read",
    says: "A payment may have arrived without being shown here yet. Do not pay again.",
  },
  not_sending: {
    tone: "bad",
    label: "Payments are not sent",
    says: "Payments wait, and are sent later or expire. Do not pay again.",
  },
  no_answer: {
    tone: "bad",
    label: "Does not answer",
    says: "No node of this network answers us, so we cannot say what has moved. Do not pay again.",
  },
  unknown: {
    tone: "bad",
    label: "Not known",
    says: "We cannot read how far we are just now. Money on the chain is where it was.",
  },
};

const Status = ({ status }: { status: PublicStatus }) => (
  <>
    <PageHeader
      title="Status"
      description={
        <>
          What this service knows of itself, read <Time at={status.readAt} />. Programs read the same at{" "}
          <a href="/readyz" className="underline underline-offset-4">
            /readyz
          </a>
          .
        </>
      }
    />
    {status.isWorking ? (
      <Note tone="good" title="The service works">
        Its database answers, and both networks are read and served.
      </Note>
    ) : (
      <Note tone="bad" title="Something does not work">
        {causeOf(status)} Money that is on the chain is where it was.
      </Note>
    )}
    <div className="grid gap-4 sm:grid-cols-2">
      {status.networks.map((network) => (
        <Network key={network.network} {...network} />
      ))}
    </div>
    <Card title="Webhooks">
      <p className="text-control text-ink-2">{webhooksText(status.webhooksWaitSeconds)}</p>
    </Card>
  </>
);

function causeOf({ database, networks }: PublicStatus): string {
  if (!database) return "Our database does not answer. Nothing can be claimed or signed until it does.";
  const isNetworks = networks.some(({ state }) => state !== "working");
  return isNetworks ? "The networks below say what." : "It is being restarted, which takes seconds.";
}

function Network({
  label,
  state,
  head,
  readUpToBlock,
  blocksBehind,
  open,
  oldestSeconds,
}: PublicStatus["networks"][number]) {
  const { tone, label: stateLabel, says } = STATES[state];
  return (
    <Card aria-label={label}>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="text-body">{label}</h2>
        <Badge tone={tone}>{stateLabel}</Badge>
      </div>
      <p className="mt-1.5 mb-4 text-small text-ink-2">{says}</p>
      <Facts>
        <Fact label="Newest block">{blockText(head)}</Fact>
        <Fact label="Read up to">
          {blockText(readUpToBlock)}
          {blocksBehind !== null && blocksBehind > 0 && (
            <span className="block text-small text-ink-2">{formatCount(blocksBehind)} behind</span>
          )}
        </Fact>
        <Fact label="Payments under way">{open === null ? "not known" : formatCount(open)}</Fact>
        <Fact label="The oldest has waited">{waitText(open, oldestSeconds)}</Fact>
      </Facts>
    </Card>
  );
}

const blockText = (block: string | null) =>
  block === null ? "not known" : <span className="num">{formatCount(BigInt(block))}</span>;

function waitText(open: number | null, seconds: number | null): string {
  if (open === null || seconds === null) return "not known";
  if (open === 0) return "none waits";
  return seconds <= 0 ? "less than a second" : durationText(seconds);
}

function webhooksText(seconds: number | null): string {
  if (seconds === null) return "Not known just now.";
  if (seconds < 1) return "No event waits to become a message.";
  return `The oldest event has waited ${durationText(Math.round(seconds))} to become a message.`;
}
