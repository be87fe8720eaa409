import { ArrowDownLeft, ArrowUpRight } from "lucide-react";
import { type Chosen, opens } from "@/components/dashboard/opens";
import { AddressTag } from "@/components/ui/address-tag";
import { Amount } from "@/components/ui/amount";
import { Badge } from "@/components/ui/badge";
import { cx } from "@/components/ui/cx";
import { Link } from "@/components/ui/link";
import { shorten } from "@/components/ui/shorten";
import { type Column, Table } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import { NETWORKS } from "@/lib/x402/networks";
import type { MoneyRow } from "./money-row";

export type MoneyTableProps = {
  /** Describes the rows for screen readers; not shown. */
  caption: string;
  rows: readonly MoneyRow[];
  /** On a devnet, no explorer shows the transactions. */
  isDevnet: boolean;
  /** The selection of the list in Panes. */
  panes?: Chosen | undefined;
};

export function MoneyTable({ caption, rows, isDevnet, panes }: MoneyTableProps) {
  const proof: Column<MoneyRow> = {
    key: "proof",
    header: "Proof",
    from: "md",
    cell: (row) => <Proof row={row} isDevnet={isDevnet} />,
  };
  const columns: readonly Column<MoneyRow>[] = [
    { key: "what", header: "What", cell: (row) => <What row={row} isDevnet={isDevnet} panes={panes} /> },
    {
      key: "status",
      header: "Status",
      from: "md",
      cell: (row) => <Badge tone={row.status.tone}>{row.status.label}</Badge>,
    },
    { key: "time", header: "Time", from: "lg", cell: (row) => <When at={row.at} /> },
    // While details are open beside the list, they show the proof.
    ...(panes?.shown === undefined ? [proof] : []),
    { key: "amount", header: "USDC", align: "end", cell: (row) => <Sum row={row} /> },
  ];
  return <Table caption={caption} columns={columns} rows={rows} rowKey={(row) => row.id} />;
}

function What({ row, isDevnet, panes }: { row: MoneyRow } & Pick<MoneyTableProps, "isDevnet" | "panes">) {
  const Icon = isIncoming(row) ? ArrowDownLeft : ArrowUpRight;
  return (
    <div className="flex items-start gap-3">
      <span className="mt-0.5 grid size-7 shrink-0 place-items-center rounded-tile bg-sunk text-ink-2 max-sm:hidden">
        <Icon aria-hidden className="size-4" />
      </span>
      <div className="grid min-w-0 gap-0.5">
        <Title row={row} panes={panes} />
        {row.answers !== undefined && row.answers.length > 0 && (
          <span className="line-clamp-2 text-small [overflow-wrap:anywhere]">
            {row.answers.map((text, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: an answer has no identity but its place
              <span key={index}>
                {index > 0 && " · "}
                <bdi>{text}</bdi>
              </span>
            ))}
          </span>
        )}
        <span className="flex flex-wrap items-center gap-x-2 text-small text-ink-2">
          {row.agentName !== undefined && <bdi className="[overflow-wrap:anywhere]">{row.agentName}</bdi>}
          {row.isFromVault && <span>from a vault</span>}
          <Party row={row} />
        </span>
        {row.reason !== undefined && <span className="text-small text-ink-2">{row.reason}</span>}
        {row.warning !== undefined && <span className="text-small text-ink-2">{row.warning}</span>}
        <span className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-small text-ink-2 lg:hidden">
          <Badge tone={row.status.tone} className="md:hidden">
            {row.status.label}
          </Badge>
          <Time at={row.at} form="short" show="absolute" />
          <span className="md:hidden">
            <Proof row={row} isDevnet={isDevnet} />
          </span>
        </span>
      </div>
    </div>
  );
}

