"use client";

import { useState } from "react";
import { Amount } from "@/components/ui/amount";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Confirm } from "@/components/ui/confirm";
import { cx } from "@/components/ui/cx";
import { CheckboxField } from "@/components/ui/field";
import { usdcText } from "@/components/ui/format";
import { Note } from "@/components/ui/note";
import { type Column, Table } from "@/components/ui/table";
import { WRAPPED } from "@/components/ui/wrapped";
import { NETWORKS } from "@/lib/x402/networks";
import type { PayoutBalance } from "./balances";
import { type BatchFault, type BatchRow, type Checked, totalsOf } from "./batch";
import { Lookalike } from "./lookalike";
import { Payee } from "./payee";

export type BatchPreviewProps = {
  checked: Checked;
  balances: readonly PayoutBalance[];
  names: ReadonlyMap<string, string>;
  pay: () => void;
};

const SHOWN_MAX = 200;

/** Totals, faults and rows of a file before it is paid. */
export function BatchPreview({
  checked: { rows, faults, known: weighedAddresses },
  balances,
  names,
  pay,
}: BatchPreviewProps) {
  const [isAsking, setAsking] = useState(false);
  const [hasCompared, setCompared] = useState(false);
  const totals = totalsOf(rows);
  const sums = totals.map(({ network, sum }) => `${usdcText(sum)} on ${NETWORKS[network].label}`).join(" and ");
  const payouts = `${rows.length} ${rows.length === 1 ? "payout" : "payouts"}`;
  const alike = [...new Set(rows.map(({ toAddress }) => toAddress))].flatMap((address) => {
    const looksLike = weighedAddresses.get(address)?.looksLike;
    return looksLike ? [{ address, looksLike }] : [];
  });
  return (
    <>
      <Faults faults={faults} isAnyLeft={rows.length > 0} />
      {rows.length > 0 && (
        <Card title={payouts} className="grid gap-4 [&>header]:mb-0" aria-label="Totals of the file">
          <dl className="flex flex-wrap gap-x-10 gap-y-3">
            {totals.map(({ network, sum, count }) => (
              <div key={network}>
                <dt className="text-small text-ink-2">
                  {NETWORKS[network].label}, {count} {count === 1 ? "row" : "rows"}
                </dt>
                <dd>
                  <Amount atomic={sum} size="mid" />
                </dd>
              </div>
            ))}
          </dl>
          {totals.map(({ network, sum }) => {
            const available = balances.find((balance) => balance.network === network)?.available;
            return available != null && sum > available ? (
              <Note key={network} tone="warn" title={`More than is available on ${NETWORKS[network].label}`}>
                It is short by <Amount atomic={sum - available} />. Rows are paid from the top; those that the balance
                does not cover are refused, and can be sent again later.
              </Note>
            ) : null;
          })}
          {alike.map(({ address, looksLike }) => (
            <Lookalike key={address} address={address} known={looksLike} />
          ))}
          <Table
            caption="Rows that can be paid"
            columns={columnsFor(names, weighedAddresses)}
            rows={rows.slice(0, SHOWN_MAX)}
            rowKey={({ line }) => String(line)}
          />
          {rows.length > SHOWN_MAX && (
            <p className="text-small text-ink-2">
              The first {SHOWN_MAX} are shown. {rows.length - SHOWN_MAX} more are paid with them.
            </p>
          )}
          {alike.length > 0 && (
            <CheckboxField
              label="I have compared the lookalike addresses letter by letter, and this file's are the right ones"
              checked={hasCompared}
              onChange={(event) => setCompared(event.target.checked)}
            />
          )}
          <Button variant="primary" wide disabled={alike.length > 0 && !hasCompared} onClick={() => setAsking(true)}>
            Pay {payouts}
          </Button>
        </Card>
      )}
      <Confirm
        open={isAsking}
        onOpenChange={setAsking}
        tone="primary"
        title={`Pay ${payouts}`}
        verb={`Pay ${payouts}`}
        onConfirm={async () => {
          // Not awaited: the page shows the progress.
          pay();
          return undefined;
        }}
      >
        Together {sums}, to {new Set(rows.map(({ toAddress }) => toAddress)).size} addresses. What is paid cannot be
        taken back. Rows that were paid before are not paid again.
      </Confirm>
    </>
  );
}

function Faults({ faults, isAnyLeft }: { faults: readonly BatchFault[]; isAnyLeft: boolean }) {
  if (faults.length === 0) return null;
  const lines = new Set(faults.map(({ line }) => line)).size;
  return (
    <Note tone="bad" live="assertive" title={lines === 1 ? "A line cannot be paid" : `${lines} lines cannot be paid`}>
      <ul className="grid gap-1">
        {faults.slice(0, SHOWN_MAX).map(({ line, field, reason }) => (
          <li key={`${line} ${field}`}>
            Line {line}
            {field !== null && (
              <>
                , <span className="mono">{field}</span>
              </>
            )}
            : <bdi>{reason}</bdi>
          </li>
        ))}
      </ul>
      {isAnyLeft && <p className="mt-2">The other rows can be paid without them.</p>}
    </Note>
  );
}

const columnsFor = (
  names: ReadonlyMap<string, string>,
  weighedAddresses: Checked["known"],
): readonly Column<BatchRow>[] => [
  {
    key: "to",
    header: "To",
    cell: ({ toAddress, payoutId, description, amount, network }) => (
      <Payee address={toAddress} name={names.get(toAddress)}>
        <span className="sm:hidden">
          <Amount atomic={amount} className={cx("font-medium", WRAPPED)} />
          {NETWORKS[network].isTestnet && <span className="text-tiny text-ink-2"> {NETWORKS[network].label}</span>}
        </span>
        {weighedAddresses.get(toAddress)?.isFirst && <Badge tone="warn">First payment to this address</Badge>}
        <span className="text-small text-ink-2 [overflow-wrap:anywhere]">
          <bdi className="mono">{payoutId}</bdi>
          {description !== "" && (
            <>
              {" "}
              <bdi>{description}</bdi>
            </>
          )}
        </span>
      </Payee>
    ),
  },
  { key: "line", header: "Line", align: "end", from: "md", cell: ({ line }) => line },
  {
    key: "amount",
    header: "USDC",
    align: "end",
    from: "sm",
    cell: ({ amount, network }) => (
      <span className="grid justify-items-end gap-0.5">
        <Amount atomic={amount} unit={null} className="font-medium" />
        {NETWORKS[network].isTestnet && <span className="text-tiny text-ink-2">{NETWORKS[network].label}</span>}
      </span>
    ),
  },
];
