import { BuyCredits } from "@/components/funds/buy-credits";
import { receiptHref } from "@/components/payments/money-row";
import { Amount } from "@/components/ui/amount";
import { Card } from "@/components/ui/card";
import { Link } from "@/components/ui/link";
import { type Column, Table } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import { type CreditMoveView, toMoveView } from "@/lib/credits/contract";
import { balanceOf, history } from "@/lib/credits/service";
import { heldBy, spendingWallet } from "@/lib/wallets/service";
import { formatCredits } from "@/lib/x402/credits";
import { DEFAULT_NETWORK } from "@/lib/x402/networks";
import type { ownerContext } from "../viewer";

type Viewer = NonNullable<Awaited<ReturnType<typeof ownerContext>>>;

const ROWS = 5;

/** Prepaid service credits. The owner's agents pay for scans with them. */
export async function Credits({ ctx }: { ctx: Viewer }) {
  const { ownerId } = ctx.actor;
  const { address } = await spendingWallet(ctx, ownerId, DEFAULT_NETWORK);
  const [balance, { rows }, walletBalance] = await Promise.all([
    balanceOf(ctx.db, ownerId),
    history(ctx, { limit: ROWS }),
    heldBy(ctx, DEFAULT_NETWORK, address),
  ]);
  return (
    <Card
      title="Service credits"
      className="grid items-start gap-5 lg:grid-cols-2 [&>header]:col-span-full [&>header]:mb-0"
    >
      <div className="grid gap-4">
        <p>
          <Amount value={formatCredits(balance)} size="mid" unit="credits" />
        </p>
        <p className="text-small text-ink-2">
          Your agents pay the{" "}
          <Link href="/firewall" className="underline underline-offset-4">
            firewall
          </Link>{" "}
          with them, within their mandates and without a transaction. One credit costs 1.00 USDC.
          {balance < 0n && " The chain reversed a purchase. Buy credits, or wait until the purchase settles again."}
        </p>
        {rows.length > 0 && (
          <Table
            caption="What your service credits did last"
            columns={COLUMNS}
            rows={rows.map(toMoveView)}
            rowKey={(move) => move.transactionId}
          />
        )}
      </div>
      <BuyCredits balance={walletBalance} />
    </Card>
  );
}

const COLUMNS: readonly Column<CreditMoveView>[] = [
  {
    key: "what",
    header: "What",
    cell: ({ kind, settlementId, createdAt }) => (
      <span className="grid gap-0.5">
        {settlementId === null ? (
          WHAT[kind]
        ) : (
          <Link href={receiptHref(settlementId)} className="underline decoration-line-2 underline-offset-4">
            {WHAT[kind]}
          </Link>
        )}
        <Time at={createdAt} form="short" show="absolute" className="text-small text-ink-2" />
      </span>
    ),
  },
  {
    key: "amount",
    header: "Credits",
    align: "end",
    cell: ({ amountFormatted }) => <Amount value={amountFormatted} unit={null} />,
  },
];

const WHAT = {
  top_up: "Bought",
  reversal: "Reverted by the chain",
  spend: "Scan paid",
} satisfies Record<CreditMoveView["kind"], string>;