/** On phones, plain text if the title above opens the payment's page: two adjacent links would be hard to tap. */
function Party({ row: { isInCredits, party, href } }: { row: MoneyRow }) {
  if (isInCredits) return <span>with service credits</span>;
  if (href === undefined) return <AddressTag address={party} tileSize={18} />;
  return (
    <>
      <AddressTag address={party} tileSize={18} className="max-sm:hidden" />
      <span className="mono sm:hidden">{shorten(party)}</span>
    </>
  );
}

function Title({ row, panes }: { row: MoneyRow } & Pick<MoneyTableProps, "panes">) {
  const title = TITLES[row.kind](row);
  const label = <span className="line-clamp-2 font-medium [overflow-wrap:anywhere]">{title}</span>;
  if (row.href === undefined) return label;
  return (
    <Link
      href={row.href}
      {...opens(row.href, panes)}
      className="underline decoration-line-2 underline-offset-4 hover:decoration-current max-sm:-my-3 max-sm:py-3"
    >
      {label}
    </Link>
  );
}

const isIncoming = ({ kind }: MoneyRow) => kind === "deposit" || kind === "received" || kind === "vault_in";

const TITLES = {
  deposit: () => "Deposit from your own wallet",
  withdrawal: () => "Withdrawal to your own wallet",
  vault_in: () => "Deposit into a vault",
  vault_out: () => "Returned from a vault",
  refund: () => "Refund to a payer",
  payout: () => "Payout",
  credits: () => "Service credits bought",
  received: ({ purpose }) => (purpose === undefined ? "Payment received" : <bdi>{purpose}</bdi>),
  made: ({ host }) => (
    <>
      Payment to <bdi>{host}</bdi>
    </>
  ),
} satisfies Record<MoneyRow["kind"], (row: MoneyRow) => React.ReactNode>;

function Sum({ row }: { row: MoneyRow }) {
  const hasNotMoved = row.reason !== undefined;
  return (
    <span className="grid justify-items-end gap-0.5">
      <span className={cx("font-medium whitespace-nowrap", hasNotMoved && "text-ink-2 line-through")}>
        <span aria-hidden>{isIncoming(row) ? "+" : "−"}</span>
        <span className="sr-only">{isIncoming(row) ? "in " : "out "}</span>
        <Amount atomic={row.amount} unit={null} />
      </span>
      {hasNotMoved && <span className="text-tiny whitespace-nowrap text-ink-2">not moved</span>}
      {NETWORKS[row.network].isTestnet && <span className="text-tiny text-ink-2">{NETWORKS[row.network].label}</span>}
    </span>
  );
}

function When({ at: time }: { at: Date }) {
  return (
    <span className="grid whitespace-nowrap">
      <Time at={time} form="short" show="absolute" />
      <Time at={time} form="short" show="relative" className="text-tiny text-ink-2" />
    </span>
  );
}

function Proof({ row, isDevnet }: { row: MoneyRow; isDevnet: boolean }) {
  if (row.receiptHref !== undefined) {
    return (
      <Link href={row.receiptHref} className={LINK}>
        Receipt
      </Link>
    );
  }
  if (row.isInCredits) return <span className="text-ink-2 max-md:hidden">Our ledger</span>;
  if (row.kind === "vault_in" || row.kind === "vault_out")
    return <span className="text-ink-2 max-md:hidden">The mandate’s page</span>;
  if (row.txHash === undefined)
    return <span className="text-ink-3 max-md:hidden">{row.reason === undefined ? "None yet" : "None"}</span>;
  if (isDevnet) return <AddressTag address={row.txHash} noun="transaction hash" tile={false} />;
  return (
    <a
      href={`${NETWORKS[row.network].explorer}/tx/${row.txHash}`}
      target="_blank"
      rel="noopener noreferrer"
      className={LINK}
    >
      Transaction
    </a>
  );
}

const LINK =
  "inline-flex items-center font-medium whitespace-nowrap text-brand underline underline-offset-4 max-sm:-my-3 max-sm:min-h-11";
