import { Receipt } from "lucide-react";
import { hostText, reasonText, reportHref } from "@/components/attempts/words";
import { Pager, type PagerProps } from "@/components/dashboard/pager";
import { Section } from "@/components/dashboard/section";
import { madeHref } from "@/components/payments/money-row";
import { AddressTag } from "@/components/ui/address-tag";
import { Amount } from "@/components/ui/amount";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { type Column, Table } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import type { AttemptView } from "@/lib/attempts/rules";
import type { PaymentView } from "@/lib/payments/responses";
import { CREDITS, worthOn } from "@/lib/x402/credits";
import { NETWORKS } from "@/lib/x402/networks";
import { PaymentStatus } from "./status";

/** A payment, with its receipt if this service settled the payment. */
export type MadePayment = PaymentView & { receiptHref: string | null };

export type PaymentsMadeProps = {
  payments: readonly MadePayment[];
  pager: PagerProps;
  isDevnet: boolean;
  isOver: boolean;
};

/** The payments under one mandate, newest first. */
export function PaymentsMade({ payments, pager, isDevnet, isOver }: PaymentsMadeProps) {
  return (
    <section aria-labelledby="payments" className="grid min-w-0 gap-3">
      <h2 id="payments" className="text-body">
        Payments
      </h2>
      {payments.length === 0 ? (
        <EmptyState
          title={
            pager.previous === undefined
              ? isOver
                ? "Nothing was paid"
                : "Nothing was paid yet"
              : "There are no older payments"
          }
        >
          {isOver
            ? "No payment was made under this mandate."
            : "Each payment your agent makes under this mandate appears here."}
        </EmptyState>
      ) : (
        <Table
          caption="Payments under this mandate, newest first"
          columns={columnsFor(isDevnet)}
          rows={payments}
          rowKey={(payment) => payment.paymentRecordId}
        />
      )}
      <Pager {...pager} label="Pages of payments" />
    </section>
  );
}

const columnsFor = (isDevnet: boolean): readonly Column<MadePayment>[] => [
  {
    key: "host",
    header: "Paid to",
    cell: (payment) => (
      <span className="grid gap-0.5">
        <Link
          href={madeHref(payment.paymentRecordId)}
          className="underline decoration-line-2 underline-offset-4 [overflow-wrap:anywhere] hover:decoration-current max-sm:-my-3 max-sm:py-3"
        >
          {payment.host}
        </Link>
        <Time at={payment.createdAt} form="short" className="text-tiny text-ink-2" show="absolute" />
        {payment.receiptHref === null && payment.txHash !== null && (
          <span className="md:hidden">
            <Transaction payment={payment} isDevnet={isDevnet} />
          </span>
        )}
      </span>
    ),
  },
  { key: "status", header: "Status", cell: (payment) => <PaymentStatus status={payment.status} /> },
  {
    key: "tx",
    header: "Transaction",
    from: "md",
    cell: (payment) => <Transaction payment={payment} isDevnet={isDevnet} />,
  },
  {
    key: "amount",
    header: "USDC",
    align: "end",
    cell: (payment) => (
      <span className="grid justify-items-end gap-0.5">
        <Amount atomic={worthOn(payment.network, payment.amount)} unit={null} />
        {payment.receiptHref !== null && (
          <Link
            href={payment.receiptHref}
            className="inline-flex items-center gap-1 text-small text-ink-2 underline-offset-4 hover:text-ink max-sm:min-h-11"
          >
            <Receipt aria-hidden className="size-3.5" />
            Receipt
          </Link>
        )}
      </span>
    ),
  },
];

/** On a devnet, no public explorer shows the transaction. */
function Transaction({ payment: { txHash, network }, isDevnet }: { payment: MadePayment; isDevnet: boolean }) {
  if (network === CREDITS.network) return <span className="text-ink-2">service credits</span>;
  if (txHash === null) return <span className="text-ink-3">none</span>;
  return (
    <span className="inline-grid gap-0.5">
      <AddressTag address={txHash} noun="transaction hash" tile={false} />
      {!isDevnet && (
        <a
          href={`${NETWORKS[network].explorer}/tx/${txHash}`}
          target="_blank"
          rel="noreferrer"
          className="text-small text-ink-2 underline underline-offset-4"
        >
          {new URL(NETWORKS[network].explorer).host}
        </a>
      )}
    </span>
  );
}

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

function What({ attempt: { host, reason, count, lastAt, payTo } }: { attempt: AttemptView }) {
  const report = reportHref(reason, payTo);
  return (
    <div className="grid min-w-0 gap-0.5">
      <span className="font-medium">{reasonText(reason)}</span>
      {report !== null && (
        <Link href={report} className="text-small underline underline-offset-4">
          See which list, or report a mistake
        </Link>
      )}
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
