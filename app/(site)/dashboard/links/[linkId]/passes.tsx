import { PASS_STATUS_WORDS } from "@/components/links/words";
import { AddressTag } from "@/components/ui/address-tag";
import { Amount } from "@/components/ui/amount";
import { Badge } from "@/components/ui/badge";
import { formatCount } from "@/components/ui/format";
import { Link as PageLink } from "@/components/ui/link";
import { type Column, Table } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import { formatUsdc, toUsdc } from "@/lib/core/usdc";
import { toSoldPass } from "@/lib/links/passes/contract";
import * as passes from "@/lib/links/passes/service";
import type { Link } from "@/lib/links/service";
import type { OwnerContext } from "../../../context";

const SHOWN_MAX = 50;

type Sold = ReturnType<typeof toSoldPass>;

/** The passes that a link sold; nothing if there are none. The link is the owner's. */
export async function Passes({ ctx, linkId }: { ctx: OwnerContext } & Pick<Link, "linkId">) {
  const { passes: sold, next } = await passes.passesOf(ctx, linkId, { limit: SHOWN_MAX });
  if (sold.length === 0) return null;
  return (
    <Table
      caption={next === null ? "Passes sold, newest first" : `The newest ${SHOWN_MAX} passes sold`}
      columns={COLUMNS}
      rows={sold.map((pass) => toSoldPass(pass, ctx.now()))}
      rowKey={({ settlementId }) => settlementId}
    />
  );
}

const COLUMNS: readonly Column<Sold>[] = [
  {
    key: "buyer",
    header: "Pass of",
    cell: (pass) => (
      <div className="grid justify-items-start gap-1.5 md:min-w-40">
        <AddressTag address={pass.payer} />
        <span className="md:hidden">
          <Left pass={pass} />
        </span>
      </div>
    ),
  },
  { key: "left", header: "Left", from: "md", cell: (pass) => <Left pass={pass} /> },
  {
    key: "unused",
    header: "Unused",
    align: "end",
    cell: ({ unusedAmount, paymentId }) => (
      <PageLink className="underline underline-offset-4" href={`/dashboard/payments/${paymentId}`}>
        <Amount atomic={toUsdc(BigInt(unusedAmount))} />
      </PageLink>
    ),
  },
  {
    key: "time",
    header: "Bought",
    align: "end",
    from: "sm",
    cell: ({ createdAt }) => <Time at={createdAt} form="short" show="absolute" />,
  },
];

function Left({ pass: { status, calls, callsLeft, amount, amountLeft, validUntil } }: { pass: Sold }) {
  const { tone, label } = PASS_STATUS_WORDS[status];
  return (
    <span className="grid justify-items-start gap-1">
      <Badge tone={tone}>{label}</Badge>
      {calls !== null && callsLeft !== null && (
        <span className="num text-small text-ink-2">
          {formatCount(callsLeft)} of {formatCount(calls)} calls
        </span>
      )}
      {amountLeft !== null && (
        <span className="num text-small text-ink-2">
          {formatUsdc(toUsdc(BigInt(amountLeft)))} of {formatUsdc(toUsdc(BigInt(amount)))} USDC
        </span>
      )}
      {validUntil !== null && (
        <span className="text-small text-ink-2">
          until <Time at={validUntil} form="short" show="absolute" />
        </span>
      )}
    </span>
  );
}
