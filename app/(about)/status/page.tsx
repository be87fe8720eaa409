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
    label: "Not reading blocks",
    says: "A payment may have arrived without being shown here yet. Do not pay again.",
  },
  not_sending: {
    tone: "bad",
    label: "Not sending payments",
    says: "Payments wait until we can send them, or expire. Do not pay again.",
  },
  no_answer: {
    tone: "bad",
    label: "Not responding",
    says: "No node of this network is responding, so we cannot see which payments have arrived. Do not pay again.",
  },
  unknown: {
    tone: "bad",
    label: "Not known",
    says: "We cannot see how far we have read right now. Money on the chain is not affected.",
  },
};

const Status = ({ status }: { status: PublicStatus }) => (
  <>
    <PageHeader
      title="Status"
      description={
        <>
          The service’s own report. Programs can read it at{" "}
          <a href="/readyz" className="underline underline-offset-4">
            /readyz
          </a>
          .{/* On a line of its own, which does not wrap when the browser shows its own time. */}
          <span className="block">
            As of <Time at={status.readAt} />
          </span>
        </>
      }
    />
    {status.isWorking ? (
      <Note tone="good" title="The service is working">
        The database responds, and payments on both networks are sent and read.
      </Note>
    ) : (
      <Note tone="bad" title="Something is not working">
        {causeOf(status)} Money on the chain is not affected.
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
  if (!database) return "Our database is not responding. Until it does, we cannot accept or sign payments.";
  const isNetworks = networks.some(({ state }) => state !== "working");
  return isNetworks ? "See the networks below." : "It is restarting, which takes a few seconds.";
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
        <Fact label="Oldest payment waiting">{waitText(open, oldestSeconds)}</Fact>
      </Facts>
    </Card>
  );
}

const blockText = (block: string | null) =>
  block === null ? "not known" : <span className="num">{formatCount(BigInt(block))}</span>;

function waitText(open: number | null, seconds: number | null): string {
  if (open === null || seconds === null) return "not known";
  if (open === 0) return "none waiting";
  return seconds <= 0 ? "less than a second" : durationText(seconds);
}

function webhooksText(seconds: number | null): string {
  if (seconds === null) return "Not known right now.";
  if (seconds < 1) return "No event is waiting to be sent.";
  return `The oldest unsent event has been waiting for ${durationText(Math.round(seconds))}.`;
}
