import { TestCall } from "@/components/links/test-call";
import { callStatus, FAILURE_WORDS } from "@/components/links/words";
import { Amount } from "@/components/ui/amount";
import { Badge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { Fact, Facts } from "@/components/ui/facts";
import { formatCount } from "@/components/ui/format";
import { type Column, Table } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import type { Link } from "@/lib/links/service";
import { FIGURES_DAYS, TRIES_MAX } from "@/lib/links/upstream/limits";
import * as upstreams from "@/lib/links/upstream/service";
import { toolAt } from "@/lib/links/upstream/tools/names";
import type { OwnerContext } from "../../../context";
import { Passes } from "./passes";

type CallsProps = { ctx: OwnerContext; link: Link; upstream: NonNullable<Link["upstream"]> };

/** The paid requests of a link that sells an API or tools, and one without a payment. The link is the owner's. */
export async function Calls({ ctx, link: { agentId, linkId }, upstream }: CallsProps) {
  const { kind, methods, paths } = upstream;
  const { figures, calls } = await upstreams.callsOf(ctx, linkId);
  return (
    <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <div className="grid min-w-0 gap-5">
        {calls.length === 0 ? (
          <EmptyState title="No paid requests yet">
            Requests that buyers pay for one by one appear here, with the answers and what went wrong.
          </EmptyState>
        ) : (
          <>
            <FiguresCard {...figures} kind={kind} />
            <Table
              caption="Paid requests, newest first"
              columns={COLUMNS[kind]}
              rows={calls}
              rowKey={({ settlementId }) => settlementId}
            />
          </>
        )}
        <Passes ctx={ctx} linkId={linkId} />
      </div>
      <TestCall
        path={`/api/agents/${agentId}/payment-links/${linkId}/test-call`}
        kind={kind}
        methods={methods}
        example={kind === "mcp" ? toolAt(paths[0]?.path ?? "/") : (paths[0]?.path ?? "/")}
      />
    </div>
  );
}

const PERIOD = `The last ${FIGURES_DAYS} days`;

type FiguresCardProps = upstreams.CallFigures & { kind: upstreams.UpstreamKind };

function FiguresCard({ kind, requests, income, statuses, failures, slowest }: FiguresCardProps) {
  const slowestTitle = kind === "mcp" ? "Slowest tools" : "Slowest paths";
  return (
    <Card title={PERIOD} aria-label={PERIOD} className="grid gap-5 [&>header]:mb-0">
      <Facts>
        <Fact label="Requests">
          <span className="num">{formatCount(requests)}</span>
        </Fact>
        <Fact label="Income">
          <Amount atomic={income} />
        </Fact>
        {statuses.map(({ status, requests: count }) => (
          <Fact key={status} label={status === null ? "Without an answer" : `Answered ${status}`}>
            <span className="num">{formatCount(count)}</span>
          </Fact>
        ))}
      </Facts>
      {failures.length > 0 && (
        <section aria-label="Errors" className="grid gap-2.75 border-t pt-4">
          <h3 className="text-control font-medium">Errors</h3>
          <Facts>
            {failures.map(({ failure, requests: count }) => (
              <Fact key={failure} label={FAILURE_WORDS[failure]} isLabelLong>
                <span className="num">{formatCount(count)}</span>
              </Fact>
            ))}
          </Facts>
          <p className="text-small text-ink-2">
            A buyer gets up to {TRIES_MAX} tries of such a request within an hour without paying again, unless they got
            its answer up to the link’s limit of time or size.
          </p>
        </section>
      )}
      {slowest.length > 0 && (
        <section aria-label={slowestTitle} className="grid gap-2.75 border-t pt-4">
          <h3 className="text-control font-medium">{slowestTitle}</h3>
          <Facts>
            {slowest.map(({ milliseconds, ...request }) => (
              <Fact
                key={`${request.method} ${request.path}`}
                label={
                  <span className="mono">
                    <Requested kind={kind} {...request} />
                  </span>
                }
                isLabelLong
              >
                <span className="num">{formatCount(milliseconds)} ms</span>
              </Fact>
            ))}
          </Facts>
        </section>
      )}
    </Card>
  );
}

type Call = upstreams.UpstreamCall;

function Requested({ kind, method, path }: Pick<Call, "method" | "path"> & { kind: upstreams.UpstreamKind }) {
  if (kind === "mcp") return <bdi>{path === upstreams.EVERY_PATH ? "all tools" : toolAt(path)}</bdi>;
  return (
    <>
      {method} <bdi>{path}</bdi>
    </>
  );
}

const columnsOf = (kind: upstreams.UpstreamKind): readonly Column<Call>[] => [
  {
    key: "request",
    header: kind === "mcp" ? "Tool" : "Request",
    cell: (call) => (
      <div className="grid gap-1 md:min-w-44">
        <span className="mono text-small [overflow-wrap:anywhere]">
          <Requested kind={kind} {...call} />
        </span>
        <span className="md:hidden">
          <Answer call={call} />
        </span>
      </div>
    ),
  },
  { key: "answer", header: "Answer", from: "md", cell: (call) => <Answer call={call} /> },
  {
    key: "time",
    header: "Time",
    align: "end",
    from: "sm",
    cell: ({ createdAt }) => <Time at={createdAt} form="short" show="absolute" className="whitespace-nowrap" />,
  },
];

const COLUMNS: Record<upstreams.UpstreamKind, readonly Column<Call>[]> = {
  http: columnsOf("http"),
  mcp: columnsOf("mcp"),
};

function Answer({ call }: { call: Call }) {
  const { tone, label } = callStatus(call);
  return (
    <span className="grid justify-items-start gap-1">
      <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <Badge tone={tone}>{label}</Badge>
        {call.milliseconds !== null && (
          <span className="num text-small text-ink-2">{formatCount(call.milliseconds)} ms</span>
        )}
        {call.triesStarted > 1 && (
          <span className="num text-small text-ink-2">{formatCount(call.triesStarted)} tries</span>
        )}
      </span>
      {call.failure !== null && <span className="text-small text-ink-2">{FAILURE_WORDS[call.failure]}</span>}
    </span>
  );
}
