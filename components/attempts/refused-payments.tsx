import { Section } from "@/components/dashboard/section";
import { Amount } from "@/components/ui/amount";
import { type Column, Table } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import type { AttemptView } from "@/lib/attempts/rules";
import { hostText, reasonText } from "./words";

/** Payments that were refused to the agent, newest first. Renders nothing if there are none. */
export function RefusedPayments({ attempts }: { attempts: readonly AttemptView[] }) {
  if (attempts.length === 0) return null;
  return (
    <Section id="refused" title="Refused payments">
      <p className="measure text-small text-ink-2">
        What the agent asked to pay and was refused. No money moved. Repetitions within a minute are one line.
      </p>
      <Table
        caption="Refused payments of this mandate, newest first"
        columns={COLUMNS}
        rows={attempts}
        rowKey={({ id, count }) => `${id} ${count}`}
      />
    </Section>
  );
}

const COLUMNS: readonly Column<AttemptView>[] = [
  { key: "what", header: "What", cell: (attempt) => <What attempt={attempt} /> },
  {
    key: "times",
    header: "Times",
    align: "end",
    from: "md",
    cell: ({ count }) => <span className="num">{count}</span>,
  },
  { key: "time", header: "Last", from: "md", cell: ({ lastAt }) => <Time at={lastAt} form="short" show="absolute" /> },
  { key: "amount", header: "USDC", align: "end", cell: ({ amount }) => <Amount atomic={amount} unit={null} /> },
];

function What({ attempt: { host, reason, count, lastAt } }: { attempt: AttemptView }) {
  return (
    <div className="grid min-w-0 gap-0.5">
      <span className="font-medium">{reasonText(reason)}</span>
      <bdi className="text-small text-ink-2 [overflow-wrap:anywhere]">
        {host === "" ? "several hosts, on one day" : hostText(host)}
      </bdi>
      <span className="flex flex-wrap gap-x-3 text-small text-ink-2 md:hidden">
        <span>{count === 1 ? "once" : `${count} times`}</span>
        <Time at={lastAt} form="short" show="absolute" />
      </span>
    </div>
  );
}
